"""What is searched, and where."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from dataagent_core.memory.memory import Memory, MemoryScope, MemoryType
from dataagent_core.memory.search_index import SearchedTime
from dataagent_core.memory.search_terms import Fusion, SearchType


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryQuery:
    """One search."""

    text: str
    scopes: Sequence[MemoryScope]
    limit: int
    search_type: SearchType = "hybrid"
    # What was true then; unset: what holds now.
    as_of: datetime | None = None
    types: tuple[MemoryType, ...] = ()
    # In the place of the one set up.
    fusion: Fusion | None = None

    def may_return(self, memory: Memory, time: SearchedTime) -> bool:
        """Say whether a memory may be a result."""
        return (
            memory.scope in self.scopes
            and (not self.types or memory.type in self.types)
            and (memory.was_true(time.as_of) if time.as_of else memory.is_current(time.now))
        )
