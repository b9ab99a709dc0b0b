"""The texts by which episodes and entities are found."""

from collections.abc import Sequence
from typing import Any

from dataagent_core.memory.graph.entity_names import join_names
from dataagent_core.memory.graph.sql.graph_rows import decode_json
from dataagent_core.memory.graph.sql.graph_view import split
from dataagent_core.memory.search_index import DocumentKey, DocumentKind
from dataagent_core.session.stores.sql.connection import SqlConnection
from dataagent_core.session.stores.sql.dialect import decode_text, placeholders


def read_texts(
    connection: SqlConnection, tenant_id: str, keys: Sequence[DocumentKey]
) -> dict[DocumentKey, str]:
    """Return the texts of documents that are still there."""

    def read(kind: DocumentKind, table: str, columns: str) -> list[Any]:
        rows: list[Any] = []
        for some in split([key.id for key in keys if key.kind == kind]):
            rows += connection.execute(
                f"SELECT id, {columns} FROM {table} WHERE tenant_id = ? "
                f"AND id IN ({placeholders(len(some))})",
                [tenant_id, *some],
            ).fetchall()
        return rows

    episodes = read("episode", "graph_episodes", "content")
    entities = read("entity", "graph_entities", "name, aliases")
    texts = {DocumentKey("episode", row[0]): decode_text(row[1]) for row in episodes}
    return texts | {
        DocumentKey("entity", row[0]): join_names(decode_text(row[1]), decode_json(row[2]))
        for row in entities
    }
