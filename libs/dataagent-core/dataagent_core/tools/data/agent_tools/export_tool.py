"""`result_export`: all rows of a result as a file in the workspace."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from langchain_core.tools import BaseTool
from pydantic import Field

from dataagent_core.errors import DataAgentError, QueryFailedError
from dataagent_core.tools.data.agent_tools.source_rules import forecast_results
from dataagent_core.tools.data.agent_tools.sql_tools import explain_query_cost
from dataagent_core.tools.data.complete_rows import FOR_A_TOOL, RowSelection, open_complete_rows
from dataagent_core.tools.data.query_service import QueryService
from dataagent_core.tools.data.results.result_export import ExportFormat, write_export
from dataagent_core.tools.data.results.stored_result import StoredResult
from dataagent_core.tools.data.row_count import format_row_count
from dataagent_core.tools.definition.tool_factory import make_tool
from dataagent_core.tools.effects import effect_metadata
from dataagent_core.tools.output.artifacts import ARTIFACTS_KEY
from dataagent_core.tools.pipeline.call_forecast import CallForecast, Forecaster, JudgeSource

# Puts a finished file into the workspace; gives what is known of it as an artifact.
Deliver = Callable[[Path, str], Awaitable[list[Any]]]


def make_result_export(desk: QueryService, deliver: Deliver) -> BaseTool:
    """Make `result_export`."""

    async def result_export(
        result_id: str,
        format: ExportFormat = "csv",  # noqa: A002 - the documents' name
        rows: Annotated[
            RowSelection, Field(description="kept: only the rows a cut result keeps.")
        ] = "all",
    ) -> tuple[str, dict[str, Any]]:
        """Write a result to a file in the workspace. What is personal is masked in it.

        It has all rows: where the result keeps only the first, its query is run again.
        """
        kept = await desk.results.get(result_id)
        draft = desk.results.draft().with_suffix(f".{format}")
        try:
            if rows == "kept":
                source = await desk.results.path(result_id)
                await write_export(kept, source, draft, format, for_model=True)
                count = _kept_rows(kept)
            else:
                count = format_row_count(await _export_all(desk, kept, draft, format))
            made = await deliver(draft, f"{result_id}.{format}")
        finally:
            await asyncio.to_thread(draft.unlink, missing_ok=True)
        path = made[0]["path"] if made else ""
        return f"Wrote {count} to {path}", {ARTIFACTS_KEY: made}

    return make_tool(result_export, effect_metadata("idempotent"), with_artifact=True)


async def _export_all(
    desk: QueryService, kept: StoredResult, target: Path, form: ExportFormat
) -> int:
    try:
        async with open_complete_rows(desk, kept, FOR_A_TOOL) as found:
            await write_export(found.kept, found.path, target, form, for_model=True)
            return found.row_count
    except QueryFailedError as error:
        hint = " rows='kept' writes the rows that are kept."
        raise QueryFailedError(f"{error}{hint}", error.for_person) from error


def _kept_rows(kept: StoredResult) -> str:
    rows = format_row_count(kept.row_count)
    return f"only the first {rows} of more" if kept.truncated else rows


def forecast_export(desk: QueryService) -> Forecaster:
    """Ask the rules about the result's sources, and the engine what running it again costs."""
    of_results = forecast_results(desk, "result_export")

    async def foresee(args: dict[str, Any], ruling: JudgeSource) -> CallForecast:
        foreseen = await of_results(args, ruling)
        if foreseen.ask is not None or args.get("rows") == "kept":
            return foreseen
        try:
            kept = await desk.results.get(str(args["result_id"]))
            if not kept.truncated:
                return foreseen
            return replace(foreseen, ask=await explain_query_cost(desk, kept.source, kept.sql))
        except DataAgentError:
            return foreseen  # the tool itself says so

    return foresee
