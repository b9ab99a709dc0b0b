"""What a caller is told of a run, gathered from its events. Pure; `ask_agent.py` sends it."""

from dataclasses import dataclass, field
from typing import Any, Literal

Status = Literal["done", "waiting", "running"]


@dataclass(slots=True)
class RunSummaryBuilder:
    """The answer so far, where its figures come from, and what is still asked."""

    text: str = ""
    figures: list[Any] = field(default_factory=list[Any])
    unsourced: list[Any] = field(default_factory=list[Any])
    artifacts: list[Any] = field(default_factory=list[Any])
    error: dict[str, Any] | None = None
    reason: str | None = None
    questions: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])

    def see(self, event: dict[str, Any]) -> str | None:
        """Take an event in; returns a sentence when there is progress worth telling."""
        match event:
            case {"event_type": "text", "is_final": True}:
                self.text = str(event.get("content") or "")
                self.figures = list(event.get("figures") or [])
                self.unsourced = list(event.get("unsourced") or [])
            case {"event_type": "hitl_request", "interrupt_id": str(asked)}:
                self.questions[asked] = event
                return "waits for a person"
            case {"event_type": "hitl_answer", "interrupt_id": str(answered)}:
                self.questions.pop(answered, None)
            case {"event_type": "tool_call", "tool_name": str(name)}:
                return f"calls {name}"
            case {"event_type": "tool_result", "artifacts": [*made]}:
                self.artifacts += made
            case {"event_type": "tool_progress", "message": str(said)} if said:
                return said
            case {"event_type": "error"}:
                self.error = {"error_code": event.get("code"), "message": event.get("error")}
            case {"event_type": "done"}:
                self.reason = str(event.get("reason"))
                self.text = self.text or str(event.get("content") or "")
            case _:
                pass
        return None

    @property
    def status(self) -> Status:
        """Say how the run stands."""
        if self.reason is not None:
            return "done"
        return "waiting" if self.questions else "running"
