"""Keeps tables as results the way a query does, and says so in a session's log."""

from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from dataagent_core.events import ToolResultEvent
from dataagent_core.tools.data.model import Ran
from dataagent_core.tools.data.offered.receipt import RESULT_KEY, receipt_of_result
from dataagent_core.tools.data.results.kept import Kept
from dataagent_core.tools.data.results.store import FolderResults


async def kept(
    results: FolderResults, columns: dict[str, list[Any]], *, truncated: bool = False
) -> Kept:
    draft = results.draft()
    table = pa.table(columns)
    pq.write_table(table, draft)
    ran = Ran(
        columns=(),
        row_count=table.num_rows,
        truncated=truncated,
        elapsed_ms=1,
        bytes=table.nbytes,
    )
    return await results.keep(draft, ran, source="shop", dialect="duckdb", sql="SELECT 1")


def query_event(made: Kept) -> ToolResultEvent:
    return ToolResultEvent(
        tool_call_id=f"call {made.result_id}",
        tool_name="sql_query",
        result="a preview",
        receipt={RESULT_KEY: receipt_of_result(made)},
    )
