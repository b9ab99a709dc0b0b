"""`/api/v1/data/model`, `/metrics` and `/test`: what a project calls things."""

from fastapi import APIRouter

from dataagent_core.tools.data.agent_tools.metric_tool import parse_metric_query, run_metric_query
from dataagent_core.tools.data.semantic.verified_questions import run_questions
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep, WithoutTimeout
from dataagent_server.api.models.data.metrics import (
    MetricAsked,
    SemanticModelInfo,
    SemanticModelPut,
    VerdictInfo,
    Verdicts,
)
from dataagent_server.api.models.data.tables import RowsInfo
from dataagent_server.api.openapi import errors
from dataagent_server.api.v1.data.shared import (
    QUERY_ERRORS,
    ProjectQuery,
    map_data_errors,
    read_rows,
)

router = APIRouter(prefix="/data", tags=["data"])

_GOOD = frozenset({"same", "ran"})


@router.get("/model", summary="The semantic model", responses=errors("NOT_FOUND"))
async def get_semantic_model(
    principal: CurrentPrincipal, services: ServicesDep, project_id: ProjectQuery = None
) -> SemanticModelInfo:
    """Show the YAML of a project's semantic model, or of the tenant's."""
    found = await services.data.models.get(principal, project_id)
    return SemanticModelInfo.model_validate(found)


@router.put("/model", summary="Set the semantic model", responses=errors("NOT_FOUND", "CONFLICT"))
async def put_semantic_model(
    body: SemanticModelPut,
    principal: CurrentPrincipal,
    services: ServicesDep,
    project_id: ProjectQuery = None,
) -> SemanticModelInfo:
    """Replace the model; one that does not hold together is refused with the place."""
    stored = await services.data.models.put(principal, project_id, body.text, body.version)
    return SemanticModelInfo.model_validate(stored)


@router.post(
    "/metrics/query",
    summary="Query metrics",
    responses=QUERY_ERRORS,
    dependencies=[WithoutTimeout],
)
async def query_metrics(
    body: MetricAsked,
    principal: CurrentPrincipal,
    services: ServicesDep,
    project_id: ProjectQuery = None,
) -> RowsInfo:
    """Compile metrics by dimensions to SQL, run it, and keep its rows."""
    queries = await services.data.open_queries(principal, project_id)
    model = await services.data.models.model_for(principal.tenant_id, project_id)
    with map_data_errors():
        kept = await run_metric_query(queries, model, parse_metric_query(body.query()))
    return await read_rows(queries.results, kept.result_id, 0, body.rows)


@router.post(
    "/test",
    summary="Run the verified questions",
    responses=QUERY_ERRORS,
    dependencies=[WithoutTimeout],
)
async def run_verified_questions(
    principal: CurrentPrincipal, services: ServicesDep, project_id: ProjectQuery = None
) -> Verdicts:
    """Run the model's questions again and show what is different from what was verified."""
    queries = await services.data.open_queries(principal, project_id)
    model = await services.data.models.model_for(principal.tenant_id, project_id)
    items = [
        VerdictInfo(
            question=verdict.question.question,
            owner=verdict.question.owner,
            source=verdict.question.source,
            state=verdict.state,
            differences=list(verdict.differences),
            rows=verdict.rows,
        )
        async for verdict in run_questions(queries, model.questions)
    ]
    return Verdicts(ok=all(item.state in _GOOD for item in items), items=items)
