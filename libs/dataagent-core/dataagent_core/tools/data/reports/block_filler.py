"""Blocks filled with what their queries gave."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, assert_never

from dataagent_core.config.limits.data import REPORT_TABLE_COLUMNS_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.charts.chart_maker import make_chart
from dataagent_core.tools.data.charts.chart_model import MaskCell
from dataagent_core.tools.data.charts.renderer import Renderer
from dataagent_core.tools.data.data_model import ColumnKind
from dataagent_core.tools.data.reports import report_document as doc
from dataagent_core.tools.data.reports.formats.cell_text import (
    aggregate_column,
    render_cell_value,
    render_figure,
)
from dataagent_core.tools.data.reports.formats.prose import read_prose
from dataagent_core.tools.data.reports.formats.report_words import ReportWords
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
from dataagent_core.tools.data.reports.report_parameters import fill_text
from dataagent_core.tools.data.results.result_reader import read_page, read_table
from dataagent_core.tools.data.results.result_store import ResultStore
from dataagent_core.tools.data.results.stored_result import StoredResult
from dataagent_core.tools.definition.name_suggestions import suggest_names

_NUMBERS: frozenset[ColumnKind] = frozenset({"integer", "decimal", "float"})


@dataclass(slots=True)
class BlockFiller:
    """Fills the blocks of one run."""

    results: ResultStore
    renderer: Renderer
    kept: Mapping[str, StoredResult]
    words: ReportWords
    values: Mapping[str, str]
    mask_for: Callable[[StoredResult], MaskCell | None] | None = None
    charts: int = field(default=0)

    async def item(self, block: Block) -> doc.Item:  # noqa: PLR0911 - one for each kind
        """Fill one block."""
        match block:
            case HeadingBlock():
                return doc.HeadingItem(text=fill_text(block.text, self.values), level=block.level)
            case TextBlock():
                markdown = fill_text(block.markdown, self.values, markdown=True)
                return doc.ProseItem(nodes=read_prose(markdown))
            case TableBlock():
                return await self._table(block)
            case ChartBlock():
                return await self._chart(block)
            case SqlBlock():
                kept = self.kept[block.query]
                return doc.SqlItem(sql=kept.sql, result_id=kept.result_id)
            case FigureBlock():
                return await self._figure(block)
            case PageBreakBlock():
                return doc.PageBreakItem()
            case _:
                assert_never(block)

    async def _table(self, block: TableBlock) -> doc.TableItem:
        kept = self.kept[block.query]
        names = [column.name for column in kept.columns]
        chosen = [_place(kept, name) for name in block.columns] if block.columns else None
        places = chosen if chosen is not None else list(range(len(names)))
        shown, left_out = places[:REPORT_TABLE_COLUMNS_MAX], places[REPORT_TABLE_COLUMNS_MAX:]
        page = await read_page(self.results, kept.result_id, 0, block.rows_max)
        mask = self._mask(kept)
        rows = tuple(
            tuple(render_cell_value(mask(names[n], row[n]), names[n]) for n in shown)
            for row in page.rows
        )
        notes = self._cut_note(kept)
        if len(rows) < kept.row_count:
            notes.append(self.words.rows_of(len(rows), kept.row_count))
        if left_out:
            columns = ", ".join(names[n] for n in left_out)
            notes.append(self.words.columns_left_out.format(columns=columns))
        return doc.TableItem(
            title=fill_text(block.title, self.values),
            names=tuple(names[n] for n in shown),
            aligns=tuple(_align(kept.columns[n].kind) for n in shown),
            rows=rows,
            notes=tuple(notes),
            result_id=kept.result_id,
        )

    async def _chart(self, block: ChartBlock) -> doc.ChartItem:
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

    async def _figure(self, block: FigureBlock) -> doc.FigureItem:
        kept = self.kept[block.query]
        place = _place(kept, block.column)
        name = kept.columns[place].name
        if block.aggregate is not None:
            table = await read_table(self.results, kept.result_id)
            cells = await asyncio.to_thread(table.column(place).to_pylist)
            value: Any = aggregate_column(cells, block.aggregate, name)
        else:
            page = await read_page(self.results, kept.result_id, block.row, 1)
            if not page.rows:
                raise ValidationError(
                    f"The figure {block.label!r} is in row {block.row} of {kept.result_id}, which "
                    f"has {kept.row_count} rows. Rows count from 0."
                )
            value = page.rows[0][place]
        shown = self._mask(kept)(name, value)
        text = render_figure(shown, block.format, name) if shown is value else str(shown)
        note = " ".join(self._cut_note(kept)) if block.aggregate else ""
        label = fill_text(block.label, self.values)
        return doc.FigureItem(label=label, value=text, note=note, result_id=kept.result_id)

    def _mask(self, kept: StoredResult) -> MaskCell:
        mask = self.mask_for(kept) if self.mask_for else None
        return mask or (lambda _name, value: value)

    def _cut_note(self, kept: StoredResult) -> list[str]:
        return [self.words.cut(kept.row_count)] if kept.truncated else []


def _place(kept: StoredResult, name: str) -> int:
    names = [column.name for column in kept.columns]
    if name in names:
        return names.index(name)
    raise ValidationError(
        f"{kept.result_id} has no column {name!r:.80}. {suggest_names(name, names)} It has: "
        f"{', '.join(names[:30])}."
    )


def _align(kind: ColumnKind) -> Literal["left", "right"]:
    return "right" if kind in _NUMBERS else "left"
