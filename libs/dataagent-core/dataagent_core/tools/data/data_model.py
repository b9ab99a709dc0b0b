"""The values of the data tools: dialects, columns, tables, catalogues, limits and costs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from dataagent_core.config.limits import data

# The SQL dialect of an engine, by sqlglot's names.
Dialect = Literal[
    "duckdb",
    "sqlite",
    "postgres",
    "mysql",
    "clickhouse",
    "spark",
    "trino",
    "snowflake",
    "bigquery",
]
# A column of a catalogue: its table's qualified name, then its own. Both may hold dots.
ColumnOrigin = tuple[str, str]
# The kind of values in a column, independent of the engine.
ColumnKind = Literal[
    "boolean",
    "integer",
    "decimal",
    "float",
    "text",
    "date",
    "time",
    "timestamp",
    "interval",
    "binary",
    "nested",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a table; `type` is the engine's own name."""

    name: str
    type: str
    kind: ColumnKind
    nullable: bool = True
    comment: str = ""
    primary: bool = False
    # `table.column` it points to.
    references: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table or view; `rows` is exact or the engine's estimate, None if unknown."""

    name: str
    columns: tuple[Column, ...]
    schema: str = ""
    comment: str = ""
    rows: int | None = None
    rows_exact: bool = False
    is_view: bool = False
    # How its file is read, where values are changed or left out.
    notes: tuple[str, ...] = ()

    @property
    def qualified(self) -> str:
        """The name as SQL writes it, without quotes."""
        return f"{self.schema}.{self.name}" if self.schema else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """The tables of a source. Its fingerprint changes when the schema or the files do."""

    dialect: Dialect
    tables: tuple[Table, ...]
    fingerprint: str
    # The schema a bare table name is looked up in.
    default_schema: str = ""
    # Notes for a person: a file that could not be read, tables left out.
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryLimits:
    """The limits of one query."""

    timeout_s: float = data.QUERY_TIMEOUT_S
    rows_max: int = data.QUERY_ROWS_DEFAULT
    bytes_max: int = data.QUERY_BYTES_MAX
    memory_bytes: int = data.QUERY_MEMORY_BYTES_MAX


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultColumn:
    """One column of a result."""

    name: str
    type: str
    kind: ColumnKind


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineResult:
    """The Parquet file an engine wrote, and its contents."""

    columns: tuple[ResultColumn, ...]
    row_count: int
    # There were more rows or bytes than the limits allow.
    truncated: bool
    elapsed_ms: int
    bytes: int
    # Notes on how it was read: a column taken as text, lines left out.
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CostEstimate:
    """The cost by an engine's EXPLAIN; `cost` is in the engine's own units."""

    rows: int | None = None
    cost: float | None = None
    plan: str = ""


def _make_empty() -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnProfile:
    """Statistics of a column, from a sample or from all rows (`is_whole`)."""

    name: str
    nulls_fraction: float | None = None
    distinct: int | None = None
    minimum: str | None = None
    maximum: str | None = None
    mean: float | None = None
    top: tuple[tuple[str, int], ...] = ()
    samples: tuple[str, ...] = ()
    # Nulls, minimum, maximum and mean are of all rows; `top` and `samples` may be of a sample.
    is_whole: bool = False
    extra: Mapping[str, Any] = field(default_factory=_make_empty)
