"""Logs of runs, written event by event as an engine would, for tests of patterns."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from dataagent_core.events import (
    DoneEvent,
    Event,
    FeedbackEvent,
    HITLAnswerEvent,
    HITLRequestEvent,
    RunResumedEvent,
    RunStartedEvent,
    ToolCallEvent,
    ToolResultEvent,
    WorkPlanEvent,
)
from dataagent_core.events.feedback import Rating
from dataagent_core.events.hitl import HumanRequestKind
from dataagent_core.events.system import DoneReason
from dataagent_core.patterns import InteractionTrace, read_trace
from dataagent_core.session import NO_RUN

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
GOAL = "Revenue by region for Q3 2025"


# After what any pattern remembers.
_BEGAN_S = (NOW + timedelta(days=1_000)).timestamp()


@dataclass
class RunLog:
    """The events of one run; each takes a second."""

    run_id: str = "run"
    events: list[Event] = field(default_factory=list[Event])

    def __post_init__(self) -> None:
        self.add(RunStartedEvent(message_id=f"{self.run_id}:m0"))

    def add(self, event: Event, *, run_id: str | None = None) -> "RunLog":
        number = len(self.events) + 1
        self.events.append(
            replace(
                event,
                event_id=f"e{number}",
                session_id="session",
                run_id=self.run_id if run_id is None else run_id,
                seq=number,
                timestamp=_BEGAN_S + number,
            )
        )
        return self

    def plan(self, *steps: dict[str, Any]) -> "RunLog":
        numbered = [{"step_number": n, **step} for n, step in enumerate(steps, start=1)]
        return self.add(WorkPlanEvent(plan_id="p", steps=numbered, total_steps=len(steps)))

    def call(
        self,
        tool: str,
        /,
        result: Any = "done",
        *,
        status: str = "success",
        subagent_id: str | None = None,
        **args: Any,
    ) -> "RunLog":
        call_id = f"c{len(self.events)}"
        self.add(
            ToolCallEvent(
                tool_name=tool, tool_args=args, tool_call_id=call_id, subagent_id=subagent_id
            )
        )
        return self.add(
            ToolResultEvent(
                tool_call_id=call_id,
                tool_name=tool,
                result=result,
                status=status,
                duration_ms=5,
                subagent_id=subagent_id,
            )
        )

    def ask(
        self,
        kind: HumanRequestKind,
        decision: dict[str, Any],
        *,
        by: str | None = "ada",
        **request: Any,
    ) -> "RunLog":
        name = f"ask{len(self.events)}"
        self.add(HITLRequestEvent(interrupt_id=name, kind=kind, **request))
        return self.add(HITLAnswerEvent(interrupt_id=name, kind=kind, decision=decision, by=by))

    def decide(
        self,
        chosen: str,
        *,
        by: str | None = "ada",
        recommended: str = "By month",
        question: str = "How fine?",
        decision_type: str = "method",
        step_number: int | None = None,
    ) -> "RunLog":
        labels = dict.fromkeys((recommended, "By day", chosen))
        options = [{"label": one, "is_recommended": one == recommended} for one in labels]
        return self.ask(
            "decision",
            {"type": "answer", "answer": chosen},
            by=by,
            question=question,
            context=question,
            question_type=decision_type,
            options=options,
            step_number=step_number,
        )

    def resume(self, discard_after: int) -> "RunLog":
        return self.add(RunResumedEvent(attempt=2, discard_after=discard_after))

    def done(self, reason: DoneReason = "completed", content: str = "The answer.") -> "RunLog":
        cancelled = reason == "user_cancelled"
        return self.add(DoneEvent(reason=reason, cancelled=cancelled, content=content))

    def feedback(self, rating: Rating, correction: str = "", by: str = "ada") -> "RunLog":
        said = FeedbackEvent(rating=rating, correction=correction, target_run_id=self.run_id, by=by)
        return self.add(said, run_id=NO_RUN)

    def trace(self, goal: str = GOAL, **more: Any) -> InteractionTrace:
        return read_trace(self.events, goal, **more)


def step(description: str, status: str = "completed", **more: Any) -> dict[str, Any]:
    return {"description": description, "status": status, **more}


def worked(run_id: str = "run", goal: str = GOAL, *, failed: bool = False) -> InteractionTrace:
    """The trace of a run that asked a database and drew the result."""
    log = RunLog(run_id).call("sql_query", sql="select 1").call("chart_create", kind="bar")
    return log.done("error" if failed else "completed").trace(goal)
