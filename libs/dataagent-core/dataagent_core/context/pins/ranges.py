"""What did not fit: one line for each range of events, so that `recall` can still find it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from dataagent_core.config.limits.context import PIN_RANGES_MAX
from dataagent_core.context.pins.pin import KINDS, ContextPin


@dataclass(frozen=True, slots=True)
class PinRange:
    """How many pins of which kinds were left out between two events."""

    from_seq: int | None
    to_seq: int | None
    kinds: tuple[tuple[str, int], ...]

    def line(self) -> str:
        """Write the line."""
        counts = ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in self.kinds)
        if self.from_seq is None:
            return f"- earlier: {counts} left out"
        return f"- events {self.from_seq} to {self.to_seq}: {counts} left out; recall(N) reads one"


def range_of(pins: Sequence[ContextPin]) -> list[PinRange]:
    """Make one range of what one compaction left out."""
    if not pins:
        return []
    known = [pin.seq for pin in pins if pin.seq is not None]
    counts = Counter(pin.kind for pin in pins)
    kinds = tuple((kind, counts[kind]) for kind in KINDS if counts[kind])
    return [PinRange(min(known, default=None), max(known, default=None), kinds)]


def merged_ranges(ranges: Sequence[PinRange], ranges_max: int = PIN_RANGES_MAX) -> list[PinRange]:
    """Join the oldest ranges until there are few enough."""
    kept = list(ranges)
    while len(kept) > max(ranges_max, 1):
        kept[:2] = [_joined(kept[0], kept[1])]
    return kept


def _joined(one: PinRange, other: PinRange) -> PinRange:
    counts = Counter(dict(one.kinds))
    counts.update(dict(other.kinds))
    seqs = [n for n in (one.from_seq, one.to_seq, other.from_seq, other.to_seq) if n is not None]
    kinds = tuple((kind, counts[kind]) for kind in KINDS if counts[kind])
    return PinRange(min(seqs, default=None), max(seqs, default=None), kinds)
