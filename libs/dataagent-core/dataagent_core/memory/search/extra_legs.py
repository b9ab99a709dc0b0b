"""The small legs, read from memories themselves: who speaks, and how recent it is. Pure."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from dataagent_core.language.word_split import split_runs
from dataagent_core.memory.memory import Memory
from dataagent_core.memory.search.query_text import ReadQuery
from dataagent_core.memory.search.speaker_prefix import split_speaker

# After so long a memory counts half as recent.
_HALF_LIFE_DAYS: Final = 60.0
_DAY_S: Final = 86_400.0


def find_speakers(memories: Iterable[Memory], query: ReadQuery) -> dict[str, float]:
    """Give 1 to what was said by somebody whose name is in the query."""
    return {memory.id: 1.0 for memory in memories if query.names & _speaker_words(memory)}


def find_recent(memories: Iterable[Memory], at: datetime) -> dict[str, float]:
    """Give 1 to what is true since now, and less to what is so for longer.

    What begins later than now counts as now: clocks differ.
    """
    return {
        memory.id: 0.5
        ** (max(0.0, (at - memory.valid_from).total_seconds()) / _DAY_S / _HALF_LIFE_DAYS)
        for memory in memories
    }


def _speaker_words(memory: Memory) -> frozenset[str]:
    name = memory.source.speaker or split_speaker(memory.content)[0]
    return frozenset(split_runs(name))
