"""What an index says of itself: how much is in it, and at which revision it is.

Each change takes the row first, so two who change the index of one scope do so one after the other,
and revisions become visible in their order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, cast

from dataagent_core.memory.search_index import DocumentKind
from dataagent_core.session.stores.sql.connection import SqlConnection
from dataagent_core.session.stores.sql.dialect import insert_ignore, placeholders

_KEY: Final = ("scope_no", "kind")
_ONE: Final = "WHERE scope_no = ? AND kind = ?"


@dataclass(frozen=True, slots=True)
class IndexState:
    """The state of the documents of one kind in one scope."""

    scope_no: int
    kind: DocumentKind
    documents: int
    words: int
    revision: int
    removals: int


def read_states(
    connection: SqlConnection, scope_numbers: Sequence[int], kinds: Sequence[DocumentKind]
) -> list[IndexState]:
    """Return the states of indexes that have documents or had some."""
    if not scope_numbers or not kinds:
        return []
    rows = connection.execute(
        "SELECT scope_no, kind, documents, words, revision, removals FROM memory_indexes "
        f"WHERE scope_no IN ({placeholders(len(scope_numbers))}) "
        f"AND kind IN ({placeholders(len(kinds))})",
        (*scope_numbers, *kinds),
    )
    return [IndexState(row[0], cast("DocumentKind", row[1]), *row[2:]) for row in rows]


def note_change(
    connection: SqlConnection,
    scope_no: int,
    kind: DocumentKind,
    *,
    documents: int = 0,
    words: int = 0,
    removals: int = 0,
) -> int:
    """Note a change of an index and return its new revision."""
    changes = (documents, words, removals, scope_no, kind)
    if not _add(connection, changes):
        connection.execute(
            insert_ignore(connection.dialect.name, "memory_indexes", _KEY), (scope_no, kind)
        )
        _add(connection, changes)
    statement = f"SELECT revision FROM memory_indexes {_ONE}"
    return connection.execute(statement, (scope_no, kind)).fetchone()[0]


def _add(connection: SqlConnection, changes: tuple[object, ...]) -> int:
    return connection.execute(
        "UPDATE memory_indexes SET documents = documents + ?, words = words + ?, "
        f"removals = removals + ?, revision = revision + 1 {_ONE}",
        changes,
    ).rowcount
