"""What a statement runs over: a protocol that `sqlite3`'s own connection satisfies.

Statements have `?` for their values. An adapter for a driver with other marks translates them.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Protocol, TypeVar

from dataagent_core.session.stores.sql.dialect import SqlDialect, insert, placeholders

T = TypeVar("T")
# PostgreSQL takes 65,535 values.
_ROWS_PER_STATEMENT_MAX: Final = 1_000


class SqlCursor(Protocol):
    """What a statement answered."""

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
        """Run a statement for each row; what it changed cannot be told."""
        ...


class SqlDatabase(Protocol):
    """An open database: a function over a connection is sent to where the connection lives."""

    async def read(self, work: Callable[[SqlConnection], T], /) -> T:
        """Run `work`, which writes nothing."""
        ...

    async def write(self, work: Callable[[SqlConnection], T], /) -> T:
        """Run `work` in one transaction that is kept only if it returns; it may run again."""
        ...


def insert_rows(
    connection: SqlConnection,
    table: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    on_conflict: str = "",
) -> None:
    """Insert some rows in few statements."""
    if not rows:
        return
    statement = insert(table, columns)
    if connection.dialect.name != "postgresql":
        connection.executemany(f"{statement} {on_conflict}", rows)
        return
    # One statement for many rows; the driver would send one for each.
    more = f", ({placeholders(len(columns))})"
    for start in range(0, len(rows), _ROWS_PER_STATEMENT_MAX):
        some = rows[start : start + _ROWS_PER_STATEMENT_MAX]
        values = [value for row in some for value in row]
        connection.execute(f"{statement}{more * (len(some) - 1)} {on_conflict}", values)
