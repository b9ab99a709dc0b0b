"""When a document counts in a search: two moments, as numbers that a cache compares quickly."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Self

from dataagent_core.memory.memory import Memory
from dataagent_core.memory.search_index import SearchedTime

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_TICK: Final = timedelta(microseconds=1)
# No datetime of Python is outside of them.
NEVER_US: Final = -(2**62)
ALWAYS_US: Final = 2**62


def to_microseconds(moment: datetime) -> int:
    """Count the microseconds from 1970 to a moment."""
    return (moment - _EPOCH) // _TICK


@dataclass(frozen=True, slots=True)
class DocumentSpan:
    """From when a document is true, and until when it counts."""

    since_us: int
    until_us: int = ALWAYS_US

    @classmethod
    def between(cls, since: datetime, until: datetime | None = None) -> Self:
        """Give the span between two moments; `until` is out of it."""
        end = ALWAYS_US if until is None else to_microseconds(until)
        return cls(to_microseconds(since), end)

    @classmethod
    def of_memory(cls, memory: Memory) -> Self:
        """Give the span of a memory: none when it was called wrong."""
        since = to_microseconds(memory.valid_from)
        if memory.retired_at is not None:
            return cls(since, NEVER_US)
        ends = [end for end in (memory.valid_to, memory.expires_at) if end is not None]
        return cls.between(memory.valid_from, min(ends, default=None))


@dataclass(frozen=True, slots=True)
class SearchedMoment:
    """A `SearchedTime` in the same numbers: as `Memory.is_current` and `Memory.was_true` say."""

    at_us: int
    # Whether what began later counts: it does now, because a clock may have been set back.
    with_later: bool

    @classmethod
    def of(cls, time: SearchedTime) -> Self:
        """Convert a time."""
        moment = time.now if time.as_of is None else time.as_of
        return cls(to_microseconds(moment), time.as_of is None)

    def counts(self, since_us: int, until_us: int) -> bool:
        """Say whether a document with this span counts."""
        return until_us > self.at_us and (self.with_later or since_us <= self.at_us)
