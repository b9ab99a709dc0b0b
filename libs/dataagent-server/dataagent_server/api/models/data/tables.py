"""Catalogues, queries and results, as the API takes and shows them."""

from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from dataagent_core.config.limits.data import (
    DATA_URL_CHARS_MAX,
    QUERY_ROWS_DEFAULT,
    QUERY_ROWS_MAX,
    QUERY_TIMEOUT_S,
    QUERY_TIMEOUT_S_MAX,
    RESULT_PAGE_ROWS_DEFAULT,
    RESULT_PAGE_ROWS_MAX,
    SQL_CHARS_MAX,
)
from dataagent_core.tools.data.results.stored_result import StoredResult, parse_personal_kinds
from dataagent_server.api.models.base import RequestModel, ResponseModel

SourceName = Annotated[str, StringConstraints(min_length=1, max_length=DATA_URL_CHARS_MAX)]
Sql = Annotated[str, StringConstraints(min_length=1, max_length=SQL_CHARS_MAX)]


class ColumnInfo(ResponseModel):
    """A column of a table."""

    name: str
    type: str = Field(description="The engine's own word")
    kind: str = Field(description="What it holds, whatever the engine calls it")
    nullable: bool
    comment: str
    primary: bool
    references: str | None = Field(description="`table.column` it points to")


class TableInfo(ResponseModel):
    """A table or view that can be asked."""

    name: str
    schema_: str = Field(alias="schema", serialization_alias="schema", description="May be empty")
    comment: str
    rows: int | None = Field(description="Exact, an estimate, or null when nobody knows")
    rows_exact: bool
    is_view: bool
    columns: list[ColumnInfo]
    notes: list[str] = Field(
        default=[], description="How its file is read, where that is not as it stands"
    )


class ProfileInfo(ResponseModel):
    """What a column holds, seen on a sample, or in all rows."""

    name: str
    nulls_fraction: float | None
    distinct: int | None
    minimum: str | None
    maximum: str | None
    mean: float | None
    top: list[tuple[str, int]]
    samples: list[str]
    is_whole: bool = Field(
        default=False, description="Nulls, ends and mean are of all rows, not of a sample"
    )


class DescribedTable(ResponseModel):
    """A table and what is in it. You see values a model would see masked."""

    table: TableInfo
    profile: list[ProfileInfo]


class FoundEntry(ResponseModel):
    """A table, metric, dimension or verified question that fits some words."""

    kind: str
    source: str
    name: str
    line: str


class FoundEntries(ResponseModel):
    """What fits best, how much more does, and which sources could not be read."""

    items: list[FoundEntry]
    more: int
    notes: list[str]


class SqlAsked(RequestModel):
    """SQL for a source."""

    source: SourceName = Field(examples=["shop"], description="A name, a path, or `results`")
    sql: Sql = Field(examples=["SELECT country, count(*) AS n FROM customers GROUP BY country"])


class QueryAsked(SqlAsked):
    """SQL to run."""

    max_rows: int = Field(default=QUERY_ROWS_DEFAULT, ge=1, le=QUERY_ROWS_MAX)
    timeout_s: float = Field(default=QUERY_TIMEOUT_S, gt=0, le=QUERY_TIMEOUT_S_MAX)
    rows: int = Field(
        default=RESULT_PAGE_ROWS_DEFAULT,
        ge=1,
        le=RESULT_PAGE_ROWS_MAX,
        description="How many rows this answer shows; the result holds all of them",
    )
    confirmed: bool = Field(
        default=False, description="Run it though the engine expects it to be expensive"
    )
    look: bool = Field(
        default=False,
        description="Only to be looked at: its result is not listed, and is kept for an hour",
    )


class SqlProblem(ResponseModel):
    """Why SQL may not run: what running it would answer."""

    error_code: str = Field(examples=["QUERY_REFUSED"])
    message: str = Field(examples=["There is no column 'nothing' here."])


class CheckedSql(ResponseModel):
    """Whether SQL may run, and how it would."""

    ok: bool
    problem: SqlProblem | None = Field(default=None, description="Set when it may not run")
    normalized_sql: str = Field(description="As it would run; empty when it may not")
    tables: list[str]
    est_rows: int | None
    expensive: str | None = Field(description="Why it would have to be confirmed")


class ResultColumnInfo(ResponseModel):
    """A column of a result."""

    name: str
    type: str
    kind: str


class RowsInfo(ResponseModel):
    """Rows of a result; what JSON cannot hold exactly is text."""

    result_id: str
    columns: list[ResultColumnInfo]
    rows: list[list[Any]]
    offset: int
    next_offset: int | None = Field(description="Where the next page starts")
    row_count: int
    truncated: bool = Field(description="More rows were there than the limits let through")
    may_export_all: bool = Field(
        description="Whether you may export all rows: a cut result's query is its owner's to run"
    )
    normalized_sql: str
    sha256: str
    elapsed_ms: int
    notes: list[str] = Field(
        default=[], description="How it was read: lines left out, values read in one of two ways"
    )


class ResultInfo(ResponseModel):
    """A kept result."""

    result_id: str
    source: str
    session_id: str | None
    normalized_sql: str
    columns: list[ResultColumnInfo]
    personal: dict[str, str] = Field(description="Columns a model reads masked, with their kinds")
    row_count: int
    truncated: bool
    may_export_all: bool = Field(
        description="Whether you may export all rows: a cut result's query is its owner's to run"
    )
    size_bytes: int
    sha256: str
    elapsed_ms: int
    created_at: datetime
    expires_at: datetime

    @classmethod
    def of(cls, kept: StoredResult, *, may_export_all: bool) -> "ResultInfo":
        """Show what is known of a result."""
        return cls(
            result_id=kept.result_id,
            source=kept.source,
            session_id=kept.session_id,
            normalized_sql=kept.sql,
            columns=[ResultColumnInfo.model_validate(column) for column in kept.columns],
            personal=parse_personal_kinds(kept),
            row_count=kept.row_count,
            truncated=kept.truncated,
            may_export_all=may_export_all,
            size_bytes=kept.bytes,
            sha256=kept.sha256,
            elapsed_ms=kept.elapsed_ms,
            created_at=datetime.fromtimestamp(kept.created_at, UTC),
            expires_at=datetime.fromtimestamp(kept.expires_at, UTC),
        )
