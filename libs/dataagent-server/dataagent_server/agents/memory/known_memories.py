"""What is known about a person now, by type."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from dataagent_core.memory.memory import Memory, MemoryType
from dataagent_core.memory.memory_results import MemoryOwner, MemoryQueryOptions
from dataagent_core.memory.memory_service import MemoryService
from dataagent_server.agents.memory.limits import KNOWN_MEMORIES_MAX
from dataagent_server.agents.memory.profile_rows import TypeCount


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownMemories:
    """What is known, the newest of each type first, and how much there is."""

    memories: Mapping[MemoryType, Sequence[Memory]]
    counted: Sequence[TypeCount]

    @property
    def first_at(self) -> datetime | None:
        """When the oldest was recorded."""
        return min((one.first_at for one in self.counted), default=None)

    @property
    def last_at(self) -> datetime | None:
        """When the newest was recorded."""
        return max((one.last_at for one in self.counted), default=None)


async def list_known(
    service: MemoryService, owner: MemoryOwner, kind: MemoryType, assistant_id: str | None
) -> list[Memory]:
    """List the newest of one type: of all, or of those that count with an assistant."""
    options = [MemoryQueryOptions(types=(kind,), limit=KNOWN_MEMORIES_MAX)]
    if assistant_id is not None:
        options = [
            MemoryQueryOptions(types=(kind,), limit=KNOWN_MEMORIES_MAX, assistant_id=assistant_id),
            MemoryQueryOptions(types=(kind,), limit=KNOWN_MEMORIES_MAX, kind="org"),
        ]
    found = [one for each in options for one in await service.get_by_user(owner, each)]
    found.sort(key=lambda one: one.recorded_at, reverse=True)
    return found[:KNOWN_MEMORIES_MAX]
