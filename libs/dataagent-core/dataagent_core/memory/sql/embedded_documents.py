"""Which documents have a vector of which embedder: what is left to embed, and its vectors."""

from collections.abc import Mapping, Sequence
from typing import Final

from dataagent_core.memory.memory import MemoryScope
from dataagent_core.memory.search_index import DocumentKey, DocumentKind
from dataagent_core.memory.sql.index_state import note_change
from dataagent_core.memory.sql.scope_numbers import read_scopes
from dataagent_core.memory.sql.stored_vector import insert_vector
from dataagent_core.models.embeddings.embedder import Vector
from dataagent_core.session.stores.sql.connection import SqlConnection
from dataagent_core.session.stores.sql.dialect import index_key

# Two ranges of an index, which `<>` is not.
_OTHERS: Final = tuple(
    "SELECT number, scope_no, id FROM memory_documents "
    f"WHERE tenant_id = ? AND kind = ? AND embedder {sign} ? LIMIT ?"
    for sign in ("<", ">")
)


def list_unembedded(
    connection: SqlConnection,
    tenant_id: str,
    kinds: Sequence[DocumentKind],
    embedder: str,
    limit: int,
) -> list[tuple[MemoryScope, DocumentKey]]:
    """List documents without a vector of this embedder."""
    name = index_key(embedder, connection.dialect.name)
    found: list[tuple[int, DocumentKey]] = []
    for kind in kinds:
        for statement in _OTHERS:
            left = limit - len(found)
            rows = connection.execute(statement, (tenant_id, kind, name, left)) if left > 0 else ()
            found += [(scope_no, DocumentKey(kind, id_)) for _, scope_no, id_ in rows]
    scopes = read_scopes(connection, tenant_id, list({scope_no for scope_no, _ in found}))
    return [(scopes[scope_no], key) for scope_no, key in found]


def save_vectors(
    connection: SqlConnection,
    tenant_id: str,
    kinds: Sequence[DocumentKind],
    embedder: str,
    vectors: Mapping[DocumentKey, Vector],
) -> None:
    """Store vectors of documents that are still there, in the place of others."""
    # In one order, so that two who do so do not wait for each other.
    for key in sorted(vectors, key=lambda one: (one.kind, one.id)):
        if key.kind in kinds:
            _save_vector(connection, tenant_id, key, embedder, vectors[key])


def _save_vector(
    connection: SqlConnection, tenant_id: str, key: DocumentKey, embedder: str, vector: Vector
) -> None:
    row = connection.execute(
        "SELECT number, scope_no, embedder FROM memory_documents "
        f"WHERE tenant_id = ? AND kind = ? AND id = ?{connection.dialect.for_update}",
        (tenant_id, key.kind, key.id),
    ).fetchone()
    if row is None:
        return
    number, scope_no, before = row
    revision = note_change(connection, scope_no, key.kind, removals=1 if before else 0)
    connection.execute("DELETE FROM memory_vectors WHERE document = ?", (number,))
    insert_vector(
        connection,
        embedder,
        vector,
        document=number,
        scope_no=scope_no,
        kind=key.kind,
        revision=revision,
    )
    connection.execute(
        "UPDATE memory_documents SET embedder = ? WHERE number = ?",
        (index_key(embedder, connection.dialect.name), number),
    )
