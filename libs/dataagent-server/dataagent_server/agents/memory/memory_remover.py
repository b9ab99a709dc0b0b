"""Removes what is remembered of people who leave a tenant, and in projects that are deleted.

Members and projects are deleted in a layer that knows nothing of memory: what a crash leaves, or a
command of the operator, is removed by `remove_orphans`, which runs regularly.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from dataagent_core.memory.erasure.notes_file import NotesFiles
from dataagent_core.memory.memory import MemoryScope
from dataagent_core.memory.memory_results import MemoryOwner
from dataagent_core.memory.memory_store import MemoryFilter
from dataagent_server.agents.memory import scope_rows
from dataagent_server.agents.memory.tenant_memory import TenantMemory
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.identity.auth.clock import Clock, utc_now

# Removed in one transaction: others write meanwhile.
_REMOVED_AT_ONCE: Final = 200


@dataclass(frozen=True, slots=True)
class MemoryRemover:
    """Removes memories and graphs of people and projects."""

    database: Database
    memory_of: Callable[[TenantId], TenantMemory]
    notes: NotesFiles
    clock: Clock = utc_now

    async def remove_person(self, tenant_id: TenantId, user_id: str) -> None:
        """Remove everything that is remembered of a person in a tenant."""
        memory = self.memory_of(tenant_id)
        await self.notes.remove_files(MemoryOwner(tenant_id=tenant_id, user_id=user_id))
        # The memories last: their scopes say what is left to do after a crash.
        await memory.graph_store.remove_user(user_id)
        await memory.store.remove_user(user_id)

    async def remove_project(self, tenant_id: TenantId, project_id: str) -> None:
        """Remove what everybody's runs have remembered in a project."""
        scopes = await self.database.read(
            lambda c: scope_rows.list_project_scopes(c, tenant_id, project_id)
        )
        # A graph in Neo4j knows scopes in which nothing else was remembered.
        scopes += await self.memory_of(tenant_id).graph_store.list_own_scopes(project_id)
        for scope in dict.fromkeys(scopes):
            await self._empty(scope)

    async def remove_orphans(self) -> None:
        """Remove what is left of people who are gone and of deleted projects, in all tenants."""
        for scope in await self._list_orphans():
            if await self.database.read(lambda c, of=scope: scope_rows.has_owner(c, of)):
                await self._empty(scope)
            else:
                await self.remove_person(TenantId(scope.tenant_id), scope.user_id)

    async def _list_orphans(self) -> Sequence[MemoryScope]:
        found = await self.database.read(scope_rows.list_orphans)
        # A graph in Neo4j knows people and projects of whom nothing else was remembered.
        for tenant_id in await self.database.read(scope_rows.list_every_tenant):
            own = await self.memory_of(tenant_id).graph_store.list_own_scopes()
            found += await self.database.read(
                lambda c, of=tenant_id, scopes=own: scope_rows.choose_orphans(c, of, scopes)
            )
        return list(dict.fromkeys(found))

    async def _empty(self, scope: MemoryScope) -> None:
        memory = self.memory_of(TenantId(scope.tenant_id))
        scopes = [scope]
        while episodes := await memory.graph_store.list_episodes(scopes, limit=_REMOVED_AT_ONCE):
            await memory.graph_store.remove_episodes(scopes, [one.id for one in episodes])
        wanted = MemoryFilter(
            user_id=scope.user_id,
            kind=scope.kind,
            assistant_id=scope.assistant_id,
            project_id=scope.project_id,
            with_past=True,
        )
        while found := await memory.store.list_page(wanted, self.clock(), limit=_REMOVED_AT_ONCE):
            await memory.store.remove([one.id for one in found])
