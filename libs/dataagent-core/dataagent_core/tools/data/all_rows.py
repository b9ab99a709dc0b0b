"""Every row of a result's query, where the result itself keeps only the first."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from dataagent_core.config.data_limits import EXPORT_BYTES_MAX, EXPORT_ROWS_MAX, EXPORT_S_MAX
from dataagent_core.errors import DataAgentError, QueryFailedError
from dataagent_core.tools.data.desk import DataDesk
from dataagent_core.tools.data.model import QueryLimits
from dataagent_core.tools.data.results.kept import Kept


@dataclass(frozen=True, slots=True)
class AllRows:
    """A Parquet file that is there while it is read, and how many rows it has."""

    path: Path
    row_count: int


@asynccontextmanager
async def all_rows(desk: DataDesk, kept: Kept) -> AsyncGenerator[AllRows]:
    """Give all rows of a result; for one that was cut short its query is run again.

    It is checked again too: the source's owner may have hidden something since. The rows go to a
    file as they come, and are not kept.
    """
    if not kept.truncated:
        yield AllRows(await desk.results.path(kept.result_id), kept.row_count)
        return
    draft = desk.results.draft()
    try:
        yield AllRows(draft, await _run_again(desk, kept, draft))
    finally:
        draft.unlink(missing_ok=True)


async def _run_again(desk: DataDesk, kept: Kept, draft: Path) -> int:
    limits = QueryLimits(
        timeout_s=EXPORT_S_MAX, rows_max=EXPORT_ROWS_MAX, bytes_max=EXPORT_BYTES_MAX
    )
    try:
        asked = await desk.check(kept.source, kept.sql)
        try:
            ran = await asked.engine.query(asked.checked.sql, draft, limits)
        finally:
            if asked.once:
                await asked.engine.aclose()
    except DataAgentError as error:
        raise QueryFailedError(
            f"{kept.result_id} keeps only the first {kept.row_count} rows, and its query cannot be "
            f"run again for all of them: {error}"
        ) from error
    if ran.truncated:
        raise QueryFailedError(
            f"The rows take more than {EXPORT_BYTES_MAX:,} bytes, which one export may have: "
            "export them in parts, with a condition in the query."
        )
    return ran.row_count
