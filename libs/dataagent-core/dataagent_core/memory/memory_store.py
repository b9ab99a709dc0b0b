"""The port `MemoryStore`: the memories of one tenant.

A memory is saved only over the version it was read as; otherwise `ConflictError` says so. Which
memory is kept, merged or closed is decided by `MemoryService`; who may see it by its scope.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from dataagent_core.memory.memory import Memory, MemoryScope, MemoryType, ScopeKind
from dataagent_core.memory.search_index import IndexEntry, SearchIndex


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFilter:
    """Which memories are listed: always of one user."""

    user_id: str
    kind: ScopeKind | None = None
    assistant_id: str | None = None
    project_id: str | None = None
    types: tuple[MemoryType, ...] = ()
    # Memories that are closed, retired or expired too.
    with_past: bool = False
    session_id: str | None = None


@dataclass(frozen=True, slots=True)
class SourceSpan:
    """Events of one session, both included, as a memory's source names them."""

    scope: MemoryScope
    session_id: str
    seq_first: int
    seq_last: int


@dataclass(frozen=True, slots=True)
class MemoryPlace:
    """Where in a conversation a memory comes from: the first event it rests on."""

    id: str
    scope: MemoryScope
    session_id: str
    seq: int


class MemoryStore(SearchIndex):
    """Stores memories of one tenant; those of another are not seen."""

    @abstractmethod
    async def add(self, memory: Memory, entry: IndexEntry, closes: Sequence[Memory] = ()) -> Memory:
        """Store a memory with its first version, and save those that it closes, or nothing.

        A known id is a `ConflictError`, one more than `MEMORIES_MAX` of a user a
        `LimitReachedError`.
        """

    async def add_many(self, memories: Sequence[tuple[Memory, IndexEntry]]) -> None:
        """Store many memories; a store whose transactions take time stores them in one."""
        for memory, entry in memories:
            await self.add(memory, entry)

    @abstractmethod
    async def get(self, memory_id: str) -> Memory | None:
        """Return a memory."""

    @abstractmethod
    async def save(self, memory: Memory, entry: IndexEntry | None = None) -> Memory:
        """Replace a memory and return it with its new version; `entry` if its text is another.

        Another version in the store is a `ConflictError`, an unknown id a `NotFoundError`.
        """

    @abstractmethod
    async def remove(self, memory_ids: Sequence[str]) -> Mapping[str, int]:
        """Remove memories with their words and vectors; say how many rows of which table went."""

    @abstractmethod
    async def list_page(
        self, wanted: MemoryFilter, now: datetime, *, limit: int, after: str | None = None
    ) -> list[Memory]:
        """Return memories, the ones last recorded first; `after` is the id of the last one seen."""

    @abstractmethod
    async def list_scopes(self, user_id: str) -> list[MemoryScope]:
        """Return the scopes in which a user has memories."""

    @abstractmethod
    async def find_same(self, scope: MemoryScope, digest: str) -> list[Memory]:
        """Return memories of a scope whose text has a digest (`text_digest.digest_text`)."""

    @abstractmethod
    async def find_subject(self, scope: MemoryScope, subject: str) -> list[Memory]:
        """Return memories of a scope about a subject, also closed ones."""

    async def find_known(
        self, scope: MemoryScope, digests: Sequence[str], subjects: Sequence[str]
    ) -> list[Memory]:
        """Return memories of a scope with any of these digests, or about any of these subjects.

        A store whose calls take time answers with one read.
        """
        same = [await self.find_same(scope, digest) for digest in digests]
        about = [await self.find_subject(scope, subject) for subject in subjects]
        return list({one.id: one for found in (*same, *about) for one in found}.values())

    @abstractmethod
    async def find_by_source(
        self, scope: MemoryScope, session_id: str, seq_first: int, seq_last: int
    ) -> list[Memory]:
        """Return memories of a scope that rest on events of a session between two numbers."""

    # The three that follow read much at once for a search. A store whose calls take time answers
    # each with one statement.
    async def get_many(self, memory_ids: Sequence[str]) -> list[Memory]:
        """Return those of the memories that are there, in any order."""
        found = [await self.get(memory_id) for memory_id in memory_ids]
        return [memory for memory in found if memory is not None]

    async def find_by_spans(self, spans: Sequence[SourceSpan], limit: int) -> list[Memory]:
        """Return memories that rest on events of any of the spans, also closed ones."""
        found = {
            memory.id: memory
            for span in spans
            for memory in await self.find_by_source(
                span.scope, span.session_id, span.seq_first, span.seq_last
            )
        }
        return list(found.values())[:limit]

    async def find_places(self, spans: Sequence[SourceSpan], limit: int) -> list[MemoryPlace]:
        """Return the places of memories that rest on events of any of the spans."""
        return [
            MemoryPlace(one.id, one.scope, one.source.session_id, one.source.seq_first)
            for one in await self.find_by_spans(spans, limit)
        ]

    @abstractmethod
    async def find_by_episodes(
        self, scopes: Sequence[MemoryScope], episode_ids: Sequence[str], limit: int
    ) -> list[Memory]:
        """Return memories that came from any of the episodes, also closed ones."""

    @abstractmethod
    async def find_expired(
        self, older_than: datetime, limit: int, scope: MemoryScope | None = None
    ) -> list[Memory]:
        """Return memories whose expiry is at or before a moment: of a scope, or of all."""

    @abstractmethod
    async def note_access(self, memory_ids: Sequence[str], at: datetime) -> None:
        """Count that memories were used."""

    @abstractmethod
    async def remove_user(self, user_id: str) -> Mapping[str, int]:
        """Remove everything of a user; say how many rows of which table went."""

    @abstractmethod
    async def scan(self, text: str, user_id: str) -> Mapping[str, int]:
        """Count the rows of a user in each table that hold a text: the proof that it is gone.

        It counts as whole words, as it is forgotten: "AI" is not in "MAIN". What others
        keep is not counted: it would tell one person what another has said.
        """
