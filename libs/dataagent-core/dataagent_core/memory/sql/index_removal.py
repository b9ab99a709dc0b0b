"""Removes the index of a user: all documents of some kinds, and scopes in which nothing is left."""

from collections import Counter
from collections.abc import Sequence

from dataagent_core.memory.search_index import DocumentKind
from dataagent_core.memory.sql.index_writes import unindex_documents
from dataagent_core.memory.sql.scope_numbers import list_user_scopes
from dataagent_core.session.stores.sql.connection import SqlConnection
from dataagent_core.session.stores.sql.dialect import placeholders


def remove_user_index(
    connection: SqlConnection, tenant_id: str, user_id: str, kinds: Sequence[DocumentKind]
) -> Counter[str]:
    """Remove a user's documents of these kinds; say how many rows of which table went."""
    removed: Counter[str] = Counter()
    for scope_no in list_user_scopes(connection, tenant_id, user_id):
        for kind in kinds:
            rows = connection.execute(
                "SELECT id FROM memory_documents WHERE scope_no = ? AND kind = ?", (scope_no, kind)
            ).fetchall()
            removed += unindex_documents(connection, tenant_id, kind, [row[0] for row in rows])
        known = placeholders(len(kinds))
        connection.execute(
            f"DELETE FROM memory_indexes WHERE scope_no = ? AND kind IN ({known})",
            (scope_no, *kinds),
        )
        # The other kinds are removed by their own store, and the scope with the last of them.
        removed["memory_scopes"] += connection.execute(
            "DELETE FROM memory_scopes WHERE number = ? AND NOT EXISTS "
            "(SELECT 1 FROM memory_indexes AS i WHERE i.scope_no = memory_scopes.number)",
            (scope_no,),
        ).rowcount
    return removed
