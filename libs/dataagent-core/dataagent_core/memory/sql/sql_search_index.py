"""`SearchIndex` in an SQL database, for the kinds of documents of one store."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from dataagent_core.memory.memory import MemoryScope
from dataagent_core.memory.search_index import (
    DocumentKey,
    DocumentKind,
    Match,
    MeaningQuery,
    SearchedTime,
    SearchIndex,
)
from dataagent_core.memory.sql import embedded_documents
from dataagent_core.memory.sql.document_span import SearchedMoment
from dataagent_core.memory.sql.memory_database import MemoryDatabase
from dataagent_core.memory.sql.scope_numbers import find_scopes
from dataagent_core.memory.sql.vector_match import match_vector
from dataagent_core.memory.sql.word_match import match_words
from dataagent_core.models.embeddings.embedder import Vector
from dataagent_core.session.stores.sql.connection import SqlConnection


class SqlSearchIndex(SearchIndex):
    """The documents of one tenant, of the kinds that a subclass names."""

    kinds: ClassVar[tuple[DocumentKind, ...]]

    def __init__(self, database: MemoryDatabase, tenant_id: str) -> None:
        self._database = database
        self._tenant_id = tenant_id

    async def match_words(
        self,
        scopes: Sequence[MemoryScope],
        words: Sequence[str],
        kinds: Sequence[DocumentKind],
        time: SearchedTime,
        limit: int,
    ) -> list[Match]:
        def match(connection: SqlConnection) -> list[Match]:
            numbers = list(find_scopes(connection, self._tenant_id, scopes))
            return match_words(
                connection,
                numbers,
                words,
                self._own(kinds),
                moment=SearchedMoment.of(time),
                limit=limit,
            )

        return await self._database.read(match)

    async def match_vector(
        self,
        scopes: Sequence[MemoryScope],
        query: MeaningQuery,
        kinds: Sequence[DocumentKind],
        time: SearchedTime,
        limit: int,
    ) -> list[Match]:
        return await match_vector(
            self._database,
            self._tenant_id,
            scopes,
            query,
            self._own(kinds),
            moment=SearchedMoment.of(time),
            limit=limit,
        )

    async def list_unembedded(
        self, embedder: str, limit: int
    ) -> list[tuple[MemoryScope, DocumentKey, str]]:
        def find(connection: SqlConnection) -> list[tuple[MemoryScope, DocumentKey, str]]:
            found = embedded_documents.list_unembedded(
                connection, self._tenant_id, self.kinds, embedder, limit
            )
            texts = self._read_texts(connection, [key for _, key in found])
            return [(scope, key, texts[key]) for scope, key in found if key in texts]

        return await self._database.read(find)

    async def save_vectors(self, embedder: str, vectors: Mapping[DocumentKey, Vector]) -> None:
        await self._database.write(
            lambda connection: embedded_documents.save_vectors(
                connection, self._tenant_id, self.kinds, embedder, vectors
            )
        )

    @abstractmethod
    def _read_texts(
        self, connection: SqlConnection, keys: Sequence[DocumentKey]
    ) -> Mapping[DocumentKey, str]:
        """Return the texts of documents that are there."""

    def _own(self, kinds: Sequence[DocumentKind]) -> list[DocumentKind]:
        return [kind for kind in self.kinds if kind in kinds]
