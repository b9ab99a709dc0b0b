"""The small legs, read from memories themselves: who speaks, when, and how recent it is. Pure."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from dataagent_core.memory.changes.merge import SAID_AT_KEY
from dataagent_core.memory.memory import Memory
from dataagent_core.memory.search.named_dates import is_at, read_named_dates
from dataagent_core.memory.search.query_text import QueryText
from dataagent_core.memory.search.speaker import find_named, find_speaker

# After so long a memory counts half as recent.
_HALF_LIFE_DAYS: Final = 60.0
_DAY_S: Final = 86_400.0


def find_spoken(memories: Iterable[Memory], query: QueryText) -> dict[str, float]:
    """Give 1 to what was said by somebody whom the query names."""
    said = {memory.id: find_speaker(memory) for memory in memories}
    named = {name for name in set(said.values()) if find_named(name, query.text)}
    return {key: 1.0 for key, name in said.items() if name in named}


def find_dated(memories: Iterable[Memory], query: QueryText) -> dict[str, float]:
    """Give 1 to what was said at a date that the query names."""
    dates = read_named_dates(query.text)
    return {memory.id: 1.0 for memory in memories if dates and is_at(_said_at(memory), dates)}


def find_recent(memories: Iterable[Memory], at: datetime) -> dict[str, float]:
    """Give 1 to what is true since now, and less to what is so for longer.

    What begins later than now counts as now: clocks differ.
    """
    return {
        memory.id: 0.5
        ** (max(0.0, (at - memory.valid_from).total_seconds()) / _DAY_S / _HALF_LIFE_DAYS)
        for memory in memories
    }


def _said_at(memory: Memory) -> datetime:
    """Return when it was said; it may have been true before."""
    said_at = memory.extra.get(SAID_AT_KEY)
    return datetime.fromisoformat(said_at) if isinstance(said_at, str) else memory.valid_from
