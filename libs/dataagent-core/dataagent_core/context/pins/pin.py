"""A pin is a line of the history that is kept word for word when the rest is no longer shown.

Pins that do not fit are counted in ranges of events, so that `recall` can still find them.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from dataagent_core.config.limits.context import PIN_RANGES_MAX

# By priority: the last kind is left out first.
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

# True only at one time: each compaction determines them anew.
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


@dataclass(frozen=True, slots=True)
class PinRange:
    """How many pins of which kinds were left out between two events."""

    from_seq: int | None
    to_seq: int | None
    kinds: tuple[tuple[str, int], ...]

    def line(self) -> str:
        """Format the range as a line of the block."""
        counts = ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in self.kinds)
        if self.from_seq is None:
            return f"- earlier: {counts} left out"
        return f"- events {self.from_seq} to {self.to_seq}: {counts} left out; recall(N) reads one"


def range_of(pins: Sequence[ContextPin]) -> list[PinRange]:
    """Make a range of the pins that one compaction left out; empty without pins."""
    if not pins:
        return []
    known = [pin.seq for pin in pins if pin.seq is not None]
    counts = Counter(pin.kind for pin in pins)
    kinds = tuple((kind, counts[kind]) for kind in KINDS if counts[kind])
    return [PinRange(min(known, default=None), max(known, default=None), kinds)]


def merge_ranges(ranges: Sequence[PinRange], ranges_max: int = PIN_RANGES_MAX) -> list[PinRange]:
    """Join the oldest ranges until there are few enough."""
    kept = list(ranges)
    while len(kept) > max(ranges_max, 1):
        kept[:2] = [_merge_two(kept[0], kept[1])]
    return kept


def _merge_two(one: PinRange, other: PinRange) -> PinRange:
    counts = Counter(dict(one.kinds))
    counts.update(dict(other.kinds))
    seqs = [n for n in (one.from_seq, one.to_seq, other.from_seq, other.to_seq) if n is not None]
    kinds = tuple((kind, counts[kind]) for kind in KINDS if counts[kind])
    return PinRange(min(seqs, default=None), max(seqs, default=None), kinds)
