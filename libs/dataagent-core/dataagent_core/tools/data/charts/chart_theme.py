"""The theme of charts: one font for all scripts, distinct colours, readable numbers."""

import datetime as dt
import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from dataagent_core.tools.data.charts.chart_model import ChartGrain
from dataagent_core.tools.data.charts.fonts import FONT_FAMILY

VEGA_LITE_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
# Okabe and Ito's colours, the weak yellow left out; grey is for "other".
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#7A5195", "#8C6D31")
OTHER_COLOUR = "#9AA0A6"
WIDTH_PIXELS = 640
HEIGHT_PIXELS = 360
BAR_STEP_PIXELS = 26

_INK, _FAINT, _LINE = "#1F2328", "#59636E", "#E4E7EB"
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_SHARE = re.compile(r"rate|ratio|share|pct|percent|率|占比|比例|百分", re.IGNORECASE)
_LARGE = 10_000
_LABELS_MAX = 12
# With more points between two labels their calendar counts: the first of a month, midnight.
_POINTS_A_LABEL_MAX = 5
_SMALL_SHARE = 0.05
_UNITS = (("1e9", "B"), ("1e6", "M"), ("1e3", "K"))
_CHINESE_UNITS = (("1e8", "亿"), ("1e4", "万"))
_GRAIN_FORMATS: dict[ChartGrain, str] = {
    "year": "%Y",
    "quarter": "%Y-%m",
    "month": "%Y-%m",
    "week": "%Y-%m-%d",
    "day": "%Y-%m-%d",
    "hour": "%m-%d %H:%M",
}


def make_vega_config() -> dict[str, Any]:
    """Return Vega-Lite's configuration."""
    return {
        "font": f"{FONT_FAMILY}, system-ui, sans-serif",
        "background": "white",
        "padding": 16,
        "title": {
            "anchor": "start",
            "fontSize": 17,
            "fontWeight": "normal",
            "color": _INK,
            "subtitleColor": _FAINT,
            "subtitleFontSize": 12,
            "subtitlePadding": 6,
            "offset": 14,
        },
        "axis": {
            "labelColor": _FAINT,
            "labelFontSize": 12,
            "labelFontWeight": "normal",
            "labelLimit": 220,
            "labelPadding": 6,
            "titleColor": _FAINT,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
            "titlePadding": 10,
            "domainColor": "#C7CCD1",
            "tickColor": "#C7CCD1",
            "gridColor": _LINE,
        },
        "axisX": {"grid": False, "labelOverlap": True},
        "axisDiscrete": {"ticks": False},
        "legend": {
            "labelColor": _INK,
            "labelFontSize": 12,
            "labelLimit": 200,
            "titleColor": _FAINT,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
            "symbolType": "circle",
            "rowPadding": 5,
        },
        "header": {"labelFontSize": 13, "titleFontSize": 12, "labelColor": _INK},
        "view": {"stroke": None, "continuousWidth": WIDTH_PIXELS, "continuousHeight": 360},
        "range": {"category": list(PALETTE)},
        "mark": {"color": PALETTE[0]},
        "line": {"strokeWidth": 2.25, "strokeCap": "round", "strokeJoin": "round"},
        "area": {"fillOpacity": 0.75},
        "point": {"filled": True, "size": 46, "opacity": 0.7},
    }


def is_chinese(*texts: str) -> bool:
    """Say whether any of the texts has Chinese characters."""
    return any(_CHINESE.search(text) for text in texts)


def count_terminal_columns(text: str) -> int:
    """Count the terminal columns a text takes: two for a Chinese character."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


_TICKS = 6


def make_number_axis(
    name: str, values: Iterable[float], *, chinese: bool, from_zero: bool = True
) -> dict[str, Any]:
    """Format the numbers of an axis: shares as percents, large ones short, others in full."""
    finite = [float(value) for value in values if math.isfinite(value)]
    sizes = [abs(value) for value in finite]
    greatest = max(sizes, default=0.0)
    if is_share(name) and greatest <= 1:
        return _make_format(format=".0%" if greatest > _SMALL_SHARE else ".1%")
    whole = (
        _make_whole_ticks(finite, from_zero=from_zero) if all(map(float.is_integer, sizes)) else {}
    )
    if greatest < _LARGE:
        return {**_make_format(format=",.12~g"), **whole}
    return _make_format(labelExpr=_make_short_format(_CHINESE_UNITS if chinese else _UNITS))


def _make_whole_ticks(values: Sequence[float], *, from_zero: bool) -> dict[str, Any]:
    """Set ticks on whole numbers; with more ticks Vega would add halves."""
    ends = (*values, 0.0) if from_zero or not values else values
    return {"tickMinStep": 1, "tickCount": min(_TICKS, max(1, int(max(ends) - min(ends))))}


def is_share(name: str) -> bool:
    """Say whether a column's name is that of a rate or a share."""
    return bool(_SHARE.search(name))


def _make_format(**how: str) -> dict[str, Any]:
    return {"tickCount": _TICKS, **how}


def _make_short_format(units: tuple[tuple[str, str], ...]) -> str:
    steps = (
        f"abs(datum.value) >= {size} ? format(datum.value / {size}, ',.12~g') + '{unit}' : "
        for size, unit in units
    )
    return f"{''.join(steps)}format(datum.value, ',.12~g')"


def make_time_axis(grain: ChartGrain, times: Iterable[str]) -> dict[str, Any]:
    """Format the times of an axis, with labels only at points."""
    points = sorted(set(times))
    axis: dict[str, Any] = {"format": _GRAIN_FORMATS[grain], "labelOverlap": True}
    axis["labelFlush"] = False  # a first label moved inwards would push out every second one
    months = {"year": 12, "quarter": 3, "month": 1}.get(grain)
    if months is None or len(points) <= _LABELS_MAX:
        step = math.ceil(len(points) / _LABELS_MAX)
        if step <= _POINTS_A_LABEL_MAX:
            axis["values"] = [_make_tick(time) for time in points[::step]]
        return axis
    apart = months * math.ceil(len(points) / _LABELS_MAX)
    fitting = next((step for step in (1, 2, 3, 6) if step >= apart), None)
    if fitting is not None:
        axis["tickCount"] = {"interval": "month", "step": fitting}
    else:
        axis["tickCount"] = {"interval": "year", "step": math.ceil(apart / 12)}
        axis["format"] = "%Y"
    return axis


def _make_tick(time: str) -> dict[str, int]:
    """Write a time as a Vega-Lite tick; text would not be read as wall-clock time."""
    at = dt.datetime.fromisoformat(time)
    date = {"year": at.year, "month": at.month, "date": at.day}
    clock = {"hours": at.hour, "minutes": at.minute, "seconds": at.second}
    return {**date, **clock} if any(clock.values()) else date
