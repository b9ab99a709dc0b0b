"""The words of charts: what somebody wants to see, and what was drawn."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from dataagent_core.tools.data.results.stored_result import StoredResult

ChartKind = Literal["line", "area", "bar", "point", "histogram", "box", "pie", "heatmap"]
ChartFormat = Literal["png", "svg", "pdf"]
Aggregate = Literal["sum", "mean", "median", "min", "max", "count"]
ChartGrain = Literal["year", "quarter", "month", "week", "day", "hour"]
# Gives what is shown in place of a cell, by the name of its column.
MaskCell = Callable[[str, Any], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartIntent:
    """What a chart is to show; whatever is left out is chosen by the kinds of the columns."""

    kind: ChartKind | None = None
    x: str | None = None
    y: str | None = None
    # Several numbers to draw together; `y` is the first of them.
    measures: tuple[str, ...] = ()
    color: str | None = None
    # How rows that share a place are put together; a sum, or a mean of rates, where nobody says.
    aggregate: Aggregate | None = None
    grain: ChartGrain | None = None
    # Shares of the whole instead of amounts.
    percent: bool = False
    # Only the greatest so many.
    top: int | None = None
    # Bars of several colours beside each other instead of on top of each other.
    side_by_side: bool = False
    title: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A chart of one result. The spec holds its data, so that a console can show it live."""

    kept: StoredResult
    title: str
    spec: Mapping[str, Any]
    # The SVG is always among them.
    pictures: Mapping[ChartFormat, bytes]
    # What whoever looks at it must know: rows left out, sums made, a result that was cut.
    notes: tuple[str, ...] = ()
