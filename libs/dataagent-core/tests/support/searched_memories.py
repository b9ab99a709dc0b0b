"""Memories to search, in a file, and embedders that fail or change."""

import asyncio
from array import array
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from dataagent_core.errors import ModelUnavailableError
from dataagent_core.memory.memory import Memory, MemoryScope, MemorySource
from dataagent_core.memory.memory_store import MemoryStore
from dataagent_core.memory.search.found_memory import FoundMemories
from dataagent_core.memory.search.hybrid_search import HybridSearch
from dataagent_core.memory.search.index_text import index_text
from dataagent_core.memory.search.memory_query import MemoryQuery
from dataagent_core.memory.search_terms import SearchType
from dataagent_core.memory.sql.store.sqlite_memory_store import open_memory_store
from dataagent_core.models.embeddings import Embedder, Vector
from dataagent_core.models.embeddings.local.wordllama_embedder import WordLlamaEmbedder

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SCOPE = MemoryScope.of_user("t", "ada", "helper")
LOCAL = WordLlamaEmbedder()


class BrokenEmbedder:
    """Cannot be reached."""

    name = "broken"

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        raise ModelUnavailableError(f"The embeddings of {len(texts)} texts cannot be had now.")


class HangingEmbedder:
    """Never answers."""

    name = "hanging"

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        await asyncio.Event().wait()
        return [array("f") for _ in texts]


class StrangeEmbedder:
    """Answers with what is no vector."""

    name = "strange"

    def __init__(self, answer: list[Vector]) -> None:
        self._answer = answer

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        del texts
        return self._answer


class LetterEmbedder:
    """Counts letters: another model, with vectors of another length."""

    def __init__(self, letters: str = "abcdefgh") -> None:
        self.name = f"letters:{letters}"
        self._letters = letters
        self.asked: list[int] = []

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.asked.append(len(texts))
        return [array("f", [float(text.count(one)) for one in self._letters]) for text in texts]


class Memories:
    """Memories of one person in a file; each is added with the embedder of that moment."""

    def __init__(self, path: Path, embedder: Embedder | None = LOCAL) -> None:
        self.store: MemoryStore = open_memory_store(path / "memory.db", "t")
        self.embedder = embedder
        self._count = 0

    async def add(
        self,
        content: str,
        *,
        session: str = "",
        seq: int = 0,
        speaker: str = "",
        days_old: float = 1,
        **changes: object,
    ) -> Memory:
        """Add a memory; its id is `m1`, `m2` and so on."""
        self._count += 1
        at = NOW - timedelta(days=days_old)
        source = MemorySource(session_id=session, seq_first=seq, seq_last=seq, speaker=speaker)
        memory = Memory(
            id=f"m{self._count}",
            scope=SCOPE,
            type="fact",
            content=content,
            source=source,
            confidence=1.0,
            valid_from=at,
            recorded_at=at,
            updated_at=at,
        )
        memory = replace(memory, **changes)  # pyright: ignore[reportArgumentType]
        entry = await index_text(content, self.embedder, speaker)
        return await self.store.add(memory, entry)

    async def search(
        self,
        query: str,
        search_type: SearchType = "hybrid",
        *,
        limit: int = 10,
        scopes: Sequence[MemoryScope] = (SCOPE,),
        **asked: object,
    ) -> FoundMemories:
        """Search with the embedder of that moment."""
        search = HybridSearch(self.store, None, self.embedder, clock=lambda: NOW)
        wanted = MemoryQuery(text=query, scopes=scopes, limit=limit, search_type=search_type)
        return await search.search(
            replace(wanted, **asked)  # pyright: ignore[reportArgumentType]
        )


def list_ids(found: FoundMemories) -> list[str]:
    """List the ids of the results, the best first."""
    return [one.memory.id for one in found.results]
