"""A report with its data, from which each format is rendered. It holds no markup."""

from dataclasses import dataclass
from typing import Literal

from dataagent_core.tools.data.charts.chart_model import Chart
from dataagent_core.tools.data.reports.formats.prose import ProseNode
from dataagent_core.tools.data.reports.formats.report_words import ReportWords
from dataagent_core.tools.data.reports.report_definition import ReportDefinition
from dataagent_core.tools.data.reports.report_templates import ReportTemplate
from dataagent_core.tools.data.results.stored_result import StoredResult


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadingItem:
    """A heading."""

    text: str
    level: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProseItem:
    """Parsed text."""

    nodes: tuple[ProseNode, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableItem:
    """Rows of rendered cells."""

    title: str
    names: tuple[str, ...]
    aligns: tuple[Literal["left", "right"], ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    result_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartItem:
    """A drawn chart; numbered from 1."""

    number: int
    chart: Chart
    title: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlItem:
    """The SQL of a result."""

    sql: str
    result_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureItem:
    """One number with its label."""

    label: str
    value: str
    note: str
    result_id: str


@dataclass(frozen=True, slots=True)
class PageBreakItem:
    """A new page."""


Item = HeadingItem | ProseItem | TableItem | ChartItem | SqlItem | FigureItem | PageBreakItem


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A report with its items, template and results."""

    definition: ReportDefinition
    title: str
    author: str
    made_at: float
    # `made_at` for a person.
    made_on: str
    template: ReportTemplate
    words: ReportWords
    items: tuple[Item, ...]
    # The results by the name of their query, in the order they ran.
    results: tuple[tuple[str, StoredResult], ...]
