"""Keeps tables as results the way a query does, and says so in a session's log."""

from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from dataagent_core.events import ToolResultEvent
from dataagent_core.tools.data.agent_tools.result_receipt import RESULT_KEY, make_result_receipt
from dataagent_core.tools.data.data_model import EngineResult
from dataagent_core.tools.data.results.result_store import FolderResultStore
from dataagent_core.tools.data.results.stored_result import StoredResult


async def kept(
    results: FolderResultStore, columns: dict[str, list[Any]], *, truncated: bool = False
) -> StoredResult:
    draft = results.draft()
    table = pa.table(columns)
    pq.write_table(table, draft)
    ran = EngineResult(
        columns=(),
        row_count=table.num_rows,
        truncated=truncated,
        elapsed_ms=1,
        bytes=table.nbytes,
    )
    return await results.keep(draft, ran, source="shop", dialect="duckdb", sql="SELECT 1")


def query_event(made: StoredResult) -> ToolResultEvent:
    return ToolResultEvent(
        tool_call_id=f"call {made.result_id}",
        tool_name="sql_query",
        result="a preview",
        receipt={RESULT_KEY: make_result_receipt(made)},
    )
