"""What a report is made of: a closed set of blocks. Those with data name their query."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from dataagent_core.config.limits.data import (
    CHART_TEXT_CHARS_MAX,
    REPORT_TABLE_ROWS_DEFAULT,
    REPORT_TABLE_ROWS_MAX,
    REPORT_TEXT_CHARS_MAX,
)
from dataagent_core.tools.data.charts.chart_model import ChartIntent

Line = Annotated[str, Field(max_length=CHART_TEXT_CHARS_MAX)]
# A query of the definition by its name, or a kept result by its id.
QueryName = Annotated[str, Field(min_length=1, max_length=64)]
FigureAggregate = Literal["sum", "mean", "min", "max", "count"]
FigureFormat = Literal["number", "percent", "plain"]


class _Block(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class HeadingBlock(_Block):
    """A heading; level 1 is the largest below the title."""

    type: Literal["heading"]
    text: Line
    level: Annotated[int, Field(ge=1, le=3)] = 1


class TextBlock(_Block):
    """Prose in Markdown."""

    type: Literal["text"]
    markdown: Annotated[str, Field(max_length=REPORT_TEXT_CHARS_MAX)]


class TableBlock(_Block):
    """Rows of a result."""

    type: Literal["table"]
    query: QueryName
    title: Line = ""
    columns: tuple[str, ...] | None = None
    rows_max: Annotated[int, Field(ge=1, le=REPORT_TABLE_ROWS_MAX)] = REPORT_TABLE_ROWS_DEFAULT


class ChartBlock(_Block):
    """A chart of a result, by an intent or a Vega-Lite spec."""

    type: Literal["chart"]
    query: QueryName
    title: Line = ""
    intent: ChartIntent | Line = ""
    spec: dict[str, Any] | None = None


class SqlBlock(_Block):
    """The SQL of a result, as it ran."""

    type: Literal["sql"]
    query: QueryName


class FigureBlock(_Block):
    """One number: a cell, or a column put together."""

    type: Literal["figure"]
    query: QueryName
    label: Line
    column: str
    row: Annotated[int, Field(ge=0)] = 0
    aggregate: FigureAggregate | None = None
    format: FigureFormat = "number"


class PageBreakBlock(_Block):
    """A new page, where there are pages."""

    type: Literal["page_break"]


Block = Annotated[
    HeadingBlock | TextBlock | TableBlock | ChartBlock | SqlBlock | FigureBlock | PageBreakBlock,
    Field(discriminator="type"),
]
# The blocks of a template: it has no data.
PlainBlock = Annotated[HeadingBlock | TextBlock | PageBreakBlock, Field(discriminator="type")]
