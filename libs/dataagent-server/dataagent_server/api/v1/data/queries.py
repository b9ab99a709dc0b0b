"""`/api/v1/data/check` and `/query`: SQL without a model; results are kept for you."""

from fastapi import APIRouter

from dataagent_core.config.limits.data import QUERY_CHECK_S, QUERY_PLAN_S
from dataagent_core.errors import QueryFailedError, QueryRefusedError
from dataagent_core.tools.data.data_model import CostEstimate, QueryLimits
from dataagent_core.tools.data.query_service import PreparedQuery as CheckedQuery
from dataagent_core.tools.data.query_service import QueryService, explain_cost
from dataagent_core.tools.data.time_left import TimeLeft
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep, WithoutTimeout
from dataagent_server.api.models.data.tables import (
    CheckedSql,
    QueryAsked,
    RowsInfo,
    SqlAsked,
    SqlProblem,
)
from dataagent_server.api.v1.data.shared import (
    QUERY_ERRORS,
    ProjectQuery,
    map_data_errors,
    read_rows,
)
from dataagent_server.common.errors import ExpensiveQueryError

router = APIRouter(prefix="/data", tags=["data"], dependencies=[WithoutTimeout])


@router.post("/check", summary="Check SQL", responses=QUERY_ERRORS)
async def check_data_sql(
    body: SqlAsked,
    principal: CurrentPrincipal,
    services: ServicesDep,
    project_id: ProjectQuery = None,
) -> CheckedSql:
    """Say whether SQL may run, how it would run and what it would cost; nothing runs.

    That it may not run is an answer (`problem`), not an error: 404 is for a source that is missing.
    """
    queries = await services.data.open_queries(principal, project_id)
    try:
        with map_data_errors():
            prepared, estimate = await _estimate(
                queries, body, TimeLeft(QUERY_CHECK_S), QUERY_PLAN_S
            )
    except (QueryRefusedError, QueryFailedError) as error:
        return _render_refusal(error)
    return CheckedSql(
        ok=True,
        normalized_sql=prepared.checked.sql,
        tables=list(prepared.checked.tables),
        est_rows=estimate.rows,
        expensive=explain_cost(estimate),
    )


@router.post("/query", summary="Run a query", responses=QUERY_ERRORS)
async def run_data_query(
    body: QueryAsked,
    principal: CurrentPrincipal,
    services: ServicesDep,
    project_id: ProjectQuery = None,
) -> RowsInfo:
    """Run one read-only SELECT; its rows are kept under `result_id` and count in your quota.

    One that looks expensive is a 409 with `expensive` and `est_rows` in `details`: ask again with
    `confirmed`.
    """
    queries = await services.data.open_queries(principal, project_id, is_look=body.look)
    with map_data_errors():
        # A plan takes its time out of the query's.
        left = TimeLeft(body.timeout_s)
        if not body.confirmed:
            _, estimate = await _estimate(queries, body, left, body.timeout_s)
            if reason := explain_cost(estimate):
                raise ExpensiveQueryError(
                    f"Not run: {reason}. Send confirmed=true to run it anyway.",
                    {"expensive": reason, "est_rows": estimate.rows},
                )
        limits = QueryLimits(rows_max=body.max_rows, timeout_s=left.s())
        kept = await queries.query(body.source, body.sql, limits)
    return await read_rows(queries.results, kept.result_id, 0, body.rows)


def _render_refusal(error: QueryRefusedError | QueryFailedError) -> CheckedSql:
    problem = SqlProblem(error_code=error.code, message=str(error))
    return CheckedSql(
        ok=False, problem=problem, normalized_sql="", tables=[], est_rows=None, expensive=None
    )


async def _estimate(
    queries: QueryService, body: SqlAsked, left: TimeLeft, plan_s: float
) -> tuple[CheckedQuery, CostEstimate]:
    prepared = await queries.check(body.source, body.sql, left.s())
    try:
        return prepared, await queries.estimate(prepared, min(left.s(), plan_s))
    finally:
        await prepared.aclose()
