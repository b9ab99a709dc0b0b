"""`metric_query`: a project's own metrics, compiled to SQL, instead of SQL made up each time."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any

from langchain_core.tools import BaseTool
from pydantic import BaseModel, Field
from pydantic import ValidationError as PydanticError

from dataagent_core.config.data_limits import QUERY_PREVIEW_ROWS
from dataagent_core.errors import QueryRefusedError, ValidationError
from dataagent_core.permissions.taint import external_metadata
from dataagent_core.tools.data.desk import DataDesk
from dataagent_core.tools.data.offered.receipt import RESULT_KEY, receipt_of_result
from dataagent_core.tools.data.offered.ruled import why_ask_of_sources
from dataagent_core.tools.data.offered.sql import why_ask_about
from dataagent_core.tools.data.results.kept import Kept
from dataagent_core.tools.data.results.lineage import Touch
from dataagent_core.tools.data.results.preview import preview
from dataagent_core.tools.data.results.reading import read_page
from dataagent_core.tools.data.semantic import Filter, MetricQuery, SemanticModel
from dataagent_core.tools.data.semantic.grain import Grain
from dataagent_core.tools.data.semantic.metrics import source_of
from dataagent_core.tools.data.semantic.query import Operator, Scalar
from dataagent_core.tools.data.semantic.unique_keys import check_relations
from dataagent_core.tools.effects import effect_metadata
from dataagent_core.tools.foresight import Foreseen, Foresight, Ruling
from dataagent_core.tools.making import make_tool

# Reads a project's model as it is now.
ReadModel = Callable[[], Awaitable[SemanticModel]]


class FilterArg(BaseModel):
    """Rows that count."""

    dimension: str
    op: Operator = "="
    value: Scalar | list[Scalar] = None


def make_metric_query(desk: DataDesk, model: ReadModel) -> BaseTool:
    """Make the tool; the model is read anew at each call, so that an edited file counts."""

    async def metric_query(
        metrics: Annotated[list[str], Field(min_length=1, description="Metric names.")],
        dimensions: Annotated[list[str] | None, Field(description="Group by these.")] = None,
        *,
        filters: list[FilterArg] | None = None,
        grain: Annotated[Grain | None, Field(description="Cut time dimensions to it.")] = None,
        top: Annotated[int | None, Field(ge=1, description="Only the largest ones.")] = None,
        source: Annotated[str | None, Field(description="Leave out: found for you.")] = None,
    ) -> tuple[str, dict[str, Any]]:
        """Query the project's defined metrics by dimensions. Prefer it over SQL of your own.

        data_search_catalog finds metrics and dimensions.
        """
        asked = {
            "metrics": metrics,
            "dimensions": dimensions or [],
            "filters": filters or [],
            "grain": grain,
            "top": top,
        }
        known = await model()
        if source not in (None, source_of(known, metrics)):
            # The rules were asked about that source, and by now it is another.
            raise QueryRefusedError(f"These metrics are not of the source {source!r:.100}.")
        kept = await run_metric_query(desk, known, metric_from(asked))
        page = await read_page(desk.results, kept.result_id, 0, QUERY_PREVIEW_ROWS)
        text = f"{kept.sql}\n{preview(page).text}"
        return text, {RESULT_KEY: receipt_of_result(kept)}

    return make_tool(
        metric_query, {**effect_metadata("pure"), **external_metadata()}, with_artifact=True
    )


def foresee_metric(desk: DataDesk, model: ReadModel) -> Foresight:
    """Name its source, ask the rules about that, and the engine what it would cost.

    The source becomes an argument, so that rules about sources are rules about it, and an answer is
    bound to it. An expensive one asks a person.
    """

    async def foresee(args: dict[str, Any], ruling: Ruling) -> Foreseen:
        asked = {key: value for key, value in args.items() if value is not None}
        asked.pop("source", None)
        known, query = await model(), metric_from(asked)
        source = source_of(known, query.metrics)
        touch = Touch("metric_query", source)
        ask = await why_ask_of_sources(desk, "metric_query", source, [touch], ruling)
        _, sql = await _compiled(desk, known, query)
        return Foreseen({**args, "source": source}, ask or await why_ask_about(desk, source, sql))

    return foresee


class _Asked(BaseModel):
    metrics: list[str]
    dimensions: list[str] = []
    filters: list[FilterArg] = []
    grain: Grain | None = None
    top: int | None = Field(default=None, ge=1)


def metric_from(asked: Mapping[str, Any]) -> MetricQuery:
    """Read a query as a report or a request writes it."""
    try:
        read = _Asked.model_validate(asked)
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


async def run_metric_query(desk: DataDesk, model: SemanticModel, query: MetricQuery) -> Kept:
    """Compile it for its source and run it like any other SQL."""
    source, sql = await _compiled(desk, model, query)
    await check_relations(desk, source, model, query)
    return await desk.query(source, sql, by="metric_query")


async def _compiled(desk: DataDesk, model: SemanticModel, query: MetricQuery) -> tuple[str, str]:
    # The parser is large: it is loaded when it is needed.
    from dataagent_core.tools.data.semantic.compile import compile_metrics

    source = source_of(model, query.metrics)
    spec = await desk.spec(source)
    return source, compile_metrics(model, query, spec.dialect)
