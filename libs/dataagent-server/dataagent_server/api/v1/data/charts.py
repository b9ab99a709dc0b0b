"""`/api/v1/data/results/{id}/chart`: a result as a picture, or as the spec of one."""

from fastapi import APIRouter
from starlette.responses import Response

from dataagent_core.tools.data.charts import make_chart
from dataagent_server.api.answers.bytes_answer import bytes_answer
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep, WithoutTimeout
from dataagent_server.api.models.data.charts import ChartAsked, ChartSpec, PictureAsked
from dataagent_server.api.openapi import errors
from dataagent_server.api.v1.data.results import ResultPath, describe_download

router = APIRouter(prefix="/data/results", tags=["data"])


@router.post(
    "/{result_id}/chart",
    summary="Draw a result",
    status_code=200,
    response_class=Response,
    dependencies=[WithoutTimeout],
    responses={
        **describe_download("image/png", "application/pdf", "application/octet-stream"),
        **errors("TOOL_EXECUTION_ERROR", "VALIDATION_ERROR", "NOT_FOUND"),
    },
)
async def draw_data_chart(
    result_id: ResultPath, body: PictureAsked, principal: CurrentPrincipal, services: ServicesDep
) -> Response:
    """Draw a chart by an intent in words, by a Vega-Lite spec, or by what the columns are."""
    chart = await make_chart(
        await services.data.readable_results(principal, result_id),
        result_id,
        renderer=services.data.renderer,
        spec=body.spec,
        intent=body.intent,
        formats=(body.format,),
    )
    return bytes_answer(f"{result_id}.{body.format}", chart.pictures[body.format])


@router.post(
    "/{result_id}/chart/spec",
    summary="A result's chart as Vega-Lite",
    dependencies=[WithoutTimeout],
    responses=errors("TOOL_EXECUTION_ERROR", "VALIDATION_ERROR", "NOT_FOUND"),
)
async def get_data_chart_spec(
    result_id: ResultPath, body: ChartAsked, principal: CurrentPrincipal, services: ServicesDep
) -> ChartSpec:
    """Give the whole Vega-Lite spec with its data, for whoever draws it live."""
    chart = await make_chart(
        await services.data.readable_results(principal, result_id),
        result_id,
        renderer=services.data.renderer,
        spec=body.spec,
        intent=body.intent,
        formats=("svg",),
    )
    return ChartSpec(title=chart.title, notes=list(chart.notes), spec=dict(chart.spec))
