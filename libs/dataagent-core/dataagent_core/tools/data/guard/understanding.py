"""What is learnt while a tree is read: the tables it uses, and what rewriting must change."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect

from dataagent_core.config.data_limits import SQL_COLUMNS_READ_MAX
from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data import model
from dataagent_core.tools.data.guard.checked import Output
from dataagent_core.tools.data.guard.names import Known, Names
from dataagent_core.tools.data.guard.relations import Relation
from dataagent_core.tools.data.guard.scopes import Scope

# CTEs that may be named here, lower case.
Ctes = Mapping[str, Relation]
ReadQuery = Callable[["Understanding", exp.Expr, Ctes, Scope | None], tuple[Output, ...]]


@dataclass(slots=True)
class Understanding:
    """One text being read. Queries nest, so the reader of queries is handed down to its parts."""

    sql: str
    names: Names
    dialect: model.Dialect
    traits: Dialect
    read_query: ReadQuery
    # Qualified names in the order they were met.
    tables: dict[str, None] = field(default_factory=dict[str, None])
    found: dict[int, tuple[exp.Table, Known]] = field(
        default_factory=dict[int, tuple[exp.Table, Known]]
    )
    # Every table that was looked at, of the catalogue or not.
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
    # Every column of the catalogue that is looked at, and those that name columns of the result.
    reads: set[model.Origin] = field(default_factory=set[model.Origin])
    names_from: set[model.Origin] = field(default_factory=set[model.Origin])

    # Columns that may still be read.
    columns_left: int = SQL_COLUMNS_READ_MAX

    def spend(self, columns: int) -> None:
        """Count columns that were read, the same ones again too; refuse a text with too many."""
        self.columns_left -= columns
        if self.columns_left < 0:
            raise QueryRefusedError(
                f"The queries inside the SQL have more than {SQL_COLUMNS_READ_MAX} columns in all: "
                "name the columns that are needed instead of *, or ask in steps."
            )

    def outputs(self, query: exp.Expr, ctes: Ctes, outer: Scope | None) -> tuple[Output, ...]:
        """Read a query inside another and give its outputs."""
        outputs = self.read_query(self, query, ctes, outer)
        for output in outputs:  # those of a star are named nowhere else
            self.reads |= output.columns
        return outputs

    def scope(self, outer: Scope | None = None) -> Scope:
        """Begin a query inside another."""
        return Scope(self.dialect, outer)
