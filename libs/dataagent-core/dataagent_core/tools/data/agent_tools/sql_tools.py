"""`sql_check`, `sql_query` and `result_page`, and forecasts of the first two."""

from typing import Annotated, Any

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
from dataagent_core.tools.data.agent_tools.data_tool_services import DataToolServices
from dataagent_core.tools.data.agent_tools.result_receipt import RESULT_KEY, make_result_receipt
from dataagent_core.tools.data.agent_tools.shared_arguments import SourceArg
from dataagent_core.tools.data.agent_tools.source_rules import explain_source_questions
from dataagent_core.tools.data.data_model import QueryLimits
from dataagent_core.tools.data.query_service import PreparedQuery, QueryService, explain_cost
from dataagent_core.tools.data.results.result_lineage import SourceTouch
from dataagent_core.tools.data.results.result_preview import render_preview
from dataagent_core.tools.data.results.result_reader import read_page
from dataagent_core.tools.data.time_left import TimeLeft
from dataagent_core.tools.definition.tool_definition import define_tool
from dataagent_core.tools.pipeline.call_forecast import CallForecast, JudgeSource

SqlArg = Annotated[str, Field(description="One SELECT in the source's dialect.")]


@define_tool("pure")
async def sql_check(services: DataToolServices, source: SourceArg, sql: SqlArg) -> str:
    """Check SQL without running it: whether it may run, how it would run, what it costs."""
    prepared = await services.queries.check(source, sql)
    try:
        estimate = await services.queries.estimate(prepared)
    finally:
        await prepared.aclose()
    cost = "" if estimate.rows is None else f"\nAbout {estimate.rows} rows."
    tables = ", ".join(prepared.checked.tables) or "no table"
    return f"It may run. It reads {tables}.{cost}\n{prepared.checked.sql}"


@define_tool("pure", make_external_metadata(), with_artifact=True)
async def sql_query(
    services: DataToolServices,
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
    kept = await services.queries.query(source, sql, limits)
    page = await read_page(services.results, kept.result_id, 0, QUERY_PREVIEW_ROWS)
    return render_preview(page).text, {RESULT_KEY: make_result_receipt(kept)}


async def forecast_check(
    services: DataToolServices, args: dict[str, Any], judge: JudgeSource
) -> CallForecast:
    """Ask the rules about the sources it reads."""
    prepared, ask = await _check_with_rules(services.queries, "sql_check", args, judge)
    await prepared.aclose()
    return CallForecast(args, ask)


async def forecast_query(
    services: DataToolServices, args: dict[str, Any], judge: JudgeSource
) -> CallForecast:
    """Ask the rules about the sources it reads, and the engine what it would cost.

    An expensive query asks a person.
    """
    left = TimeLeft(float(args.get("timeout_s", QUERY_TIMEOUT_S)))
    queries = services.queries
    prepared, ask = await _check_with_rules(queries, "sql_query", args, judge, left.s())
    try:
        return CallForecast(args, ask or explain_cost(await queries.estimate(prepared, left.s())))
    finally:
        await prepared.aclose()


async def _check_with_rules(
    queries: QueryService,
    tool: str,
    args: dict[str, Any],
    judge: JudgeSource,
    timeout_s: float = QUERY_CHECK_S,
) -> tuple[PreparedQuery, str | None]:
    source = str(args["source"])
    # The named source first: one that a rule denies is not opened.
    touch = SourceTouch(tool, source)
    named = await explain_source_questions(queries, tool, source, [touch], judge)
    prepared = await queries.check(source, str(args["sql"]), timeout_s)
    try:
        inside = await explain_source_questions(queries, tool, source, prepared.touches, judge)
    except BaseException:
        await prepared.aclose()
        raise
    return prepared, named or inside


async def explain_query_cost(queries: QueryService, source: str, sql: str) -> str | None:
    """Say why a person should be asked before this query; None when it is cheap."""
    prepared = await queries.check(source, sql)
    try:
        return explain_cost(await queries.estimate(prepared))
    finally:
        await prepared.aclose()


@define_tool("pure", make_external_metadata())
async def result_page(
    services: DataToolServices,
    result_id: str,
    offset: Annotated[int, Field(ge=0)] = 0,
    limit: Annotated[int, Field(ge=1, le=RESULT_PAGE_ROWS_MAX)] = RESULT_PAGE_ROWS_DEFAULT,
) -> str:
    """Read more rows of a kept result."""
    return render_preview(await read_page(services.results, result_id, offset, limit)).text
