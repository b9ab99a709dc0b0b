"""A connection that sees the rows of some scopes, and no others.

The condition of every statement on rows of the graph is written here, so that none is without it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeVar

from dataagent_core.memory.memory import MemoryScope
from dataagent_core.session.stores.sql.connection import SqlConnection
from dataagent_core.session.stores.sql.dialect import placeholders

T = TypeVar("T")
# SQLite took 999 values in a statement for long.
VALUES_PER_STATEMENT_MAX: Final = 500


@dataclass(frozen=True, slots=True)
class GraphView:
    """The rows of some scopes of a tenant."""

    connection: SqlConnection
    tenant_id: str
    # By number; a scope in which nothing was stored has none.
    scopes: Mapping[int, MemoryScope]

    def within(self, alias: str = "", *, searched: bool = False) -> str:
        """Write the condition that a row is of one of the scopes, for `scope_numbers`.

        Rows are `searched` by it where nothing better is known of them. Elsewhere the sign keeps a
        database from reading all rows of a scope where it should look up a few by their number.
        """
        column = f"{alias}.scope_no" if alias else "scope_no"
        sign = "" if searched else "+"
        return f"{sign}{column} IN ({placeholders(max(1, len(self.scopes)))})"

    @property
    def scope_numbers(self) -> list[int]:
        """The values of `within`; where there is no scope, a number that none has."""
        return list(self.scopes) or [-1]

    def find_numbers(self, table: str, ids: Sequence[str]) -> dict[str, int]:
        """Return the numbers of the rows with these ids."""
        found: dict[str, int] = {}
        for some in split(list(dict.fromkeys(ids))):
            rows = self.connection.execute(
                f"SELECT id, number FROM {table} WHERE tenant_id = ? "
                f"AND id IN ({placeholders(len(some))}) AND {self.within()}",
                [self.tenant_id, *some, *self.scope_numbers],
            )
            found |= {row[0]: row[1] for row in rows}
        return found

    def find_ids(self, table: str, numbers: Sequence[int]) -> dict[int, str]:
        """Return the ids of the rows with these numbers."""
        found: dict[int, str] = {}
        for some in split(list(dict.fromkeys(numbers))):
            rows = self.connection.execute(
                f"SELECT number, id FROM {table} WHERE number IN ({placeholders(len(some))}) "
                f"AND {self.within()}",
                [*some, *self.scope_numbers],
            )
            found |= {row[0]: row[1] for row in rows}
        return found

    def holds_at(self, as_of: datetime | None, now: datetime) -> tuple[str, list[object]]:
        """Write the condition that a relation holds now, or was true at a moment."""
        at = self.connection.dialect.moment(as_of or now)
        condition = "retired_at IS NULL AND (valid_to IS NULL OR valid_to > ?)"
        if as_of is None:
            return condition, [at]
        return f"{condition} AND valid_from <= ?", [at, at]


def split(values: Sequence[T], size: int = VALUES_PER_STATEMENT_MAX) -> Iterator[Sequence[T]]:
    """Give values in parts that fit a statement."""
    for start in range(0, len(values), size):
        yield values[start : start + size]


def select_in(
    view: GraphView, statement: str, values: Sequence[Any], more: Sequence[Any] = ()
) -> list[Any]:
    """Run a select with `IN ({})` for values in parts; `more` are those after them."""
    rows: list[Any] = []
    for some in split(values):
        rows += view.connection.execute(
            statement.format(placeholders(len(some))), [*some, *more]
        ).fetchall()
    return rows
