"""The state of an analysis: the tables a query uses, and what rewriting must change."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect

from dataagent_core.config.limits.data import SQL_COLUMNS_READ_MAX
from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data import data_model
from dataagent_core.tools.data.guard.analysis.scopes import QueryScope
from dataagent_core.tools.data.guard.analysis.sql_relations import SqlRelation
from dataagent_core.tools.data.guard.checked_sql import QueryOutput
from dataagent_core.tools.data.guard.known_tables import KnownTable, KnownTables

# CTEs that may be named here, lower case.
CteScopes = Mapping[str, SqlRelation]
ReadQuery = Callable[
    ["QueryAnalysis", exp.Expr, CteScopes, QueryScope | None], tuple[QueryOutput, ...]
]


@dataclass(slots=True)
class QueryAnalysis:
    """The analysis of one text. Queries nest, so the query reader is passed to its parts."""

    sql: str
    names: KnownTables
    dialect: data_model.Dialect
    traits: Dialect
    read_query: ReadQuery
    # Qualified names in the order they were met.
    tables: dict[str, None] = field(default_factory=dict[str, None])
    found: dict[int, tuple[exp.Table, KnownTable]] = field(
        default_factory=dict[int, tuple[exp.Table, KnownTable]]
    )
    # Every table that was read, in the catalogue or not.
    seen: set[int] = field(default_factory=set[int])
    # MySQL's DUAL.
    nowhere: list[exp.Table] = field(default_factory=list[exp.Table])
    # Aliases that are written without quotes.
    bare: frozenset[str] = frozenset()
    # CTEs that are named in other letters than WITH names them, and how it does.
    other_letters: list[tuple[exp.Table, str]] = field(default_factory=list[tuple[exp.Table, str]])
    # Columns written with their table's schema.
    in_full: list[exp.Column] = field(default_factory=list[exp.Column])
    # SQLite's strings in double quotes.
    strings: list[exp.Column] = field(default_factory=list[exp.Column])
    # Every column of the catalogue that is read, and those that name columns of the result.
    reads: set[data_model.ColumnOrigin] = field(default_factory=set[data_model.ColumnOrigin])
    names_from: set[data_model.ColumnOrigin] = field(default_factory=set[data_model.ColumnOrigin])

    # Columns that may still be read.
    columns_left: int = SQL_COLUMNS_READ_MAX

    def spend(self, columns: int) -> None:
        """Count the columns that were read, including repeated ones; refuse too many."""
        self.columns_left -= columns
        if self.columns_left < 0:
            raise QueryRefusedError(
                f"The queries inside the SQL have more than {SQL_COLUMNS_READ_MAX} columns in all: "
                "name the columns that are needed instead of *, or ask in steps."
            )

    def outputs(
        self, query: exp.Expr, ctes: CteScopes, outer: QueryScope | None
    ) -> tuple[QueryOutput, ...]:
        """Read a nested query and return its outputs."""
        outputs = self.read_query(self, query, ctes, outer)
        for output in outputs:  # those of a star are named nowhere else
            self.reads |= output.columns
        return outputs

    def scope(self, outer: QueryScope | None = None) -> QueryScope:
        """Make the scope of a nested query."""
        return QueryScope(self.dialect, outer)
