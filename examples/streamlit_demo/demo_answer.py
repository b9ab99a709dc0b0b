"""What a stream of events says so far. Pure."""

from dataclasses import dataclass, field
from typing import Any

# After these the run is over, or nothing comes until a person has answered.
_ASKED = (
    "permission_asked",
    "clarification_asked",
    "decision_asked",
    "doom_loop_detected",
    "human_asked",
)


@dataclass
class Answer:
    """The agent's words, piece by piece, with what it did between them."""

    parts: list[str] = field(default_factory=list[str])
    piece: str = ""
    session_id: str | None = None
    last_id: str = "0"
    ended: bool = False

    @property
    def text(self) -> str:
        """What can be shown now, as Markdown."""
        return "\n\n".join(part for part in (*self.parts, self.piece) if part.strip())

    def see(self, event: dict[str, Any], tool: str) -> None:
        """Take an event; `tool` is how a call is told."""
        data: dict[str, Any] = event["data"]
        self.session_id = event.get("conversation_id") or self.session_id
        self.last_id = event.get("id") or self.last_id
        match event.get("type"):
            case "text_delta" if data.get("is_final"):
                # The whole text takes the place of its pieces.
                self.parts.append(str(data.get("content", "")))
                self.piece = ""
            case "text_delta":
                self.piece += str(data.get("delta", ""))
            case "resumed":
                # It is said again from its beginning.
                self.piece = ""
            case "act":
                self.parts.append(tool.format(name=f"`{data.get('tool_name', '')}`"))
            case "error":
                self.parts.append(f"⚠️ {data.get('message', '')}")
            case "complete":
                self.parts.append(self.piece)
                self.piece = ""
                self.ended = True
            case kind if kind in _ASKED:
                self.ended = True
            case _:
                pass
