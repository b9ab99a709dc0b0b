"""`sql_check`, `sql_query` and `result_page`."""

from typing import Annotated, Any

from langchain_core.tools import BaseTool
from pydantic import Field

from dataagent_core.config.limits.data import (
    QUERY_CHECK_S,
    QUERY_PREVIEW_ROWS,
    QUERY_ROWS_DEFAULT,
    QUERY_ROWS_MAX,
    QUERY_TIMEOUT_S,
    QUERY_TIMEOUT_S_MAX,
    RESULT_PAGE_ROWS_DEFAULT,
    RESULT_PAGE_ROWS_MAX,
)
from dataagent_core.permissions.taint import make_external_metadata
from dataagent_core.tools.data.agent_tools.result_receipt import RESULT_KEY, make_result_receipt
from dataagent_core.tools.data.agent_tools.shared_arguments import SourceArg
from dataagent_core.tools.data.agent_tools.source_rules import explain_source_questions
from dataagent_core.tools.data.data_model import QueryLimits
from dataagent_core.tools.data.query_service import PreparedQuery, QueryService, explain_cost
from dataagent_core.tools.data.results.result_lineage import SourceTouch
from dataagent_core.tools.data.results.result_preview import render_preview
from dataagent_core.tools.data.results.result_reader import read_page
from dataagent_core.tools.data.time_left import TimeLeft
from dataagent_core.tools.definition.tool_factory import make_tool
from dataagent_core.tools.effects import effect_metadata
from dataagent_core.tools.pipeline.call_forecast import CallForecast, Forecaster, JudgeSource

SqlArg = Annotated[str, Field(description="One SELECT in the source's dialect.")]
# What a table holds is somebody else's words.
_READS = {**effect_metadata("pure"), **make_external_metadata()}


def make_sql_check(desk: QueryService) -> BaseTool:
    """Make `sql_check`."""

    async def sql_check(source: SourceArg, sql: SqlArg) -> str:
        """Check SQL without running it: whether it may run, how it would run, what it costs."""
        asked = await desk.check(source, sql)
        try:
            estimate = await desk.estimate(asked)
        finally:
            await _closed(asked)
        cost = "" if estimate.rows is None else f"\nAbout {estimate.rows} rows."
        tables = ", ".join(asked.checked.tables) or "no table"
        return f"It may run. It reads {tables}.{cost}\n{asked.checked.sql}"

    return make_tool(sql_check, effect_metadata("pure"))


def make_sql_query(desk: QueryService) -> BaseTool:
    """Make `sql_query`."""

    async def sql_query(
        source: SourceArg,
        sql: SqlArg,
        max_rows: Annotated[int, Field(ge=1, le=QUERY_ROWS_MAX)] = QUERY_ROWS_DEFAULT,
        timeout_s: Annotated[float, Field(gt=0, le=QUERY_TIMEOUT_S_MAX)] = QUERY_TIMEOUT_S,
    ) -> tuple[str, dict[str, Any]]:
        """Run one read-only SELECT and keep its rows under a result id.

        You see a preview. A result is a table of the source `results`, named by its id, so you can
        query and join results of different sources. Aggregate in SQL instead of reading rows.
        """
        limits = QueryLimits(rows_max=max_rows, timeout_s=timeout_s)
        kept = await desk.query(source, sql, limits)
        page = await read_page(desk.results, kept.result_id, 0, QUERY_PREVIEW_ROWS)
        return render_preview(page).text, {RESULT_KEY: make_result_receipt(kept)}

    return make_tool(sql_query, _READS, with_artifact=True)


def forecast_check(desk: QueryService) -> Forecaster:
    """Ask the rules about the sources it reads."""

    async def foresee(args: dict[str, Any], ruling: JudgeSource) -> CallForecast:
        asked, ask = await _ruled(desk, "sql_check", args, ruling)
        await _closed(asked)
        return CallForecast(args, ask)

    return foresee


def forecast_query(desk: QueryService) -> Forecaster:
    """Ask the rules about the sources it reads, and the engine what it would cost.

    An expensive query asks a person.
    """

    async def foresee(args: dict[str, Any], ruling: JudgeSource) -> CallForecast:
        left = TimeLeft(float(args.get("timeout_s", QUERY_TIMEOUT_S)))
        asked, ask = await _ruled(desk, "sql_query", args, ruling, left.s())
        try:
            return CallForecast(args, ask or explain_cost(await desk.estimate(asked, left.s())))
        finally:
            await _closed(asked)

    return foresee


async def _ruled(
    desk: QueryService,
    tool: str,
    args: dict[str, Any],
    ruling: JudgeSource,
    timeout_s: float = QUERY_CHECK_S,
) -> tuple[PreparedQuery, str | None]:
    source = str(args["source"])
    # The named one first: what a rule denies is not even looked at.
    named = await explain_source_questions(desk, tool, source, [SourceTouch(tool, source)], ruling)
    asked = await desk.check(source, str(args["sql"]), timeout_s)
    try:
        inside = await explain_source_questions(desk, tool, source, asked.touches, ruling)
    except BaseException:
        await _closed(asked)
        raise
    return asked, named or inside


async def _closed(asked: PreparedQuery) -> None:
    if asked.once:
        await asked.engine.aclose()


async def explain_query_cost(desk: QueryService, source: str, sql: str) -> str | None:
    """Say why a person should be asked before this query; None when it is cheap."""
    asked = await desk.check(source, sql)
    try:
        return explain_cost(await desk.estimate(asked))
    finally:
        await _closed(asked)


def make_result_page(desk: QueryService) -> BaseTool:
    """Make `result_page`."""

    async def result_page(
        result_id: str,
        offset: Annotated[int, Field(ge=0)] = 0,
        limit: Annotated[int, Field(ge=1, le=RESULT_PAGE_ROWS_MAX)] = RESULT_PAGE_ROWS_DEFAULT,
    ) -> str:
        """Read more rows of a kept result."""
        return render_preview(await read_page(desk.results, result_id, offset, limit)).text

    return make_tool(result_page, _READS)
