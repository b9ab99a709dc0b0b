"""`metric_query`: the metrics a project defined, compiled to SQL."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, Field
from pydantic import ValidationError as PydanticError

from dataagent_core.config.limits.data import QUERY_PREVIEW_ROWS
from dataagent_core.errors import QueryRefusedError, ValidationError
from dataagent_core.permissions.taint import make_external_metadata
from dataagent_core.tools.data.agent_tools.data_tool_services import DataToolServices
from dataagent_core.tools.data.agent_tools.result_receipt import RESULT_KEY, make_result_receipt
from dataagent_core.tools.data.agent_tools.source_rules import explain_source_questions
from dataagent_core.tools.data.agent_tools.sql_tools import explain_query_cost
from dataagent_core.tools.data.query_service import QueryService
from dataagent_core.tools.data.results.result_lineage import SourceTouch
from dataagent_core.tools.data.results.result_preview import render_preview
from dataagent_core.tools.data.results.result_reader import read_page
from dataagent_core.tools.data.results.stored_result import StoredResult
from dataagent_core.tools.data.semantic import Filter, MetricQuery, SemanticModel
from dataagent_core.tools.data.semantic.metric_lookup import find_metric_source
from dataagent_core.tools.data.semantic.metric_query import FilterOperator, Scalar
from dataagent_core.tools.data.semantic.time_grain import TimeGrain
from dataagent_core.tools.data.semantic.unique_keys import check_relations
from dataagent_core.tools.definition.tool_definition import define_tool
from dataagent_core.tools.pipeline.call_forecast import CallForecast, JudgeSource


class FilterArg(BaseModel):
    """Rows that count."""

    dimension: str
    op: FilterOperator = "="
    value: Scalar | list[Scalar] = None


@define_tool("pure", make_external_metadata(), with_artifact=True)
async def metric_query(
    services: DataToolServices,
    metrics: Annotated[list[str], Field(min_length=1, description="Metric names.")],
    dimensions: Annotated[list[str] | None, Field(description="Group by these.")] = None,
    *,
    filters: list[FilterArg] | None = None,
    grain: Annotated[TimeGrain | None, Field(description="Cut time dimensions to it.")] = None,
    top: Annotated[int | None, Field(ge=1, description="Only the largest ones.")] = None,
    source: Annotated[str | None, Field(description="Leave out: found for you.")] = None,
) -> tuple[str, dict[str, Any]]:
    """Query the project's defined metrics by dimensions. Prefer it over SQL of your own.

    data_search_catalog finds metrics and dimensions.
    """
    request = {
        "metrics": metrics,
        "dimensions": dimensions or [],
        "filters": filters or [],
        "grain": grain,
        "top": top,
    }
    # Read anew at each call, so that an edited file counts.
    model = await services.load_model()
    if source not in (None, find_metric_source(model, metrics)):
        # The rules allowed the source given; the model names another one by now.
        raise QueryRefusedError(f"These metrics are not of the source {source!r:.100}.")
    kept = await run_metric_query(services.queries, model, parse_metric_query(request))
    page = await read_page(services.results, kept.result_id, 0, QUERY_PREVIEW_ROWS)
    text = f"{kept.sql}\n{render_preview(page).text}"
    return text, {RESULT_KEY: make_result_receipt(kept)}


async def forecast_metric(
    services: DataToolServices, args: dict[str, Any], judge: JudgeSource
) -> CallForecast:
    """Name its source, ask the rules about that, and the engine what it would cost.

    The source becomes an argument, so that rules about sources apply to it and an approval is bound
    to it. An expensive query asks a person.
    """
    request = {key: value for key, value in args.items() if value is not None}
    request.pop("source", None)
    queries, model = services.queries, await services.load_model()
    query = parse_metric_query(request)
    source = find_metric_source(model, query.metrics)
    touch = SourceTouch("metric_query", source)
    ask = await explain_source_questions(queries, "metric_query", source, [touch], judge)
    _, sql = await _compile_query(queries, model, query)
    return CallForecast(
        {**args, "source": source}, ask or await explain_query_cost(queries, source, sql)
    )


class _MetricRequest(BaseModel):
    metrics: list[str]
    dimensions: list[str] = []
    filters: list[FilterArg] = []
    grain: TimeGrain | None = None
    top: int | None = Field(default=None, ge=1)


def parse_metric_query(request: Mapping[str, Any]) -> MetricQuery:
    """Read a query as a report or a request writes it."""
    try:
        read = _MetricRequest.model_validate(request)
    except PydanticError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise ValidationError(f"The metric query is wrong at {place}: {first['msg']}.") from None
    return MetricQuery(
        metrics=tuple(read.metrics),
        dimensions=tuple(read.dimensions),
        filters=tuple(
            Filter(dimension=one.dimension, op=one.op, value=one.value) for one in read.filters
        ),
        grain=read.grain,
        top=read.top,
    )


async def run_metric_query(
    queries: QueryService, model: SemanticModel, query: MetricQuery
) -> StoredResult:
    """Compile it for its source and run it like any other SQL."""
    source, sql = await _compile_query(queries, model, query)
    await check_relations(queries, source, model, query)
    return await queries.query(source, sql, by="metric_query")


async def _compile_query(
    queries: QueryService, model: SemanticModel, query: MetricQuery
) -> tuple[str, str]:
    # The parser is large: it is loaded when it is needed.
    from dataagent_core.tools.data.semantic.metric_sql import compile_metrics

    source = find_metric_source(model, query.metrics)
    spec = await queries.find_spec(source)
    return source, compile_metrics(model, query, spec.dialect)
