"""`result_export`: all rows of a result as a file in the workspace."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from dataagent_core.errors import DataAgentError, QueryFailedError
from dataagent_core.tools.data.agent_tools.data_tool_services import DataToolServices
from dataagent_core.tools.data.agent_tools.source_rules import forecast_results
from dataagent_core.tools.data.agent_tools.sql_tools import explain_query_cost
from dataagent_core.tools.data.complete_rows import FOR_A_TOOL, RowSelection, open_complete_rows
from dataagent_core.tools.data.query_service import QueryService
from dataagent_core.tools.data.results.result_export import ExportFormat, write_export
from dataagent_core.tools.data.results.stored_result import StoredResult
from dataagent_core.tools.data.row_count import format_row_count
from dataagent_core.tools.definition.tool_definition import define_tool
from dataagent_core.tools.output.artifacts import ARTIFACTS_KEY
from dataagent_core.tools.pipeline.call_forecast import CallForecast, JudgeSource


@define_tool("idempotent", with_artifact=True)
async def result_export(
    services: DataToolServices,
    result_id: str,
    format: ExportFormat = "csv",  # noqa: A002 - the documents' name
    rows: Annotated[
        RowSelection, Field(description="kept: only the rows a cut result keeps.")
    ] = "all",
) -> tuple[str, dict[str, Any]]:
    """Write a result to a file in the workspace. What is personal is masked in it.

    It has all rows: where the result keeps only the first, its query is run again.
    """
    kept = await services.results.get(result_id)
    draft = services.results.draft().with_suffix(f".{format}")
    try:
        if rows == "kept":
            source = await services.results.path(result_id)
            await write_export(kept, source, draft, format, for_model=True)
            count = _describe_kept_rows(kept)
        else:
            count = format_row_count(await _export_all(services.queries, kept, draft, format))
        made = await services.files.deliver(draft, f"{result_id}.{format}")
    finally:
        await asyncio.to_thread(draft.unlink, missing_ok=True)
    path = made[0]["path"] if made else ""
    return f"Wrote {count} to {path}", {ARTIFACTS_KEY: made}


async def _export_all(
    queries: QueryService, kept: StoredResult, target: Path, form: ExportFormat
) -> int:
    try:
        async with open_complete_rows(queries, kept, FOR_A_TOOL) as found:
            await write_export(found.kept, found.path, target, form, for_model=True)
            return found.row_count
    except QueryFailedError as error:
        hint = " rows='kept' writes the rows that are kept."
        raise QueryFailedError(f"{error}{hint}", error.for_person) from error


def _describe_kept_rows(kept: StoredResult) -> str:
    rows = format_row_count(kept.row_count)
    return f"only the first {rows} of more" if kept.truncated else rows


async def forecast_export(
    services: DataToolServices, args: dict[str, Any], judge: JudgeSource
) -> CallForecast:
    """Ask the rules about the result's sources, and the engine what running it again costs."""
    forecast = await forecast_results(services, args, judge, tool="result_export")
    if forecast.ask is not None or args.get("rows") == "kept":
        return forecast
    try:
        kept = await services.results.get(str(args["result_id"]))
        if not kept.truncated:
            return forecast
        ask = await explain_query_cost(services.queries, kept.source, kept.sql)
        return replace(forecast, ask=ask)
    except DataAgentError:
        return forecast  # the tool itself says so
