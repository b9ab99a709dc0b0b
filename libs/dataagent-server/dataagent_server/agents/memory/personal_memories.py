"""The memories of the principal, with rights and audit; core's `MemoryService` keeps them.

What is remembered of somebody else answers like what never was, whatever the principal's role is.
"""

import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from dataagent_core.memory.changes.memory_editor import KEEP
from dataagent_core.memory.doctor.doctor_report import DoctorReport
from dataagent_core.memory.memory import Memory, MemoryMetadata, MemoryType
from dataagent_core.memory.memory_results import (
    AddResult,
    ForgetReceipt,
    MemoryOwner,
    MemoryQueryOptions,
    WrongResult,
)
from dataagent_core.memory.search.memory_query import MemoryQuery
from dataagent_server.agents.memory.audited_writes import audited
from dataagent_server.agents.memory.known_memories import KnownMemories, list_known
from dataagent_server.agents.memory.memory_record import (
    MemoryChange,
    MemorySearch,
    NewMemory,
    SearchAnswer,
    ShownMemory,
    make_scope,
)
from dataagent_server.agents.memory.own_memory import require_own
from dataagent_server.agents.memory.profile_rows import count_types
from dataagent_server.agents.memory.source_rows import is_session_gone
from dataagent_server.agents.memory.tenant_memory import TenantMemory
from dataagent_server.common.ids import TenantId
from dataagent_server.common.pagination import ItemPage
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Principal
from dataagent_server.identity.auth.clock import Clock, utc_now


@dataclass(frozen=True, slots=True)
class PersonalMemories:
    """The memories of the principal."""

    database: Database
    audit: AuditTrail
    memory_of: Callable[[TenantId], TenantMemory]
    # The assistant that is meant where none is named.
    assistant_id: str
    clock: Clock = utc_now

    async def list(self, principal: Principal, wanted: MemoryQueryOptions) -> ItemPage[Memory]:
        """List memories, the last recorded first."""
        memory = self._open_to_read(principal)
        more = replace(wanted, limit=wanted.limit + 1)
        found = await memory.service.get_by_user(_owner(principal), more)
        shown = found[: wanted.limit]
        return ItemPage(shown, shown[-1].id if len(found) > wanted.limit else None)

    def list_all(self, principal: Principal) -> AsyncGenerator[Memory]:
        """Return every memory, past ones too."""
        memory = self._open_to_read(principal)
        return memory.service.export(_owner(principal))

    async def show(self, principal: Principal, memory_id: str) -> ShownMemory:
        """Return a memory with those of its subject, and whether its conversation is gone."""
        memory = self._open_to_read(principal)
        found = await memory.service.get_history(memory_id, _owner(principal))
        source, recorded_at = found.memory.source, found.memory.recorded_at
        is_gone = bool(source.session_id) and await self.database.read(
            lambda c: is_session_gone(c, principal.tenant_id, source.session_id, recorded_at)
        )
        return ShownMemory(
            memory=found.memory, history=tuple(reversed(found.history)), is_source_gone=is_gone
        )

    async def profile(self, principal: Principal, assistant_id: str | None) -> KnownMemories:
        """Return what is known about the principal now, by type, the newest first."""
        memory = self._open_to_read(principal)
        tenant_id, user_id = principal.tenant_id, principal.user_id
        counted = await self.database.read(
            lambda c: count_types(c, tenant_id, user_id, self.clock(), assistant_id)
        )
        found: dict[MemoryType, Sequence[Memory]] = {
            one.type: await list_known(memory.service, _owner(principal), one.type, assistant_id)
            for one in counted
        }
        return KnownMemories(memories=found, counted=counted)

    async def search(self, principal: Principal, search: MemorySearch) -> SearchAnswer:
        """Find the memories that fit, the best first."""
        memory = self._open_to_read(principal)
        began_s = time.perf_counter()
        scopes = search.where.choose(await memory.store.list_scopes(principal.user_id))
        found = await memory.service.find(
            MemoryQuery(
                text=search.query,
                scopes=scopes,
                limit=search.limit,
                search_type=search.search_type,
                as_of=search.as_of,
                types=search.types,
                fusion=search.fusion,
            )
        )
        return SearchAnswer(found=found, took_ms=(time.perf_counter() - began_s) * 1_000)

    async def add(self, principal: Principal, new: NewMemory) -> AddResult:
        """Remember what a person says."""
        memory = self._open_to_change(principal)
        metadata = MemoryMetadata(
            scope=make_scope(principal, new, self.assistant_id),
            type=new.type,
            expires_at=new.expires_at,
            valid_from=new.valid_from,
            subject=new.subject,
        )
        detail = {"type": new.type, "kind": new.kind}
        async with self._audited(principal, "memory.create", "memory", detail):
            return await memory.service.remember(new.content, metadata)

    async def change(self, principal: Principal, memory_id: str, change: MemoryChange) -> Memory:
        """Change what is given, if nobody has changed the memory since it was looked at."""
        memory = self._open_to_change(principal)
        detail = {"changed": sorted(change.given)}
        async with self._audited(principal, "memory.change", f"memory:{memory_id}", detail):
            return await memory.service.update(
                memory_id,
                _owner(principal),
                change.version,
                content=change.content,
                type=change.type,
                expires_at=change.expires_at if "expires_at" in change.given else KEEP,
                valid_to=change.valid_to if "valid_to" in change.given else KEEP,
            )

    async def mark_wrong(
        self, principal: Principal, memory_id: str, *, version: int | None, correction: str
    ) -> WrongResult:
        """Retire a memory that was never true, and remember what is right instead."""
        memory = self._open_to_change(principal)
        async with self._audited(principal, "memory.wrong", f"memory:{memory_id}"):
            return await memory.service.mark_wrong(
                memory_id, _owner(principal), version=version, correction=correction
            )

    async def forget(self, principal: Principal, memory_id: str) -> ForgetReceipt:
        """Remove a memory with everything that rests on it alone."""
        memory = self._open_to_change(principal)
        async with self._audited(principal, "memory.forget", f"memory:{memory_id}"):
            return await memory.service.delete(memory_id, _owner(principal))

    async def check(self, principal: Principal) -> DoctorReport:
        """Look for what is unclean in what is remembered of the principal."""
        memory = self._open_to_read(principal)
        return await memory.service.doctor(_owner(principal))

    async def clean(self, principal: Principal, older_than: datetime) -> int:
        """Remove the principal's memories that had expired at a moment."""
        memory = self._open_to_change(principal)
        detail = {"older_than": older_than.isoformat()}
        removed = 0
        async with self._audited(principal, "memory.cleanup", "memory", detail):
            for scope in await memory.store.list_scopes(principal.user_id):
                removed += await memory.service.cleanup(scope, older_than)
        return removed

    def _open_to_read(self, principal: Principal) -> TenantMemory:
        require_own(principal, "memory.read")
        return self.memory_of(principal.tenant_id)

    def _open_to_change(self, principal: Principal) -> TenantMemory:
        require_own(principal, "memory.change")
        return self.memory_of(principal.tenant_id)

    def _audited(
        self,
        principal: Principal,
        action: str,
        resource: str,
        detail: Mapping[str, Any] | None = None,
    ) -> AbstractAsyncContextManager[None]:
        tenant_id, actor = principal.tenant_id, principal.actor
        return audited(
            self.database,
            lambda c: self.audit.record(c, tenant_id, actor, action, resource, detail),
        )


def _owner(principal: Principal) -> MemoryOwner:
    return MemoryOwner(tenant_id=principal.tenant_id, user_id=principal.user_id)
