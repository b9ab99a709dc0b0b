"""Reads those of many documents that count at a moment, in their order, until there are enough."""

from collections.abc import Sequence
from typing import Final, cast

from dataagent_core.memory.search_index import DocumentKey, DocumentKind
from dataagent_core.memory.sql.document_span import SearchedMoment
from dataagent_core.session.stores.sql.connection import SqlConnection
from dataagent_core.session.stores.sql.dialect import placeholders

# Read at once, so that one statement is enough where few are closed.
_READ_MIN: Final = 100


def read_counted(
    connection: SqlConnection,
    scope_numbers: Sequence[int],
    numbers: Sequence[int],
    moment: SearchedMoment,
    limit: int,
) -> dict[int, DocumentKey]:
    """Return the first documents that are still in these scopes and count, by number."""
    found: dict[int, DocumentKey] = {}
    step = max(limit, _READ_MIN)
    for start in range(0, len(numbers), step):
        some = numbers[start : start + step]
        rows = connection.execute(
            "SELECT number, scope_no, kind, id, since_us, until_us FROM memory_documents "
            f"WHERE number IN ({placeholders(len(some))})",
            some,
        )
        # Not a condition of the statement: SQLite would read all documents of the scope by it.
        counting = {
            number: DocumentKey(cast("DocumentKind", kind), id_)
            for number, scope_no, kind, id_, since_us, until_us in rows
            if scope_no in scope_numbers and moment.counts(since_us, until_us)
        }
        for number in some:
            if number in counting:
                found[number] = counting[number]
                if len(found) == limit:
                    return found
    return found
