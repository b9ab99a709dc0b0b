"""`run_report`: its queries run, its blocks filled. Running it again is calling it again."""

import datetime as dt
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dataagent_core.config.limits.data import QUERY_ROWS_DEFAULT, QUERY_ROWS_MAX
from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_core.tools.data.charts.chart_model import MaskCell
from dataagent_core.tools.data.charts.renderer import Renderer
from dataagent_core.tools.data.reports.block_filler import BlockFiller
from dataagent_core.tools.data.reports.chained_queries import (
    list_named_queries,
    make_result_gone_error,
    substitute_results,
)
from dataagent_core.tools.data.reports.formats.report_words import get_report_words
from dataagent_core.tools.data.reports.report_definition import QueryDefinition, ReportDefinition
from dataagent_core.tools.data.reports.report_document import Report
from dataagent_core.tools.data.reports.report_parameters import (
    check_parameter_values,
    fill_sql,
    fill_text,
)
from dataagent_core.tools.data.reports.report_templates import (
    ReportTemplate,
    find_template,
    load_templates,
)
from dataagent_core.tools.data.results.result_store import ResultStore
from dataagent_core.tools.data.results.stored_result import StoredResult
from dataagent_core.tools.data.sources.source_spec import RESULTS_SOURCE

# A source's name, its SQL as a person wrote it, and how many rows are kept; whoever runs it checks.
RunQuery = Callable[[str, str, int], Awaitable[StoredResult]]
RunMetric = Callable[[Mapping[str, Any]], Awaitable[StoredResult]]
MaskFor = Callable[[StoredResult], MaskCell | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportMaker:
    """What every report of one person is made with."""

    results: ResultStore
    renderer: Renderer
    run_query: RunQuery
    run_metric: RunMetric | None = None
    mask_for: MaskFor | None = None
    templates: Mapping[str, ReportTemplate] | None = None


async def run_report(
    definition: ReportDefinition,
    maker: ReportMaker,
    *,
    parameters: Mapping[str, Any] | None = None,
    already: Mapping[str, StoredResult] | None = None,
    zone: dt.tzinfo = dt.UTC,
) -> Report:
    """Run a report; results that are there `already`, by query, are not asked for again.

    Nor are the queries these were made from: only what is still missing runs.
    """
    values = check_parameter_values(definition, parameters or {})
    template = find_template(definition.template, dict(maker.templates or load_templates()))
    title = fill_text(definition.title, values)
    words = get_report_words(definition.language or template.language, title)
    queries = _ReportQueries(definition, values, maker, dict(already or {}))
    wanted = definition.queries if already is None else definition.queries_shown()
    # Those over others first: they say which of the others must be whole.
    for name in sorted(wanted, key=lambda name: definition.queries[name].source != RESULTS_SOURCE):
        await queries.run(name)
    kept = queries.kept
    filling = BlockFiller(maker.results, maker.renderer, kept, words, values, maker.mask_for)
    blocks = (*template.before, *definition.blocks, *template.after)
    items = [await filling.item(block) for block in blocks]
    now = time.time()
    return Report(
        definition=definition,
        title=title,
        author=fill_text(definition.author, values),
        made_at=now,
        made_on=dt.datetime.fromtimestamp(now, zone).strftime("%Y-%m-%d %H:%M %Z").strip(),
        template=template,
        words=words,
        items=tuple(items),
        results=tuple((name, kept[name]) for name in definition.queries if name in kept),
    )


@dataclass(slots=True)
class _ReportQueries:
    """Runs the queries of one run, those first that another is over."""

    definition: ReportDefinition
    values: Mapping[str, str]
    maker: ReportMaker
    kept: dict[str, StoredResult]
    running: list[str] = field(default_factory=list[str])

    async def run(self, name: str, rows_max: int = QUERY_ROWS_DEFAULT) -> StoredResult:
        """Run a query, unless its result is there."""
        if name in self.kept:
            return self.kept[name]
        if name in self.running:
            raise ValidationError(f"The queries {', '.join(self.running)} are over each other.")
        self.running.append(name)
        self.kept[name] = await self._asked(name, self.definition.queries[name], rows_max)
        self.running.remove(name)
        return self.kept[name]

    async def _asked(self, name: str, query: QueryDefinition, rows_max: int) -> StoredResult:
        if query.sql is not None:
            sql = fill_sql(query.sql, self.definition, self.values)
            if query.source == RESULTS_SOURCE:
                return await self._over_others(name, sql, rows_max)
            return await self.maker.run_query(query.source, sql, rows_max)
        if self.maker.run_metric is None or query.metric is None:
            raise ValidationError(
                f"Query {name!r} asks for a metric, and no semantic layer is there to answer. "
                "Write its SQL, or add the project's semantic files."
            )
        return await self.maker.run_metric(query.metric)

    async def _over_others(self, name: str, sql: str, rows_max: int) -> StoredResult:
        fresh: dict[str, str] = {}
        for other in list_named_queries(sql, self.definition):
            # It is a table here, of which no row may be missing.
            fresh[other] = (await self.run(other, QUERY_ROWS_MAX)).result_id
        try:
            sql = substitute_results(sql, fresh) if fresh else sql
            return await self.maker.run_query(RESULTS_SOURCE, sql, rows_max)
        except NotFoundError as error:
            raise make_result_gone_error(name, error) from error
