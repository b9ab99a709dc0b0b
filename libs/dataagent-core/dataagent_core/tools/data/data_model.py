"""The words of the data tools: dialects, columns, tables, catalogues, and what a query may cost."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from dataagent_core.config.limits import data

# How SQL is written for an engine; sqlglot's own names.
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
# What a column holds, whatever its engine calls it.
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
    """One column of a table; `type` is the engine's own word."""

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
    """A table or view; `rows` is exact or the engine's estimate, None when nobody knows."""

    name: str
    columns: tuple[Column, ...]
    schema: str = ""
    comment: str = ""
    rows: int | None = None
    rows_exact: bool = False
    is_view: bool = False
    # How its file is read, where that is not as it stands.
    notes: tuple[str, ...] = ()

    @property
    def qualified(self) -> str:
        """Name it as SQL does, without quotes."""
        return f"{self.schema}.{self.name}" if self.schema else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """The tables of a source. Its fingerprint changes when the schema or the files do."""

    dialect: Dialect
    tables: tuple[Table, ...]
    fingerprint: str
    # The schema a bare table name is looked up in.
    default_schema: str = ""
    # What a person should know: a file that could not be read, tables left out.
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryLimits:
    """What one query may use."""

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
    """What an engine wrote: a Parquet file, and what is in it."""

    columns: tuple[ResultColumn, ...]
    row_count: int
    # More rows or bytes were there than the limits let through.
    truncated: bool
    elapsed_ms: int
    bytes: int
    # What a person should know of how it was read: a column taken as text, lines left out.
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CostEstimate:
    """What an engine's EXPLAIN says a query will cost; `cost` is in the engine's own units."""

    rows: int | None = None
    cost: float | None = None
    plan: str = ""


def _nothing() -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnProfile:
    """What a column holds, seen on a sample, or in all rows (`is_whole`)."""

    name: str
    nulls_fraction: float | None = None
    distinct: int | None = None
    minimum: str | None = None
    maximum: str | None = None
    mean: float | None = None
    top: tuple[tuple[str, int], ...] = ()
    samples: tuple[str, ...] = ()
    # Nulls, ends and mean are of all rows; `top` and `samples` may be of a sample still.
    is_whole: bool = False
    extra: Mapping[str, Any] = field(default_factory=_nothing)
