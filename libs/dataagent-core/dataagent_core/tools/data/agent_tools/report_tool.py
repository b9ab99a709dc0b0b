"""`report_create`: a report of kept results, for a model; and what makes reports of queries."""

import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Annotated, Any

from pydantic import Field

from dataagent_core.config.limits.data import REPORT_BLOCKS_MAX
from dataagent_core.errors import LimitReachedError, NotFoundError, ValidationError
from dataagent_core.tools.data.agent_tools.data_tool_services import DataToolServices
from dataagent_core.tools.data.agent_tools.metric_tool import parse_metric_query, run_metric_query
from dataagent_core.tools.data.charts import Renderer
from dataagent_core.tools.data.data_model import QueryLimits
from dataagent_core.tools.data.privacy.cell_masks import make_cell_mask
from dataagent_core.tools.data.query_service import QueryService
from dataagent_core.tools.data.reports.chained_queries import make_self_contained
from dataagent_core.tools.data.reports.report_definition import ReportDefinition
from dataagent_core.tools.data.reports.report_files import ReportFormat, save_report
from dataagent_core.tools.data.reports.report_run import MaskFor, ReportMaker, run_report
from dataagent_core.tools.data.reports.report_store import ReportStore
from dataagent_core.tools.data.reports.yaml_model import check_model
from dataagent_core.tools.data.results.result_store import ResultStore
from dataagent_core.tools.data.results.stored_result import StoredResult
from dataagent_core.tools.data.semantic import SemanticModel
from dataagent_core.tools.definition.tool_definition import define_tool
from dataagent_core.tools.output.artifacts import ARTIFACTS_KEY

_QUERY_KEY = "query"
# Reads a project's model as it is now.
LoadSemanticModel = Callable[[], Awaitable[SemanticModel]]


def make_report_maker(
    queries: QueryService,
    load_model: LoadSemanticModel,
    renderer: Renderer,
    mask_for: MaskFor | None = None,
) -> ReportMaker:
    """Make reports of what a query service answers."""

    async def run_query(source: str, sql: str, rows_max: int) -> StoredResult:
        return await queries.query(source, sql, QueryLimits(rows_max=rows_max))

    async def run_metric(request: Mapping[str, Any]) -> StoredResult:
        return await run_metric_query(queries, await load_model(), parse_metric_query(request))

    return ReportMaker(
        results=queries.results,
        renderer=renderer,
        run_query=run_query,
        run_metric=run_metric,
        mask_for=mask_for,
    )


@define_tool("idempotent", with_artifact=True)
async def report_create(  # noqa: PLR0917 - a model names them all
    services: DataToolServices,
    title: Annotated[str, Field(description="Title of the report.")],
    blocks: Annotated[
        list[dict[str, Any]],
        Field(
            min_length=1,
            max_length=REPORT_BLOCKS_MAX,
            description="In order; `query` is a result id. {type: heading, text, level 1-3} | "
            "{type: text, markdown} | {type: table, query, columns?, rows_max?, title?} | "
            "{type: chart, query, intent | spec, title?} | {type: sql, query} | "
            "{type: figure, query, label, column, row? | aggregate: sum|mean|min|max|count, "
            "format?: number|percent|plain} | {type: page_break}",
        ),
    ],
    formats: Annotated[
        list[ReportFormat], Field(min_length=1, max_length=3, description="Files to write.")
    ] = ["pdf"],  # noqa: B006 - read only, and a JSON schema shows it
    template: Annotated[
        str, Field(description="plain, briefing, plain-zh, briefing-zh, or the project's own.")
    ] = "plain",
    author: Annotated[str, Field(description="Who it is from.")] = "",
    name: Annotated[str, Field(description="Name of the files, without ending.")] = "",
) -> tuple[str, dict[str, Any]]:
    """Write a report of results below /reports: PDF, HTML (one file) or Markdown.

    Tables, charts and figures come from results by their ids, never from text; the SQL of
    each is appended. The .yml beside it runs the report again with fresh data.
    """
    # A model can read what is written into the workspace, so it is masked.
    maker = make_report_maker(
        services.queries, services.load_model, services.renderer, make_cell_mask
    )
    kept = await _find_named_results(blocks, maker.results)
    names = {result.result_id: query for query, result in kept.items()}
    document = {
        "title": title,
        "author": author,
        "template": template,
        "queries": {q: {"source": k.source, "sql": k.sql} for q, k in kept.items()},
        "blocks": [_rename_query(block, names) for block in blocks],
    }
    definition = check_model(ReportDefinition, document, "The report")
    again = "The .yml beside it runs it again with fresh data."
    lasts = True
    try:
        definition = await make_self_contained(definition, maker.results, kept)
    except ValidationError as error:
        lasts = False
        again = f"It cannot be run again once these results have expired. {error}"
    report = await run_report(definition, maker, already=kept)
    chosen = list(dict.fromkeys(formats))
    made = await save_report(services.workspace, report, maker.renderer, chosen, name or None)
    if services.access.reports is not None and lasts:
        again += await _list_report(services.access.reports, definition)
    lines = [
        f"Wrote the report {report.title!r}.",
        *(str(file["path"]) for file in made),
        again,
    ]
    return "\n".join(lines), {ARTIFACTS_KEY: made}


async def _list_report(reports: ReportStore, definition: ReportDefinition) -> str:
    """List a report for the person; say why not, where it cannot be."""
    try:
        await reports.keep(definition)
    except LimitReachedError as error:
        return f" It is not listed among the person's reports: {error}"
    return " It is listed among the person's reports."


async def _find_named_results(
    blocks: list[dict[str, Any]], results: ResultStore
) -> dict[str, StoredResult]:
    """Find the results the blocks name, and give each query a name a person can read."""
    found: dict[str, StoredResult] = {}
    for block in blocks:
        result_id = block.get(_QUERY_KEY)
        if not isinstance(result_id, str) or result_id in found:
            continue
        result = await results.get(result_id)
        for step in result.lineage.steps:
            # What it was made from is shown with it, while it is there.
            with suppress(NotFoundError):
                found.setdefault(step.result_id, await results.get(step.result_id))
        found[result_id] = result
    return {_make_query_name(number, kept): kept for number, kept in enumerate(found.values(), 1)}


def _make_query_name(number: int, kept: StoredResult) -> str:
    source = re.sub(r"\W+", "_", kept.source, flags=re.ASCII).strip("_") or "query"
    return f"q{number}_{source}"[:64]


def _rename_query(block: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    name = names.get(str(block.get(_QUERY_KEY)))
    return {**block, _QUERY_KEY: name} if name is not None else block
