"""`sql_write`: one change to a database, tried first, and committed when a person approved it.

The forecast runs the change, counts the rows and rolls back; the count becomes an argument, so that
an approval is bound to it. Then the change runs again, and is committed only if it changes as many
rows.
"""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from dataagent_core.errors import QueryFailedError, QueryRefusedError
from dataagent_core.tools.data.agent_tools.data_tool_services import DataToolServices
from dataagent_core.tools.data.agent_tools.shared_arguments import SourceArg
from dataagent_core.tools.data.privacy.failure_text import redact_failure
from dataagent_core.tools.data.privacy.touched_columns import find_personal_among
from dataagent_core.tools.data.query_service import QueryService
from dataagent_core.tools.data.row_count import format_row_count
from dataagent_core.tools.data.sources.source_spec import SourceSpec
from dataagent_core.tools.data.sources.writes.source_write import (
    WritePlan,
    commit_write,
    find_write_url,
    try_write,
)
from dataagent_core.tools.definition.tool_definition import define_tool
from dataagent_core.tools.pipeline.call_forecast import CallForecast, JudgeSource


@define_tool("irreversible")
async def sql_write(
    services: DataToolServices,
    source: SourceArg,
    sql: Annotated[
        str, Field(description="One INSERT, UPDATE or DELETE; the last two with WHERE.")
    ],
    expected_rows: Annotated[
        int | None, Field(ge=0, description="Leave out: counted for you in a dry run.")
    ] = None,
) -> str:
    """Change rows of a database source. It is tried first; a person always decides."""
    trial = await _try_change(services.queries, source, sql)
    plan = trial.plan
    if expected_rows is None or plan.count != expected_rows:
        raise QueryRefusedError(
            f"Nothing was changed: {expected_rows} rows were agreed to, by now it would be "
            f"{plan.count}. Call sql_write again to ask anew."
        )
    with _redact_failures(plan.sql, personal=trial.personal):
        count = await commit_write(trial.spec, plan)
    return f"{plan.verb} changed {format_row_count(count)} of {plan.table}; committed.\n{plan.sql}"


async def forecast_write(
    services: DataToolServices, args: dict[str, Any], _judge: JudgeSource
) -> CallForecast:
    """Try the change and roll it back: how many rows a person is asked about."""
    plan = (await _try_change(services.queries, str(args["source"]), str(args["sql"]))).plan
    notes = "".join(f" {note}." for note in plan.notes)
    rows = f"{format_row_count(plan.count)} of {plan.table}"
    ask = f"{plan.verb} would change {rows} in {plan.source}.{notes}"
    return CallForecast({**args, "expected_rows": plan.count}, ask, always=True)


@dataclass(frozen=True, slots=True)
class _WriteTrial:
    spec: SourceSpec
    plan: WritePlan
    # Whether a failure of the server may quote personal values.
    personal: bool


async def _try_change(queries: QueryService, source: str, sql: str) -> _WriteTrial:
    from dataagent_core.tools.data.sources.writes.write_guard import check_write

    opened = await queries.open_source(source)
    find_write_url(opened.spec)
    catalogue = await opened.catalogue.get()
    change = check_write(sql, catalogue, hidden=opened.spec.hidden)
    personal = bool(await find_personal_among(opened, catalogue, change.touches))
    with _redact_failures(change.sql, personal=personal):
        return _WriteTrial(opened.spec, await try_write(opened.spec, change), personal)


@contextmanager
def _redact_failures(sql: str, *, personal: bool) -> Generator[None]:
    """Hide personal values in a failure, as in "Key (name)=(Ann) already exists"."""
    try:
        yield
    except QueryFailedError as error:
        raise redact_failure(error, sql, personal=personal) from error
