"""Builds box plots: quartiles, whiskers and outliers of a number, for each name along x.

They are computed over all rows and drawn with a few figures per box. Whiskers reach the last value
within one and a half times the box (Tukey); values beyond are drawn as points.
"""

import statistics
from collections import defaultdict
from typing import Any

from dataagent_core.config.limits.data import (
    CHART_BARS_MAX,
    CHART_CATEGORIES_MAX,
    CHART_OUTLIERS_MAX,
)
from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.charts import chart_theme
from dataagent_core.tools.data.charts.chart_choice import ChartChoice
from dataagent_core.tools.data.charts.chart_data.chart_frame import ChartField
from dataagent_core.tools.data.charts.chart_data.column_roles import find_sequence
from dataagent_core.tools.data.charts.chart_data.row_groups import (
    choose_grain,
    find_natural_grain,
    floor_time,
)
from dataagent_core.tools.data.charts.chart_model import ChartGrain, ChartIntent
from dataagent_core.tools.data.charts.chart_names import choose_words, escape_field
from dataagent_core.tools.data.charts.kinds.built_chart import BuiltChart

_REACH = 1.5
_STEP_PIXELS, _LYING_BOX_PIXELS, _UPRIGHT_BOX_PIXELS = 26, 18, 28
_UPRIGHT_BOXES_MAX = 12
_UPRIGHT_LABEL_COLUMNS_MAX = 10
_STATS = ("low", "q1", "median", "q3", "high")


def build_box_plot(choice: ChartChoice, intent: ChartIntent) -> BuiltChart:
    """Draw how a number is spread for each name."""
    assert choice.y is not None
    words, notes = choose_words(choice), list(choice.notes)
    groups = _group_values(choice, intent.grain, words.empty, notes)
    if sum(map(len, groups.values())) < 2:  # noqa: PLR2004 - one value has no distribution
        raise ValidationError(
            f"{choice.y.name!r} has fewer than two values: one figure is better said than drawn."
        )
    names = _order_names(groups, choice.x)
    if len(names) > CHART_BARS_MAX and (choice.x is None or choice.x.role != "time"):
        most = sorted(names, key=lambda name: -len(groups[name]))[:CHART_CATEGORIES_MAX]
        notes.append(
            f"of {len(names):,} names the {CHART_CATEGORIES_MAX} with most values are shown"
        )
        names = [name for name in names if name in most]
    if intent.aggregate not in {None, "median"}:
        notes.append(f"quartiles are drawn, not the {intent.aggregate}")
    along = choice.x.name if choice.x is not None else words.name
    rows = _make_rows(along, choice.y.name, {name: groups[name] for name in names}, notes)
    title = words.distribution(choice.y.name)
    if choice.x is not None:
        title = words.distribution_by(choice.y.name, choice.x.name)
    return BuiltChart(title, rows, _make_spec(choice, along, names), notes)


def _group_values(
    choice: ChartChoice, grain: ChartGrain | None, empty: str, notes: list[str]
) -> dict[Any, list[float]]:
    assert choice.y is not None
    numbers = choice.y.cells
    xs: list[Any] = [choice.y.name] * len(numbers)
    if choice.x is not None:
        xs = [empty if cell is None else cell for cell in choice.x.cells]
        if choice.x.role == "time":
            chosen = (
                grain
                or choose_grain(choice.x.cells)
                or find_natural_grain(time for time in choice.x.cells if time)
            )
            xs = [_format_time(time, chosen) if time else empty for time in choice.x.cells]
    groups: dict[Any, list[float]] = defaultdict(list)
    for x, number in zip(xs, numbers, strict=True):
        if number is not None:
            groups[x].append(number)
    without = sum(number is None for number in numbers)
    if without:
        notes.append(f"{without:,} empty values of {choice.y.name} are left out")
    return groups


def _format_time(time: str, grain: ChartGrain) -> str:
    start = floor_time(time, grain) or time
    length = {"year": 4, "quarter": 7, "month": 7, "week": 10, "day": 10, "hour": 16}[grain]
    return start[:length].replace("T", " ")


