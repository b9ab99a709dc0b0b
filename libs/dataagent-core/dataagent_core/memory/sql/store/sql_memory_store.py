"""The memory store in an SQL database: a person's file, or a server's tables."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import ClassVar

from dataagent_core.config.limits.memory import MEMORIES_FOUND_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.memory.memory import Memory, MemoryScope
from dataagent_core.memory.memory_store import MemoryFilter, MemoryPlace, MemoryStore, SourceSpan
from dataagent_core.memory.search_index import DocumentKey, DocumentKind, IndexEntry
from dataagent_core.memory.sql.index_removal import remove_user_index
from dataagent_core.memory.sql.index_state import read_states
from dataagent_core.memory.sql.scope_numbers import list_user_scopes
from dataagent_core.memory.sql.sql_search_index import SqlSearchIndex
from dataagent_core.memory.sql.store import memory_writes
from dataagent_core.memory.sql.store.memory_reads import MemoryReads
from dataagent_core.session.stores.sql.connection import SqlConnection


class SqlMemoryStore(SqlSearchIndex, MemoryStore):
    """The memories of one tenant."""

    kinds: ClassVar[tuple[DocumentKind, ...]] = ("memory",)

    async def add(self, memory: Memory, entry: IndexEntry, closes: Sequence[Memory] = ()) -> Memory:
        self._check_tenant(memory, *closes)

        def write(connection: SqlConnection) -> Memory:
            # In one order, so that two who close the same ones do not wait for each other.
            for closed in sorted(closes, key=lambda one: one.id):
                memory_writes.save_memory(connection, closed, None)
            return memory_writes.add_memory(connection, memory, entry)

        return await self._database.write(write)

    async def add_many(self, memories: Sequence[tuple[Memory, IndexEntry]]) -> None:
        self._check_tenant(*(memory for memory, _ in memories))

        def write(connection: SqlConnection) -> None:
            for memory, entry in memories:
                memory_writes.add_memory(connection, memory, entry)

        if memories:
            await self._database.write(write)

    async def get(self, memory_id: str) -> Memory | None:
        found = await self.get_many([memory_id])
        return found[0] if found else None

    async def get_many(self, memory_ids: Sequence[str]) -> list[Memory]:
        return await self._database.read(lambda c: self._reads(c).get_many(memory_ids))

    async def save(self, memory: Memory, entry: IndexEntry | None = None) -> Memory:
        self._check_tenant(memory)
        return await self._database.write(lambda c: memory_writes.save_memory(c, memory, entry))

    async def remove(self, memory_ids: Sequence[str]) -> Mapping[str, int]:
        if not memory_ids:
            return {}
        return await self._database.erase(
            lambda c: memory_writes.remove_memories(c, self._tenant_id, memory_ids)
        )

    async def list_page(
        self, wanted: MemoryFilter, now: datetime, *, limit: int, after: str | None = None
    ) -> list[Memory]:
        return await self._database.read(
            lambda c: self._reads(c).list_page(wanted, now, limit, after)
        )

    async def list_scopes(self, user_id: str) -> list[MemoryScope]:
        def find(connection: SqlConnection) -> list[MemoryScope]:
            scopes = list_user_scopes(connection, self._tenant_id, user_id)
            states = read_states(connection, list(scopes), self.kinds)
            return [scopes[state.scope_no] for state in states if state.documents]

        return await self._database.read(find)

    async def find_same(self, scope: MemoryScope, digest: str) -> list[Memory]:
        return await self._database.read(lambda c: self._reads(c).find_same(scope, digest))

    async def find_subject(self, scope: MemoryScope, subject: str) -> list[Memory]:
        return await self._database.read(lambda c: self._reads(c).find_subject(scope, subject))

    async def find_known(
        self, scope: MemoryScope, digests: Sequence[str], subjects: Sequence[str]
    ) -> list[Memory]:
        return await self._database.read(
            lambda c: self._reads(c).find_known(scope, digests, subjects)
        )

    async def find_by_source(
        self, scope: MemoryScope, session_id: str, seq_first: int, seq_last: int
    ) -> list[Memory]:
        span = SourceSpan(scope, session_id, seq_first, seq_last)
        return await self.find_by_spans([span], MEMORIES_FOUND_MAX)

    async def find_by_spans(self, spans: Sequence[SourceSpan], limit: int) -> list[Memory]:
        return await self._database.read(lambda c: self._reads(c).find_by_spans(spans, limit))

    async def find_places(self, spans: Sequence[SourceSpan], limit: int) -> list[MemoryPlace]:
        return await self._database.read(lambda c: self._reads(c).find_places(spans, limit))

    async def find_by_episodes(
        self, scopes: Sequence[MemoryScope], episode_ids: Sequence[str], limit: int
    ) -> list[Memory]:
        return await self._database.read(
            lambda c: self._reads(c).find_by_episodes(scopes, episode_ids, limit)
        )

    async def find_expired(
        self, older_than: datetime, limit: int, scope: MemoryScope | None = None
    ) -> list[Memory]:
        return await self._database.read(
            lambda c: self._reads(c).find_expired(older_than, limit, scope)
        )

    async def note_access(self, memory_ids: Sequence[str], at: datetime) -> None:
        if memory_ids:
            await self._database.write(
                lambda c: memory_writes.note_access(c, self._tenant_id, memory_ids, at)
            )

    async def remove_user(self, user_id: str) -> Mapping[str, int]:
        def remove(connection: SqlConnection) -> Mapping[str, int]:
            removed = remove_user_index(connection, self._tenant_id, user_id, self.kinds)
            removed["memories"] += connection.execute(
                "DELETE FROM memories WHERE tenant_id = ? AND user_id = ?",
                (self._tenant_id, user_id),
            ).rowcount
            return removed

        return await self._database.erase(remove)

    async def scan(self, text: str, user_id: str) -> Mapping[str, int]:
        found = await self._database.read(lambda c: self._reads(c).count_texts(text, user_id))
        return {"memories": found}

    def _read_texts(
        self, connection: SqlConnection, keys: Sequence[DocumentKey]
    ) -> Mapping[DocumentKey, str]:
        found = self._reads(connection).get_many([key.id for key in keys])
        return {DocumentKey("memory", memory.id): memory.content for memory in found}

    def _reads(self, connection: SqlConnection) -> MemoryReads:
        return MemoryReads(connection, self._tenant_id)

    def _check_tenant(self, *memories: Memory) -> None:
        for memory in memories:
            if memory.scope.tenant_id != self._tenant_id:
                raise ValidationError(
                    f"The memory {memory.id} belongs to another tenant than this store: add it "
                    "with the tenant it is for."
                )
