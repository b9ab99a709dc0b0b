"""`report_create`: a report of kept results, for a model."""

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Any

from langchain_core.tools import BaseTool
from pydantic import Field

from dataagent_core.config.limits.data import REPORT_BLOCKS_MAX
from dataagent_core.errors import LimitReachedError, NotFoundError, ValidationError
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.data.reports.chained_queries import make_self_contained
from dataagent_core.tools.data.reports.report_definition import ReportDefinition
from dataagent_core.tools.data.reports.report_files import ReportFormat, save_report
from dataagent_core.tools.data.reports.report_run import ReportMaker, run_report
from dataagent_core.tools.data.reports.report_store import ReportStore
from dataagent_core.tools.data.reports.yaml_model import check_model
from dataagent_core.tools.data.results.result_store import ResultStore
from dataagent_core.tools.data.results.stored_result import StoredResult
from dataagent_core.tools.definition.tool_factory import make_tool
from dataagent_core.tools.effects import effect_metadata
from dataagent_core.tools.output.artifacts import ARTIFACTS_KEY

_QUERY_KEY = "query"


def make_report_tools(
    maker: ReportMaker, workspace: SafeRoot, shelf: ReportStore | None = None
) -> list[BaseTool]:
    """Make the tool of one session; the files go into its workspace."""

    async def report_create(  # noqa: PLR0917 - a model names them all
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
        kept = await _kept_by_name(blocks, maker.results)
        names = {result.result_id: query for query, result in kept.items()}
        document = {
            "title": title,
            "author": author,
            "template": template,
            "queries": {q: {"source": k.source, "sql": k.sql} for q, k in kept.items()},
            "blocks": [_renamed(block, names) for block in blocks],
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
        made = await save_report(workspace, report, maker.renderer, chosen, name or None)
        if shelf is not None and lasts:
            again += await _listed(shelf, definition)
        lines = [
            f"Wrote the report {report.title!r}.",
            *(str(file["path"]) for file in made),
            again,
        ]
        return "\n".join(lines), {ARTIFACTS_KEY: made}

    return [make_tool(report_create, effect_metadata("idempotent"), with_artifact=True)]


async def _listed(shelf: ReportStore, definition: ReportDefinition) -> str:
    """List a report for the person; say why not, where it cannot be."""
    try:
        await shelf.keep(definition)
    except LimitReachedError as error:
        return f" It is not listed among the person's reports: {error}"
    return " It is listed among the person's reports."


async def _kept_by_name(
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
    return {_name(number, kept): kept for number, kept in enumerate(found.values(), 1)}


def _name(number: int, kept: StoredResult) -> str:
    source = re.sub(r"\W+", "_", kept.source, flags=re.ASCII).strip("_") or "query"
    return f"q{number}_{source}"[:64]


def _renamed(block: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    name = names.get(str(block.get(_QUERY_KEY)))
    return {**block, _QUERY_KEY: name} if name is not None else block
