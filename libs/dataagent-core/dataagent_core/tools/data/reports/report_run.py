"""Runs a report: `run_report` runs its queries and fills its blocks with their results."""

import asyncio
import datetime as dt
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, assert_never

from dataagent_core.config.limits.data import (
    QUERY_ROWS_DEFAULT,
    QUERY_ROWS_MAX,
    REPORT_TABLE_COLUMNS_MAX,
)
from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_core.tools.data.charts.chart_maker import make_chart
from dataagent_core.tools.data.charts.chart_model import MaskCell
from dataagent_core.tools.data.charts.renderer import Renderer
from dataagent_core.tools.data.data_model import ColumnKind
from dataagent_core.tools.data.reports import report_document as doc
from dataagent_core.tools.data.reports.chained_queries import (
    list_named_queries,
    make_result_gone_error,
    substitute_results,
)
from dataagent_core.tools.data.reports.formats.cell_text import (
    aggregate_column,
    render_cell_value,
    render_figure,
)
from dataagent_core.tools.data.reports.formats.prose import read_prose
from dataagent_core.tools.data.reports.formats.report_words import ReportWords, get_report_words
from dataagent_core.tools.data.reports.report_blocks import (
    Block,
    ChartBlock,
    FigureBlock,
    HeadingBlock,
    PageBreakBlock,
    SqlBlock,
    TableBlock,
    TextBlock,
)
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
from dataagent_core.tools.data.results.result_reader import read_page, read_table
from dataagent_core.tools.data.results.result_store import ResultStore
from dataagent_core.tools.data.results.stored_result import StoredResult
from dataagent_core.tools.data.sources.source_spec import RESULTS_SOURCE
from dataagent_core.tools.definition.name_suggestions import suggest_names

_NUMBERS: frozenset[ColumnKind] = frozenset({"integer", "decimal", "float"})


