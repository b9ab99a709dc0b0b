"""Writes of the index: documents come, change and go, within the caller's transaction."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dataagent_core.config.limits.memory import INDEX_WORDS_MAX
from dataagent_core.memory.search_index import DocumentKey, DocumentKind, IndexEntry
from dataagent_core.memory.sql.document_span import DocumentSpan
from dataagent_core.memory.sql.index_state import note_change
from dataagent_core.memory.sql.memory_tables import MEMORY_WORDS
from dataagent_core.memory.sql.stored_vector import insert_vector
from dataagent_core.memory.sql.word_hash import hash_word, pack_hashes, unpack_hashes
from dataagent_core.session.stores.sql.connection import SqlConnection, insert_rows
from dataagent_core.session.stores.sql.dialect import (
    KEYS_PER_STATEMENT_MAX,
    index_key,
    insert,
    placeholders,
)

_COLUMNS: Final = (
    "tenant_id",
    "scope_no",
    "kind",
    "id",
    "length",
    "words",
    "since_us",
    "until_us",
    "embedder",
)
_KEY: Final = "WHERE tenant_id = ? AND kind = ? AND id = ?"


@dataclass(frozen=True, slots=True)
class _Document:
    number: int
    scope_no: int
    id: str
    length: int
    words: tuple[int, ...]
    embedder: str


def index_document(
    connection: SqlConnection,
    tenant_id: str,
    scope_no: int,
    key: DocumentKey,
    *,
    entry: IndexEntry,
    span: DocumentSpan,
) -> None:
    """Index a document, in the place of what is known of it."""
    unindex_documents(connection, tenant_id, key.kind, [key.id])
    hits = Counter({hash_word(key.kind, word): count for word, count in entry.words.items()})
    length = hits.total()
    # Of a text with more words, those that stand in it most often.
    indexed = dict(hits.most_common(INDEX_WORDS_MAX))
    revision = note_change(connection, scope_no, key.kind, documents=1, words=length)
    # A vector alone decides whether the text has one: who made it is nothing without it.
    embedder = "" if entry.vector is None else index_key(entry.embedder, connection.dialect.name)
    values = (tenant_id, scope_no, key.kind, key.id, length, pack_hashes(indexed))
    connection.execute(
        insert("memory_documents", _COLUMNS), (*values, span.since_us, span.until_us, embedder)
    )
    found = connection.execute(
        f"SELECT number FROM memory_documents {_KEY}", (tenant_id, key.kind, key.id)
    )
    number: int = found.fetchone()[0]
    insert_rows(
        connection,
        insert(MEMORY_WORDS.name, tuple(MEMORY_WORDS.columns)),
        [(scope_no, word, number, count, length) for word, count in indexed.items()],
    )
    if entry.vector is not None:
        insert_vector(
            connection,
            entry.embedder,
            entry.vector,
            document=number,
            scope_no=scope_no,
            kind=key.kind,
            revision=revision,
        )


def move_document(
    connection: SqlConnection, tenant_id: str, key: DocumentKey, span: DocumentSpan
) -> None:
    """Change when a document counts."""
    values = (tenant_id, key.kind, key.id)
    found = connection.execute(
        f"SELECT number, scope_no, since_us, until_us FROM memory_documents {_KEY}", values
    ).fetchone()
    if found is None or (found[2], found[3]) == (span.since_us, span.until_us):
        return
    revision = note_change(connection, found[1], key.kind)
    connection.execute(
        "UPDATE memory_documents SET since_us = ?, until_us = ? WHERE number = ?",
        (span.since_us, span.until_us, found[0]),
    )
    connection.execute(
        "UPDATE memory_vectors SET revision = ? WHERE document = ?", (revision, found[0])
    )


def unindex_documents(
    connection: SqlConnection, tenant_id: str, kind: DocumentKind, ids: Sequence[str]
) -> Counter[str]:
    """Remove documents with their words and vectors; say how many rows of which table went."""
    removed: Counter[str] = Counter()
    for start in range(0, len(ids), KEYS_PER_STATEMENT_MAX):
        for document in _read(
            connection, tenant_id, kind, ids[start : start + KEYS_PER_STATEMENT_MAX]
        ):
            _remove(connection, kind, document, removed)
    return removed


def _remove(
    connection: SqlConnection, kind: DocumentKind, document: _Document, removed: Counter[str]
) -> None:
    note_change(
        connection,
        document.scope_no,
        kind,
        documents=-1,
        words=-document.length,
        removals=1 if document.embedder else 0,
    )
    for start in range(0, len(document.words), KEYS_PER_STATEMENT_MAX):
        words = document.words[start : start + KEYS_PER_STATEMENT_MAX]
        removed["memory_words"] += connection.execute(
            f"DELETE FROM memory_words WHERE scope_no = ? AND word IN ({placeholders(len(words))}) "
            "AND document = ?",
            (document.scope_no, *words, document.number),
        ).rowcount
    for table, column in (("memory_vectors", "document"), ("memory_documents", "number")):
        statement = f"DELETE FROM {table} WHERE {column} = ?"
        removed[table] += connection.execute(statement, (document.number,)).rowcount


def _read(
    connection: SqlConnection, tenant_id: str, kind: DocumentKind, ids: Sequence[str]
) -> list[_Document]:
    rows = connection.execute(
        "SELECT number, scope_no, id, length, words, embedder FROM memory_documents "
        f"WHERE tenant_id = ? AND kind = ? AND id IN ({placeholders(len(ids))}) ORDER BY number",
        (tenant_id, kind, *ids),
    ).fetchall()
    return [
        _Document(number, scope_no, id_, length, unpack_hashes(words), embedder)
        for number, scope_no, id_, length, words, embedder in rows
    ]
