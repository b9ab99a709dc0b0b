"""What a statement runs over: a protocol that `sqlite3`'s own connection satisfies.

Statements have `?` for their values. An adapter for a driver with other marks translates them.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from dataagent_core.session.stores.sql.dialect import SqlDialect

T = TypeVar("T")


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