# Takes a source's name, the SQL as a person wrote it, and the rows to keep; it checks the SQL.
RunQuery = Callable[[str, str, int], Awaitable[StoredResult]]
RunMetric = Callable[[Mapping[str, Any]], Awaitable[StoredResult]]
MaskFor = Callable[[StoredResult], MaskCell | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportMaker:
    """The services that every report of one user is made with."""

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
    """Run a report; `already` holds the results of queries that need not run again.

    The queries those results were made from do not run either.
    """
    values = check_parameter_values(definition, parameters or {})
    template = find_template(definition.template, dict(maker.templates or load_templates()))
    title = fill_text(definition.title, values)
    words = get_report_words(definition.language or template.language, title)
    queries = _ReportQueries(definition, values, maker, dict(already or {}))
    wanted = definition.queries if already is None else definition.queries_shown()
    # Queries over other queries first: they decide which of the others must be complete.
    for name in sorted(wanted, key=lambda name: definition.queries[name].source != RESULTS_SOURCE):
        await queries.run(name)
    kept = queries.kept
    filler = _BlockFiller(maker.results, maker.renderer, kept, words, values, maker.mask_for)
    blocks = (*template.before, *definition.blocks, *template.after)
    items = [await filler.fill(block) for block in blocks]
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
    """Runs the queries of one report; a query that another one reads runs first."""

    definition: ReportDefinition
    values: Mapping[str, str]
    maker: ReportMaker
    kept: dict[str, StoredResult]
    running: list[str] = field(default_factory=list[str])

    async def run(self, name: str, rows_max: int = QUERY_ROWS_DEFAULT) -> StoredResult:
        """Run a query unless its result exists."""
        if name in self.kept:
            return self.kept[name]
        if name in self.running:
            raise ValidationError(f"The queries {', '.join(self.running)} are over each other.")
        self.running.append(name)
        self.kept[name] = await self._run_query(name, self.definition.queries[name], rows_max)
        self.running.remove(name)
        return self.kept[name]

    async def _run_query(self, name: str, query: QueryDefinition, rows_max: int) -> StoredResult:
        if query.sql is not None:
            sql = fill_sql(query.sql, self.definition, self.values)
            if query.source == RESULTS_SOURCE:
                return await self._run_over_others(name, sql, rows_max)
            return await self.maker.run_query(query.source, sql, rows_max)
        if self.maker.run_metric is None or query.metric is None:
            raise ValidationError(
                f"Query {name!r} asks for a metric, and no semantic layer is there to answer. "
                "Write its SQL, or add the project's semantic files."
            )
        return await self.maker.run_metric(query.metric)

    async def _run_over_others(self, name: str, sql: str, rows_max: int) -> StoredResult:
        fresh: dict[str, str] = {}
        for other in list_named_queries(sql, self.definition):
            # It is used as a table, so no row may be missing.
            fresh[other] = (await self.run(other, QUERY_ROWS_MAX)).result_id
        try:
            sql = substitute_results(sql, fresh) if fresh else sql
            return await self.maker.run_query(RESULTS_SOURCE, sql, rows_max)
        except NotFoundError as error:
            raise make_result_gone_error(name, error) from error


@dataclass(slots=True)
class _BlockFiller:
    """Fills the blocks of one run."""

    results: ResultStore
    renderer: Renderer
    kept: Mapping[str, StoredResult]
    words: ReportWords
    values: Mapping[str, str]
    mask_for: Callable[[StoredResult], MaskCell | None] | None = None
    charts: int = field(default=0)

    async def fill(self, block: Block) -> doc.Item:  # noqa: PLR0911 - one for each kind
        """Fill one block."""
        match block:
            case HeadingBlock():
                return doc.HeadingItem(text=fill_text(block.text, self.values), level=block.level)
            case TextBlock():
                markdown = fill_text(block.markdown, self.values, markdown=True)
                return doc.ProseItem(nodes=read_prose(markdown))
            case TableBlock():
                return await self._fill_table(block)
            case ChartBlock():
                return await self._fill_chart(block)
            case SqlBlock():
                kept = self.kept[block.query]
                return doc.SqlItem(sql=kept.sql, result_id=kept.result_id)
            case FigureBlock():
                return await self._fill_figure(block)
            case PageBreakBlock():
                return doc.PageBreakItem()
            case _:
                assert_never(block)

    async def _fill_table(self, block: TableBlock) -> doc.TableItem:
        kept = self.kept[block.query]
        names = [column.name for column in kept.columns]
        chosen = [_find_column(kept, name) for name in block.columns] if block.columns else None
        positions = chosen if chosen is not None else list(range(len(names)))
        shown, left_out = positions[:REPORT_TABLE_COLUMNS_MAX], positions[REPORT_TABLE_COLUMNS_MAX:]
        page = await read_page(self.results, kept.result_id, 0, block.rows_max)
        mask = self._get_mask(kept)
        rows = tuple(
            tuple(render_cell_value(mask(names[n], row[n]), names[n]) for n in shown)
            for row in page.rows
        )
        notes = self._note_truncation(kept)
        if len(rows) < kept.row_count:
            notes.append(self.words.rows_of(len(rows), kept.row_count))
        if left_out:
            columns = ", ".join(names[n] for n in left_out)
            notes.append(self.words.columns_left_out.format(columns=columns))
        return doc.TableItem(
            title=fill_text(block.title, self.values),
            names=tuple(names[n] for n in shown),
            aligns=tuple(_choose_alignment(kept.columns[n].kind) for n in shown),
            rows=rows,
            notes=tuple(notes),
            result_id=kept.result_id,
        )

    async def _fill_chart(self, block: ChartBlock) -> doc.ChartItem:
        kept = self.kept[block.query]
        chart = await make_chart(
            self.results,
            kept.result_id,
            renderer=self.renderer,
            spec=block.spec,
            intent=block.intent or None,
            formats=("svg", "png"),
            mask=self.mask_for(kept) if self.mask_for else None,
        )
        self.charts += 1
        title = fill_text(block.title, self.values)
        return doc.ChartItem(
            number=self.charts, chart=chart, title=title, notes=self.words.notes(chart.notes)
        )

    async def _fill_figure(self, block: FigureBlock) -> doc.FigureItem:
        kept = self.kept[block.query]
        position = _find_column(kept, block.column)
        name = kept.columns[position].name
        if block.aggregate is not None:
            table = await read_table(self.results, kept.result_id)
            cells = await asyncio.to_thread(table.column(position).to_pylist)
            value: Any = aggregate_column(cells, block.aggregate, name)
        else:
            page = await read_page(self.results, kept.result_id, block.row, 1)
            if not page.rows:
                raise ValidationError(
                    f"The figure {block.label!r} is in row {block.row} of {kept.result_id}, which "
                    f"has {kept.row_count} rows. Rows count from 0."
                )
            value = page.rows[0][position]
        shown = self._get_mask(kept)(name, value)
        text = render_figure(shown, block.format, name) if shown is value else str(shown)
        note = " ".join(self._note_truncation(kept)) if block.aggregate else ""
        label = fill_text(block.label, self.values)
        return doc.FigureItem(label=label, value=text, note=note, result_id=kept.result_id)

    def _get_mask(self, kept: StoredResult) -> MaskCell:
        mask = self.mask_for(kept) if self.mask_for else None
        return mask or (lambda _name, value: value)

    def _note_truncation(self, kept: StoredResult) -> list[str]:
        return [self.words.cut(kept.row_count)] if kept.truncated else []


def _find_column(kept: StoredResult, name: str) -> int:
    names = [column.name for column in kept.columns]
    if name in names:
        return names.index(name)
    raise ValidationError(
        f"{kept.result_id} has no column {name!r:.80}. {suggest_names(name, names)} It has: "
        f"{', '.join(names[:30])}."
    )


def _choose_alignment(kind: ColumnKind) -> Literal["left", "right"]:
    return "right" if kind in _NUMBERS else "left"
