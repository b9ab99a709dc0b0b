"""The periodic work on memories of all tenants: what is unfinished, what is old, every night.

Each chore is done by one process at a time (`chore_claims.py`). What fails for one tenant, because
a model or Neo4j cannot be reached, is tried again the next time and keeps no other one waiting.
"""

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Final

from dataagent_core.memory.memory_results import MemoryOwner
from dataagent_core.memory.search.reembed import reembed
from dataagent_core.models.embeddings import Embedder
from dataagent_server.agents.memory import scope_rows
from dataagent_server.agents.memory.chore_claims import claim, release
from dataagent_server.agents.memory.tenant_memory import TenantMemory
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.identity.auth.clock import Clock, utc_now

logger = logging.getLogger(__name__)

# How long a process may work before another one may begin beside it.
_CLAIM: Final = timedelta(minutes=10)
# An episode that failed is not tried again before.
_RETRY_PAUSE: Final = timedelta(minutes=5)
# From this time of the day on, in UTC, the work of the night is done, once.
_NIGHT: Final = time(hour=2)


@dataclass(frozen=True, slots=True)
class MemoryUpkeep:
    """The chores of memory of one server process."""

    database: Database
    memory_of: Callable[[TenantId], TenantMemory]
    embedder: Embedder
    # The graph is in this database, not in one of its own.
    is_graph_here: bool = True
    clock: Clock = utc_now

    async def process_episodes(self) -> None:
        """Read new episodes into the graph, and those that a crash has left in the middle."""
        if not (waiting := await self._list_waiting()):
            return
        async with self._claimed("memory.episodes") as is_mine:
            if is_mine:
                await self._for_each(waiting, _process_episodes, "episodes")

    async def reembed(self) -> None:
        """Embed again what has no vector of the present embedder."""
        async with self._claimed("memory.reembed") as is_mine:
            if is_mine:
                tenants = await self.database.read(scope_rows.list_tenants)
                await self._for_each(tenants, self._reembed, "vectors")

    async def tidy(self) -> None:
        """Do the work of the night: remove what has expired, keep the rest clean."""
        now = self.clock()
        until = _next_night(now)
        if await self.database.write(lambda c: claim(c, "memory.night", now, until)):
            tenants = await self.database.read(scope_rows.list_tenants)
            await self._for_each(tenants, self._tidy, "the night's work")

    async def _reembed(self, memory: TenantMemory) -> None:
        for index in (memory.store, memory.graph_store):
            report = await reembed(index, self.embedder)
            if report.problem:
                logger.warning("memories are not embedded yet: %s", report.problem)

    async def _tidy(self, memory: TenantMemory) -> None:
        await memory.service.cleanup(None, self.clock())
        tenant_id = memory.tenant_id
        for user_id in await self.database.read(lambda c: scope_rows.list_people(c, tenant_id)):
            await memory.service.tidy(MemoryOwner(tenant_id=tenant_id, user_id=user_id))

    async def _list_waiting(self) -> Sequence[TenantId]:
        if self.is_graph_here:
            again = self.clock() - _RETRY_PAUSE
            return await self.database.read(lambda c: scope_rows.list_waiting(c, again))
        tenants = await self.database.read(scope_rows.list_active)
        return [one for one in tenants if await self.memory_of(one).graph_store.find_unfinished(1)]

    async def _for_each(
        self,
        tenants: Sequence[TenantId],
        work: Callable[[TenantMemory], Awaitable[object]],
        what: str,
    ) -> None:
        for tenant_id in tenants:
            try:
                await work(self.memory_of(tenant_id))
            except Exception:
                # One tenant's fault must not keep the others waiting.
                logger.exception("memory of tenant %s: %s failed", tenant_id, what)

    @asynccontextmanager
    async def _claimed(self, name: str) -> AsyncGenerator[bool]:
        now = self.clock()
        until = now + _CLAIM
        is_mine = await self.database.write(lambda c: claim(c, name, now, until))
        try:
            yield is_mine
        finally:
            if is_mine:
                await self.database.write(lambda c: release(c, name, self.clock(), until))


async def _process_episodes(memory: TenantMemory) -> None:
    if memory.graph is not None:
        await memory.graph.process_pending()


def _next_night(now: datetime) -> datetime:
    night = datetime.combine(now.date(), _NIGHT, tzinfo=now.tzinfo)
    return night if now < night else night + timedelta(days=1)
