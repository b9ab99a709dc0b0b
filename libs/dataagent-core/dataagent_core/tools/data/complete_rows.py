"""Opens all rows of a result's query, where the stored result keeps only the first ones."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from dataagent_core.config.limits.data import (
    EXPORT_BYTES_MAX,
    EXPORT_ROWS_MAX,
    EXPORT_S_MAX,
    EXPORT_SERVED_BYTES_MAX,
    EXPORT_TOOL_S_MAX,
    QUERY_BYTES_MAX,
    QUERY_TIMEOUT_S_MAX,
)
from dataagent_core.errors import DataAgentError, DeniedError, QueryFailedError
from dataagent_core.tools.data.data_model import QueryLimits
from dataagent_core.tools.data.query_service import QueryService
from dataagent_core.tools.data.results.stored_result import StoredResult
from dataagent_core.tools.data.row_count import format_row_count

# The rows of an export: all rows of the query, or the stored ones.
RowSelection = Literal["all", "kept"]

FOR_A_PERSON: Final = QueryLimits(
    timeout_s=EXPORT_S_MAX, rows_max=EXPORT_ROWS_MAX, bytes_max=EXPORT_BYTES_MAX
)
# On a shared server, others use the same workers and disk.
FOR_A_MEMBER: Final = QueryLimits(
    timeout_s=QUERY_TIMEOUT_S_MAX, rows_max=EXPORT_ROWS_MAX, bytes_max=EXPORT_SERVED_BYTES_MAX
)
FOR_A_TOOL: Final = QueryLimits(
    timeout_s=EXPORT_TOOL_S_MAX, rows_max=EXPORT_ROWS_MAX, bytes_max=QUERY_BYTES_MAX
)


@dataclass(frozen=True, slots=True)
class CompleteRows:
    """A Parquet file that exists while it is read, and the facts about its rows."""

    path: Path
    kept: StoredResult

    @property
    def row_count(self) -> int:
        """The number of rows."""
        return self.kept.row_count


@asynccontextmanager
async def open_complete_rows(
    queries: QueryService, kept: StoredResult, limits: QueryLimits = FOR_A_PERSON
) -> AsyncGenerator[CompleteRows]:
    """Open all rows of a result; the query of a truncated result runs again.

    The guard checks it again too: the source's owner may have hidden columns since, or marked them
    as personal. If the read options of its files changed since, the query does not run: the rows
    would differ from those that were shown. The rows are written to a file that is not kept.
    """
    if not kept.truncated:
        yield CompleteRows(await queries.results.path(kept.result_id), kept)
        return
    if not await queries.results.is_local(kept.result_id):
        raise make_incomplete_error(kept, DeniedError("it was asked in another project."))
    draft = queries.results.draft()
    try:
        yield CompleteRows(draft, await _run_again(queries, kept, draft, limits))
    finally:
        draft.unlink(missing_ok=True)


def make_incomplete_error(kept: StoredResult, error: DataAgentError) -> QueryFailedError:
    """Make the error that only the stored rows are available, with the reason."""
    rows = format_row_count(kept.row_count)
    message, for_person = (
        f"{kept.result_id} keeps only the first {rows}, and its query cannot be run again for all "
        f"of them: {why}"
        for why in (str(error), error.for_person)
    )
    return QueryFailedError(message, for_person)


async def _run_again(
    queries: QueryService, kept: StoredResult, draft: Path, limits: QueryLimits
) -> StoredResult:
    try:
        ran, personal = await queries.query_into(
            kept.source, kept.sql, draft, limits, reading=kept.lineage.reading
        )
    except DataAgentError as error:
        raise make_incomplete_error(kept, error) from error
    if ran.truncated:
        raise QueryFailedError(
            f"The rows take more than {limits.bytes_max:,} bytes, which one export may have: "
            "export them in parts, with a condition in the query."
        )
    return replace(
        kept, columns=ran.columns, row_count=ran.row_count, personal=personal, truncated=False
    )
