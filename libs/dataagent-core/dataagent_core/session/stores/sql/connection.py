"""The connection that statements run over: a protocol that `sqlite3`'s connection satisfies.

Statements have `?` for their values. An adapter for a driver with other marks translates them.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Protocol, TypeVar

from dataagent_core.session.stores.sql.dialect import SqlDialect, placeholders

T = TypeVar("T")
# PostgreSQL takes 65,535 values.
_ROWS_PER_STATEMENT_MAX: Final = 1_000


class SqlCursor(Protocol):
    """The result of a statement."""

    @property
    def rowcount(self) -> int:
        """How many rows were changed or, by an update, matched."""
        ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> Sequence[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class SqlConnection(Protocol):
    """A connection inside a transaction, or one that only reads."""

    @property
    def dialect(self) -> SqlDialect: ...

    def execute(self, statement: str, parameters: Sequence[Any] = (), /) -> SqlCursor: ...

    def executemany(self, statement: str, rows: Sequence[Sequence[Any]], /) -> object:
        """Run a statement for each row; the number of changed rows is unknown."""
        ...


class SqlDatabase(Protocol):
    """An open database; it runs functions over its connection in the connection's thread."""

    async def read(self, work: Callable[[SqlConnection], T], /) -> T:
        """Run `work`, which writes nothing."""
        ...

    async def write(self, work: Callable[[SqlConnection], T], /) -> T:
        """Run `work` in one transaction that is kept only if it returns; it may run again."""
        ...


def insert_rows(connection: SqlConnection, statement: str, rows: Sequence[Sequence[Any]]) -> None:
    """Run an insert, written for one row, for some rows in as few statements as may be."""
    if not rows:
        return
    if connection.dialect.name != "postgresql":
        connection.executemany(statement, rows)
        return
    # One statement for many rows; the driver would send one for each.
    marks = f"({placeholders(len(rows[0]))})"
    for start in range(0, len(rows), _ROWS_PER_STATEMENT_MAX):
        some = rows[start : start + _ROWS_PER_STATEMENT_MAX]
        several = statement.replace(marks, ", ".join([marks] * len(some)), 1)
        connection.execute(several, [value for row in some for value in row])
