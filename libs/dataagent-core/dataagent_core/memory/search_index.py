"""What a store keeps of a text so that it is found: its words and its vector.

Memories, episodes and entities are documents of one index. A store answers the legs of a search
(`match_words`, `match_vector`); what is made of them is decided in `search/`.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from dataagent_core.memory.memory import MemoryScope
from dataagent_core.models.embeddings import Vector

DocumentKind = Literal["memory", "episode", "entity"]


@dataclass(frozen=True, slots=True)
class DocumentKey:
    """Which document it is."""

    kind: DocumentKind
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexEntry:
    """A document as the index keeps it, made by `search/index_text.py`."""

    # Stems of words, and pairs of Chinese signs, with how often each stands in the text.
    words: Mapping[str, int]
    # The embedder that made the vector; empty while there is none.
    embedder: str = ""
    vector: "Vector | None" = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MeaningQuery:
    """The vector of what is searched, and the embedder that made it."""

    embedder: str
    vector: Vector


@dataclass(frozen=True, slots=True)
class Match:
    """A document that a leg of a search found; more is better, from 0 to no bound."""

    key: DocumentKey
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchedTime:
    """Which documents count: those that hold at `now`, or those that were true at `as_of`."""

    now: datetime
    as_of: datetime | None = None


class SearchIndex(ABC):
    """The documents of one tenant. Every call names the scopes it looks into."""

    @abstractmethod
    async def match_words(
        self,
        scopes: Sequence[MemoryScope],
        words: Sequence[str],
        kinds: Sequence[DocumentKind],
        time: SearchedTime,
        limit: int,
    ) -> list[Match]:
        """Return the best documents by BM25, the best first.

        A word counts as often as it is listed: so words of a query have weights.
        """

    @abstractmethod
    async def match_vector(
        self,
        scopes: Sequence[MemoryScope],
        query: MeaningQuery,
        kinds: Sequence[DocumentKind],
        time: SearchedTime,
        limit: int,
    ) -> list[Match]:
        """Return the nearest documents by cosine, the nearest first.

        Vectors of another embedder, or of another length, do not count.
        """

    @abstractmethod
    async def list_unembedded(
        self, embedder: str, limit: int
    ) -> list[tuple[MemoryScope, DocumentKey, str]]:
        """List documents without a vector of this embedder, with their texts."""

    @abstractmethod
    async def save_vectors(self, embedder: str, vectors: Mapping[DocumentKey, Vector]) -> None:
        """Store vectors of documents that are still there, in the place of others."""
