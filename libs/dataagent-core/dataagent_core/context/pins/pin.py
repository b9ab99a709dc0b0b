"""A pin: something of the history that must survive word for word when the rest is left out."""

from dataclasses import dataclass
from typing import Any, Literal, get_args

# In the order in which they are kept: the last gives way first.
PinKind = Literal[
    "instruction",
    "open",
    "decision",
    "plan",
    "error",
    "identifier",
    "number",
    "ruled_out",
]
KINDS: tuple[PinKind, ...] = get_args(PinKind)

# What is true only now: each compaction states it anew instead of carrying it on.
MOMENTARY: frozenset[PinKind] = frozenset({"open", "plan"})

TITLES: dict[PinKind, str] = {
    "instruction": "The person's instructions and constraints",
    "open": "Open approvals and questions",
    "decision": "Decisions",
    "plan": "The current plan",
    "error": "Errors",
    "identifier": "Identifiers and paths",
    "number": "Numbers with their receipts",
    "ruled_out": "Ruled out",
}


@dataclass(frozen=True, slots=True)
class ContextPin:
    """One line, and the event it comes from where that is known."""

    kind: PinKind
    text: str
    seq: int | None = None

    def to_event(self) -> dict[str, Any]:
        """Return the pin as an event holds it."""
        return {"kind": self.kind, "text": self.text, "seq": self.seq}
