"""The memories of one agent: where its runs read and write, and on which terms."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from dataagent_core.memory.graph.graph_service import GraphServicePort
from dataagent_core.memory.memory import MemoryScope
from dataagent_core.memory.memory_results import MemoryOwner, MemoryQueryOptions
from dataagent_core.memory.memory_service import MemoryService
from dataagent_core.runs import RunContext
from dataagent_core.session import EventLog, SessionStore

# In the context of a message, and in the metadata of a session: whether memory is wanted there.
MEMORY_KEY: Final = "memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryTerms:
    """What a run learns, and what it is told without asking."""

    learns: bool
    recalls: bool
    # A memory fits from this relevance on, and all that are told take so many tokens.
    score_min: float
    tokens_max: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MemoryUse:
    """The memories that an agent's runs use and add to."""

    service: MemoryService
    # None: there is no knowledge graph.
    graph: GraphServicePort | None
    # With this assistant, in this project if there is one, and with every assistant.
    reads: tuple[MemoryScope, ...]
    writes: MemoryScope
    terms: MemoryTerms
    log: EventLog
    sessions: SessionStore

    @property
    def owner(self) -> MemoryOwner:
        """Whose memories they are."""
        return MemoryOwner(tenant_id=self.writes.tenant_id, user_id=self.writes.user_id)

    async def has_any(self) -> bool:
        """Say whether anything is remembered that a run could ask for."""
        if await self.service.get_by_user(self.owner, MemoryQueryOptions(limit=1)):
            return True
        return bool(self.graph and await self.graph.list_episodes(self.reads, limit=1))

    async def is_wanted(self, context: RunContext) -> bool:
        """Say whether the person wants memory in this session and for this message.

        Tasks of other runs and compactions are nobody's words.
        """
        is_own = context.run.kind == "message" and context.message.background is None
        if not is_own or not context.message.wants_memory:
            return False
        session = await self.sessions.get(context.run.session_id)
        return session is None or wants_memory(session.metadata)


def wants_memory(metadata: Mapping[str, Any]) -> bool:
    """Read the switch of a message or of a session; memory is wanted unless it says no."""
    return metadata.get(MEMORY_KEY) is not False
