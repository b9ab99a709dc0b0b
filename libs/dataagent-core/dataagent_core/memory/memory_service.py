"""`MemoryService` (S3): what a person, an agent and their tools do with memories of one tenant.

Every call names the owner, or a scope, which names them: what belongs to others is not found.
`hygiene/` refuses what must not be remembered, `changes/` decides what a new memory does to known
ones, `erasure/` removes without a trace, `doctor/` looks for what is unclean all the same.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from dataagent_core.config.limits.memory import (
    MEMORIES_PAGE_MAX,
    MEMORY_CLEANUP_BATCH,
    MEMORY_TOP_K,
)
from dataagent_core.errors import NotFoundError
from dataagent_core.memory.changes.memory_editor import (
    KEEP,
    Keep,
    MemoryChanges,
    MemoryEditor,
)
from dataagent_core.memory.changes.memory_writer import MemoryWriter
from dataagent_core.memory.changes.new_memory import make_memory
from dataagent_core.memory.doctor.doctor_report import DoctorReport, TidyReport
from dataagent_core.memory.doctor.memory_doctor import Examination, examine
from dataagent_core.memory.doctor.memory_tidier import MemoryTidier
from dataagent_core.memory.erasure.memory_eraser import MemoryEraser
from dataagent_core.memory.erasure.notes_file import NotesFiles
from dataagent_core.memory.graph.extraction.memory_rules import Turn
from dataagent_core.memory.graph.graph_service import GraphServicePort
from dataagent_core.memory.graph.graph_store import GraphStore
from dataagent_core.memory.hygiene.check_memory import check_memory
from dataagent_core.memory.hygiene.source_reader import SourceReader
from dataagent_core.memory.hygiene.source_text import SourceText
from dataagent_core.memory.memory import (
    Memory,
    MemoryMetadata,
    MemoryScope,
    MemoryType,
)
from dataagent_core.memory.memory_results import (
    AddResult,
    ForgetReceipt,
    MemoryHistory,
    MemoryOwner,
    MemoryQueryOptions,
    WrongResult,
)
from dataagent_core.memory.memory_store import MemoryFilter, MemoryStore
from dataagent_core.memory.search.found_memory import FoundMemories, FoundMemory
from dataagent_core.memory.search.hybrid_search import HybridSearch
from dataagent_core.memory.search.index_text import index_text
from dataagent_core.memory.search.memory_query import MemoryQuery
from dataagent_core.memory.search_terms import SearchTerms, SearchType
from dataagent_core.memory.transfer.import_turns import ImportReport, TurnImporter
from dataagent_core.models.embeddings import Embedder
from dataagent_core.session.log import EventLog
from dataagent_core.session.store import MessageStore


def _read_clock() -> datetime:
    return datetime.now(UTC)


class MemoryService:
    """The memories of one tenant."""

    def __init__(
        self,
        store: MemoryStore,
        *,
        log: EventLog | None = None,
        messages: MessageStore | None = None,
        embedder: Embedder | None = None,
        graph: GraphServicePort | None = None,
        graph_store: GraphStore | None = None,
        kept_graph: GraphServicePort | None = None,
        notes: NotesFiles | None = None,
        terms: SearchTerms | None = None,
        clock: Callable[[], datetime] = _read_clock,
    ) -> None:
        """`kept_graph` forgets with the memories, also where nothing is learned into `graph`."""
        self._store = store
        self._sources = SourceReader(log, messages, store) if log is not None else None
        self._embedder = embedder
        self._clock = clock
        self._writer = MemoryWriter(store)
        self._editor = MemoryEditor(store, embedder)
        self._eraser = MemoryEraser(
            store=store, graph=kept_graph or graph, notes=notes, log=log, embedder=embedder
        )
        self._tidier = MemoryTidier(store=store, eraser=self._eraser)
        self._importer = TurnImporter(
            store=store, writer=self._writer, embedder=embedder, graph=graph
        )
        self._search = HybridSearch(store, graph_store, embedder, terms, clock)

    async def add(
        self, content: str, metadata: MemoryMetadata, *, instructions: Collection[str] = ()
    ) -> Memory:
        """Remember something and return the memory that says it now (S3)."""
        return (await self.remember(content, metadata, instructions=instructions)).memory

    async def remember(
        self, content: str, metadata: MemoryMetadata, *, instructions: Collection[str] = ()
    ) -> AddResult:
        """Remember something, and say what became of it and of known memories.

        What an agent remembers rests on a conversation or on a result, and must be found there; a
        `MemoryRefusedError` says by which rule it is not kept. `instructions` are what the agent
        was given: its system prompt, skills, and descriptions of tools.
        """
        source = await self._read_source(metadata)
        # A long result takes a while to compare.
        checked = await asyncio.to_thread(check_memory, content, metadata, source, instructions)
        now = self._clock()
        new = make_memory(checked, now)
        entry = await index_text(new.content, self._embedder, new.source.speaker)
        return await self._writer.write(new, entry, now)

    async def search(
        self,
        query: str,
        scope: MemoryScope | Sequence[MemoryScope],
        limit: int = MEMORY_TOP_K,
        *,
        search_type: SearchType = "hybrid",
        as_of: datetime | None = None,
        types: tuple[MemoryType, ...] = (),
    ) -> list[FoundMemory]:
        """Return the memories of one or more scopes that fit best, the best first (S3)."""
        scopes = (scope,) if isinstance(scope, MemoryScope) else tuple(scope)
        wanted = MemoryQuery(
            text=query,
            scopes=scopes,
            limit=limit,
            search_type=search_type,
            as_of=as_of,
            types=types,
        )
        return list((await self.find(wanted)).results)

    async def find(self, wanted: MemoryQuery) -> FoundMemories:
        """Search, and say with what: which embedder, which fusion, and what was missing."""
        return await self._search.search(wanted)

    async def get(self, memory_id: str, owner: MemoryOwner) -> Memory:
        """Return a memory of the owner; `NotFoundError` where there is none."""
        memory = await self._store.get(memory_id)
        if memory is None or not _is_of(memory.scope, owner):
            raise NotFoundError(f"There is no memory {memory_id[:80]!r}.")
        return memory

    async def get_many(self, memory_ids: Sequence[str], owner: MemoryOwner) -> list[Memory]:
        """Return those of the owner's memories that are there, in the order of their ids."""
        found = {one.id: one for one in await self._store.get_many(memory_ids)}
        known = (found.get(one) for one in memory_ids)
        return [one for one in known if one is not None and _is_of(one.scope, owner)]

    async def get_by_user(
        self, owner: MemoryOwner, options: MemoryQueryOptions | None = None
    ) -> list[Memory]:
        """Return a page of memories of the owner, the ones last recorded first (S3)."""
        wanted = options or MemoryQueryOptions()
        return await self._store.list_page(
            MemoryFilter(
                user_id=owner.user_id,
                kind=wanted.kind,
                assistant_id=wanted.assistant_id,
                project_id=wanted.project_id,
                types=wanted.types,
                with_past=wanted.with_past,
                session_id=wanted.session_id,
            ),
            self._clock(),
            limit=wanted.limit,
            after=wanted.after,
        )

    async def get_history(self, memory_id: str, owner: MemoryOwner) -> MemoryHistory:
        """Return a memory with the others about its subject, the newest first."""
        memory = await self.get(memory_id, owner)
        about = (
            await self._store.find_subject(memory.scope, memory.subject) if memory.subject else []
        )
        others = [one for one in about if one.id != memory.id]
        return MemoryHistory(
            memory=memory,
            history=tuple(sorted(others, key=lambda one: one.valid_from, reverse=True)),
        )

    async def update(
        self,
        memory_id: str,
        owner: MemoryOwner,
        version: int,
        *,
        content: str | None = None,
        type: MemoryType | None = None,  # noqa: A002 (S3's name of the property)
        expires_at: datetime | Keep | None = KEEP,
        valid_to: datetime | Keep | None = KEEP,
    ) -> Memory:
        """Change what a person may change; `version` is the one they were shown.

        What they write themselves is theirs: it rests on them from then on, not on its source.
        """
        changes = MemoryChanges(
            content=content, type=type, expires_at=expires_at, valid_to=valid_to
        )
        known = replace(await self.get(memory_id, owner), version=version)
        return await self._editor.change(known, changes, self._clock())

    async def mark_wrong(
        self,
        memory_id: str,
        owner: MemoryOwner,
        *,
        version: int | None = None,
        correction: str = "",
    ) -> WrongResult:
        """Retire a memory that was never true; what it had closed holds again."""
        known = await self.get(memory_id, owner)
        metadata = MemoryMetadata(scope=known.scope, type=known.type, subject=known.subject or None)
        if correction.strip():
            # A correction that cannot be kept changes nothing.
            check_memory(correction, metadata, None, ())
        now = self._clock()
        shown = known if version is None else replace(known, version=version)
        retired = await self._editor.retire(shown, now)
        if not correction.strip():
            return WrongResult(memory=retired)
        replacement = await self.add(correction, metadata)
        retired = await self._store.save(replace(retired, replaced_by=replacement.id))
        return WrongResult(memory=retired, replacement=replacement)

    async def delete(self, memory_id: str, owner: MemoryOwner) -> ForgetReceipt:
        """Forget a memory, and show that nothing of it is left (S3)."""
        memory = await self.get(memory_id, owner)
        return await self._eraser.forget(memory, owner, self._clock())

    async def cleanup(self, scope: MemoryScope | None, older_than: datetime) -> int:
        """Remove memories whose expiry is at or before a moment; say how many (S3).

        Of all scopes, where none is named. What has not expired yet stays.
        """
        until = min(older_than, self._clock())
        removed = 0
        while expired := await self._store.find_expired(until, MEMORY_CLEANUP_BATCH, scope):
            await self._store.remove([memory.id for memory in expired])
            removed += len(expired)
        return removed

    async def import_turns(
        self, scope: MemoryScope, conversation_id: str, turns: Sequence[Turn]
    ) -> ImportReport:
        """Import a conversation that was held elsewhere, in the order it was said."""
        return await self._importer.run(scope, conversation_id, turns, self._clock())

    async def export(self, owner: MemoryOwner) -> AsyncGenerator[Memory]:
        """Give every memory of the owner, also past ones (`transfer/memory_lines.py`)."""
        async for memory in self._list_all(owner):
            yield memory

    async def doctor(self, owner: MemoryOwner) -> DoctorReport:
        """Look for what is unclean in what the owner has now."""
        return (await self._examine(owner)).report()

    async def tidy(self, owner: MemoryOwner) -> TidyReport:
        """Put right what the doctor finds; a nightly job does it for each person."""
        examination = await self._examine(owner)
        return await self._tidier.treat(examination.found, owner, self._clock())

    async def note_used(self, memories: Sequence[Memory]) -> None:
        """Count that memories were put before a model, or looked at."""
        await self._store.note_access([memory.id for memory in memories], self._clock())

    async def _examine(self, owner: MemoryOwner) -> Examination:
        memories = [
            one
            async for one in self._list_all(owner)
            if one.retired_at is None and (one.valid_to is None or one.valid_to > self._clock())
        ]
        return await examine(memories, self._sources, self._clock())

    async def _read_source(self, metadata: MemoryMetadata) -> SourceText | None:
        if metadata.source.kind == "manual" or self._sources is None:
            return None
        return await self._sources.read(metadata.source, metadata.scope)

    async def _list_all(self, owner: MemoryOwner) -> AsyncGenerator[Memory]:
        """Give all memories of the owner, page by page; expired ones are among them."""
        after: str | None = None
        while True:
            options = MemoryQueryOptions(with_past=True, limit=MEMORIES_PAGE_MAX, after=after)
            page = await self.get_by_user(owner, options)
            for memory in page:
                yield memory
            if len(page) < MEMORIES_PAGE_MAX:
                return
            after = page[-1].id


def _is_of(scope: MemoryScope, owner: MemoryOwner) -> bool:
    return scope.user_id == owner.user_id and scope.tenant_id == owner.tenant_id
