"""The memories that one search has read: each once, and only those that may be results."""

from collections.abc import Iterable, Sequence

from dataagent_core.memory.memory import Memory
from dataagent_core.memory.memory_store import MemoryStore
from dataagent_core.memory.search.memory_query import MemoryQuery
from dataagent_core.memory.search_index import SearchedTime


class ReadMemories:
    """Reads memories for one search; a store answers for its legs, and this for all."""

    def __init__(self, store: MemoryStore, wanted: MemoryQuery, time: SearchedTime) -> None:
        self._store = store
        self._wanted = wanted
        self._time = time
        # Also of those that may not be results.
        self._asked: set[str] = set()
        self.by_id: dict[str, Memory] = {}

    async def read(self, keys: Sequence[str]) -> list[Memory]:
        """Read memories, and return those that may be results, in their order."""
        unread = [key for key in keys if key not in self._asked]
        if unread:
            self.keep(await self._store.get_many(unread))
            self._asked.update(unread)
        return [self.by_id[key] for key in keys if key in self.by_id]

    def keep(self, memories: Iterable[Memory]) -> None:
        """Take memories that a leg has read."""
        for memory in memories:
            self._asked.add(memory.id)
            if self._wanted.may_return(memory, self._time):
                self.by_id[memory.id] = memory
