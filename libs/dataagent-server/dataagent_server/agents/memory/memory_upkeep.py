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

from dataagent_core.config.limits.graph import EPISODE_RETRY_PAUSE_S
from dataagent_core.memory.memory_results import MemoryOwner
from dataagent_core.memory.search.reembed import reembed
from dataagent_core.models.embeddings import Embedder
from dataagent_server.agents.memory import scope_rows
from dataagent_server.agents.memory.chore_claims import claim, extend, release
from dataagent_server.agents.memory.tenant_memory import TenantMemory
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.identity.auth.clock import Clock, utc_now

logger = logging.getLogger(__name__)

# How long a process may work before another one may begin beside it.
_CLAIM: Final = timedelta(minutes=10)
_RETRY_PAUSE: Final = timedelta(seconds=EPISODE_RETRY_PAUSE_S)
# From this time of the day on, in UTC, the work of the night is done, once.
_NIGHT: Final = time(hour=2)
_NIGHTLY: Final = "memory.night"


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
                await self._for_each(await self._list_remembering(), self._reembed, "vectors")

    async def tidy(self) -> None:
        """Do the work of the night: remove what has expired, keep the rest clean."""
        now = self.clock()
        until = now + _CLAIM
        if not await self.database.write(lambda c: claim(c, _NIGHTLY, now, until)):
            return
        for tenant_id in await self.database.read(scope_rows.list_tenants):
            await self._for_each([tenant_id], self._tidy, "the night's work")
            longer = self.clock() + _CLAIM
            if longer != until and not await self._extend(until, longer):
                return
            until = longer
        # Only now: the work of a process that dies is taken over in the same night.
        await self._extend(until, _next_night(now))

    async def _extend(self, until: datetime, longer: datetime) -> bool:
        return await self.database.write(lambda c: extend(c, _NIGHTLY, until, longer))

    async def _reembed(self, memory: TenantMemory) -> None:
        for index in (memory.store, memory.graph_store):
            report = await reembed(index, self.embedder)
            if report.problem:
                logger.warning("memories are not embedded yet: %s", report.problem)

    async def _tidy(self, memory: TenantMemory) -> None:
        tenant_id = memory.tenant_id

        async def clean() -> None:
            await memory.service.cleanup(None, self.clock())

        async def tidy(user_id: str) -> None:
            await memory.service.tidy(MemoryOwner(tenant_id=tenant_id, user_id=user_id))

        await _attempt(clean(), tenant_id, "removing what has expired")
        for user_id in await self.database.read(lambda c: scope_rows.list_people(c, tenant_id)):
            await _attempt(tidy(user_id), tenant_id, "the night's work for a person")

    async def _list_remembering(self) -> Sequence[TenantId]:
        found = await self.database.read(scope_rows.list_tenants)
        if not self.is_graph_here:
            # In some of them nothing is remembered but a graph, elsewhere.
            found += await self.database.read(scope_rows.list_active)
        return list(dict.fromkeys(found))

    async def _list_waiting(self) -> Sequence[TenantId]:
        again = self.clock() - _RETRY_PAUSE
        if self.is_graph_here:
            return await self.database.read(lambda c: scope_rows.list_waiting(c, again))
        waiting: list[TenantId] = []
        for tenant_id in await self.database.read(scope_rows.list_active):
            store = self.memory_of(tenant_id).graph_store
            if await store.find_unfinished(1, tried_before=again):
                waiting.append(tenant_id)
        return waiting

    async def _for_each(
        self,
        tenants: Sequence[TenantId],
        work: Callable[[TenantMemory], Awaitable[object]],
        what: str,
    ) -> None:
        async def begin(tenant_id: TenantId) -> None:
            await work(self.memory_of(tenant_id))

        for tenant_id in tenants:
            await _attempt(begin(tenant_id), tenant_id, what)

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


async def _attempt(work: Awaitable[object], tenant_id: TenantId, what: str) -> None:
    try:
        await work
    except Exception:
        # A fault of one tenant or person must not keep the others waiting.
        logger.exception("memory of tenant %s: %s failed", tenant_id, what)


async def _process_episodes(memory: TenantMemory) -> None:
    if memory.graph is not None:
        await memory.graph.process_pending()


def _next_night(now: datetime) -> datetime:
    night = datetime.combine(now.date(), _NIGHT, tzinfo=now.tzinfo)
    return night if now < night else night + timedelta(days=1)
