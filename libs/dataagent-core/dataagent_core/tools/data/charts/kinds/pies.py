"""Builds pies: slices with their shares, and their values in the legend."""

import json
from typing import Any

from dataagent_core.config.limits.data import CHART_SLICES_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.charts import chart_theme
from dataagent_core.tools.data.charts.chart_names import escape_field
from dataagent_core.tools.data.charts.kinds.built_chart import BuiltChart
from dataagent_core.tools.data.charts.kinds.series import ChartSeries

_LABELLED_SHARE_MIN = 0.04
_OUTER_PIXELS, _LABEL_PIXELS, _INNER_PIXELS = 150, 172, 70


def build_pie(series: ChartSeries) -> BuiltChart:
    """Build the requested pie."""
    if series.color is not None:
        series.notes.append(f"{series.color.name} is not shown: a pie is cut by one column")
        series.color = None
    _join_colours(series)
    if any(value < 0 for value in series.values.values()):
        raise ValidationError(
            "A pie cannot show negative values. Use a bar chart, which can (kind 'bar')."
        )
    if not any(series.values.values()):
        raise ValidationError("A pie cannot show zeros only. Use a bar chart, which can.")
    _name_times(series)
    series.limit_x(CHART_SLICES_MAX)
    whole = sum(series.values.values())
    names = series.ordered_names()
    totals = {key[0]: value for key, value in series.values.items()}
    label, rank = _find_unused_name("share", series), _find_unused_name("order", series)
    color = {
        "field": escape_field(series.x.name),
        "type": "nominal",
        "title": series.x.name,
        "sort": names,
        "scale": series.colours(names),
        "legend": {"labelExpr": _write_label_expression(totals, whole), "labelLimit": 320},
    }
    theta = {"field": escape_field(series.measure), "type": "quantitative", "stack": True}
    encoding = {"theta": theta, "order": {"field": rank, "type": "quantitative"}, "color": color}
    built = series.built({}, encoding, width=chart_theme.HEIGHT_PIXELS)
    for row in built.rows:
        share = row[series.measure] / whole
        row[label] = f"{share:.1%}" if share >= _LABELLED_SHARE_MIN else ""
        row[rank] = names.index(row[series.x.name])
    del built.spec["mark"]
    arc = {"type": "arc", "innerRadius": _INNER_PIXELS, "outerRadius": _OUTER_PIXELS}
    text = {"type": "text", "radius": _LABEL_PIXELS, "fontSize": 12}
    built.spec["layer"] = [
        {"mark": {**arc, "stroke": "white", "tooltip": True}},
        {"mark": text, "encoding": {"text": {"field": label}, "color": {"value": "#59636E"}}},
    ]
    return built


def _join_colours(series: ChartSeries) -> None:
    joined: dict[tuple[Any, ...], float] = {}
    for key, value in series.values.items():
        joined[key[0], None] = joined.get((key[0], None), 0) + value
    series.values = joined


def _name_times(series: ChartSeries) -> None:
    """Write times as their dates: a legend shows names as they are."""
    if series.x.role != "time":
        return
    length = {"year": 4, "quarter": 7, "month": 7, "week": 10, "day": 10, "hour": 16}
    end = length[series.time_grain()]
    named: dict[tuple[Any, ...], float] = {}
    for key, value in series.values.items():
        name = key[0][:end].replace("T", " ")
        named[name, None] = named.get((name, None), 0) + value
    series.values = named


def _write_label_expression(totals: dict[Any, float], whole: float) -> str:
    """Write each name of the legend with its value and its share."""
    labels: dict[str, str] = {}
    for name, value in totals.items():
        share = f"{value / whole:.1%}"
        labels[_format_name(name)] = f"{_format_name(name)}  {value:,.12g} ({share})"
    return f"{json.dumps(labels, ensure_ascii=True)}[datum.label] || datum.label"


def _format_name(name: Any) -> str:
    """Write a name like the legend's label."""
    if isinstance(name, bool):
        return "true" if name else "false"
    return f"{name:,.12g}" if isinstance(name, (int, float)) else str(name)


def _find_unused_name(name: str, series: ChartSeries) -> str:
    while name in {series.x.name, series.measure}:
        name += "_"
    return name