def _order_names(groups: dict[Any, list[float]], x: ChartField | None) -> list[Any]:
    if x is not None and x.role in {"time", "ordered", "number"}:
        written = find_sequence(str(name) for name in groups)
        return list(written) or sorted(groups, key=lambda name: (isinstance(name, str), name))
    medians = {name: statistics.median(pile) for name, pile in groups.items()}
    return sorted(groups, key=lambda name: (-medians[name], str(name)))


def _make_rows(
    along: str, value: str, groups: dict[Any, list[float]], notes: list[str]
) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    outliers: list[dict[str, Any]] = []
    for name, pile in groups.items():
        figures = compute_box(pile)
        rows.append({along: name, **dict(zip(_make_key_fields(value), figures, strict=True))})
        low, high = figures[0], figures[-1]
        outside = [number for number in pile if not low <= number <= high]
        outliers += [{along: name, value: number} for number in outside]
    if len(outliers) > CHART_OUTLIERS_MAX:
        outliers.sort(key=lambda row: -abs(row[value]))
        notes.append(
            f"{len(outliers):,} values lie outside the whiskers; the {CHART_OUTLIERS_MAX:,} "
            "farthest from zero are drawn"
        )
    return [*rows, *outliers[:CHART_OUTLIERS_MAX]]


def compute_box(values: list[float]) -> tuple[float, float, float, float, float]:
    """Return low whisker, lower quartile, median, upper quartile and high whisker."""
    q1, median, q3 = (
        statistics.quantiles(values, n=4, method="inclusive")
        if len(values) > 1
        else (values[0],) * 3
    )
    reach = _REACH * (q3 - q1)
    inside = [value for value in values if q1 - reach <= value <= q3 + reach]
    return min(inside, default=q1), q1, median, q3, max(inside, default=q3)


def _make_key_fields(value: str) -> list[str]:
    return [f"{value} {stat}" for stat in _STATS]


def _make_spec(choice: ChartChoice, along: str, names: list[Any]) -> dict[str, Any]:
    assert choice.y is not None
    value = choice.y.name
    low, q1, median, q3, high = (escape_field(key) for key in _make_key_fields(value))
    widest = max(chart_theme.count_terminal_columns(str(name)) for name in names)
    lying = len(names) > _UPRIGHT_BOXES_MAX or widest > _UPRIGHT_LABEL_COLUMNS_MAX
    across, up = ("y", "x") if lying else ("x", "y")
    numbers = [number for number in choice.y.cells if number is not None]
    axis = chart_theme.make_number_axis(
        value, numbers, chinese=chart_theme.is_chinese(value, along)
    )
    number: dict[str, Any] = {"type": "quantitative", "title": value, "scale": {"zero": False}}
    number["axis"] = {**axis, "grid": True}
    title = None if lying or choice.x is None else along
    name: dict[str, Any] = {
        "field": escape_field(along),
        "type": "nominal",
        "sort": names,
        "title": title,
    }
    name["axis"] = {"labelAngle": 0, "labelOverlap": True}
    wide = _LYING_BOX_PIXELS if lying else _UPRIGHT_BOX_PIXELS
    size = {"step": _STEP_PIXELS} if lying else chart_theme.HEIGHT_PIXELS

    def between(start: str, end: str) -> dict[str, Any]:
        return {up: {**number, "field": start}, f"{up}2": {"field": end}}

    return {
        "width": chart_theme.WIDTH_PIXELS,
        "height": size,
        "encoding": {across: name},
        "layer": [
            {"mark": {"type": "rule", "color": "#59636E"}, "encoding": between(low, high)},
            {
                "mark": {"type": "bar", "size": wide, "tooltip": {"content": "data"}},
                "encoding": between(q1, q3),
            },
            {
                "mark": {"type": "tick", "color": "white", "thickness": 2, "size": wide},
                "encoding": {up: {**number, "field": median}},
            },
            {
                "mark": {"type": "point", "size": 20, "opacity": 0.6},
                "encoding": {up: {**number, "field": escape_field(value)}},
            },
        ],
    }
