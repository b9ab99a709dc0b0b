"""What the routes about data share: parameters, errors, and a page of rows as JSON."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from typing import Annotated, Any, Final

from fastapi import Query

from dataagent_core.config.limits.data import DATA_URL_CHARS_MAX, RESULT_PAGE_ROWS_MAX
from dataagent_core.errors import NotFoundError, QueryFailedError, QueryRefusedError
from dataagent_core.tools.data.results.result_preview import make_json_value
from dataagent_core.tools.data.results.result_reader import read_page
from dataagent_core.tools.data.results.result_store import ResultStore
from dataagent_core.tools.data.results.stored_result import ResultPage as RowPage
from dataagent_server.api.models.data.tables import RowsInfo
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.openapi import errors

PAGE_BYTES_MAX: Final = 8 * 1024 * 1024

ProjectQuery = Annotated[
    str | None,
    Query(
        alias="project_id",
        pattern=ID_PATTERN,
        description="Ask in this project: its sources go before the tenant's of the same name",
    ),
]
SourceQuery = Annotated[
    str,
    Query(
        min_length=1,
        max_length=DATA_URL_CHARS_MAX,
        description="A source's name, or the path of a data file in your default workspace",
        examples=["shop", "/uploads/sales.csv"],
    ),
]
# What asking a source may end with.
QUERY_ERRORS = errors(
    "NOT_FOUND", "QUERY_REFUSED", "QUERY_FAILED", "PATH_ESCAPE_ERROR", "QUOTA_EXCEEDED",
    "CONFLICT", "SANDBOX_UNAVAILABLE", "CONFIGURATION_ERROR", "VALIDATION_ERROR",
)  # fmt: skip


@contextmanager
def map_data_errors() -> Generator[None]:
    """Say what went wrong as a person may read it: hidden is not missing, nothing is masked."""
    try:
        yield
    except (NotFoundError, QueryRefusedError, QueryFailedError) as error:
        raise type(error)(error.for_person) from error


async def read_rows(
    results: ResultStore, result_id: str, offset: int, limit: int, *, may_export_all: bool = True
) -> RowsInfo:
    """Read a page of a result as JSON; who has just asked for it may export all of it."""
    page = await read_page(results, result_id, offset, min(limit, RESULT_PAGE_ROWS_MAX))
    return make_rows_info(page, may_export_all=may_export_all)


def make_rows_info(page: RowPage, *, may_export_all: bool) -> RowsInfo:
    """Write a page; it ends early where its bytes would be too many, but holds one row at least."""
    kept = page.kept
    rows: list[list[Any]] = []
    size_bytes = 0
    for row in page.rows:
        cells = [make_json_value(value) for value in row]
        size_bytes += len(json.dumps(cells))
        if rows and size_bytes > PAGE_BYTES_MAX:
            break
        rows.append(cells)
    after = page.offset + len(rows)
    return RowsInfo(
        result_id=kept.result_id,
        columns=[{"name": c.name, "type": c.type, "kind": c.kind} for c in kept.columns],  # pyright: ignore[reportArgumentType] (pydantic makes them)
        rows=rows,
        offset=page.offset,
        next_offset=after if after < kept.row_count else None,
        row_count=kept.row_count,
        truncated=kept.truncated,
        may_export_all=may_export_all,
        normalized_sql=kept.sql,
        sha256=kept.sha256,
        elapsed_ms=kept.elapsed_ms,
        notes=list(kept.lineage.notes),
    )
