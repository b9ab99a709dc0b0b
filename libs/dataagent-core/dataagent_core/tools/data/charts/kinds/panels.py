"""Splits numbers of different sizes into panels, each with its own axis.

With a second axis on the right, lines would cross at arbitrary points.
"""

from typing import Any

from dataagent_core.tools.data.charts import chart_theme
from dataagent_core.tools.data.charts.chart_names import escape_field
from dataagent_core.tools.data.charts.kinds.built_chart import BuiltChart
from dataagent_core.tools.data.charts.kinds.series import ChartSeries

_TIMES_LARGER_MAX = 5
_PANEL_HEIGHT_PIXELS = 150


def need_panels(series: ChartSeries) -> bool:
    """Say whether one axis would flatten some of the numbers."""
    if not series.measures:
        return False
    sizes: dict[Any, float] = {}
    for key, value in series.values.items():
        sizes[key[1]] = max(sizes.get(key[1], 0.0), abs(value))
    seen = [size for size in sizes.values() if size]
    return bool(seen) and max(seen) > _TIMES_LARGER_MAX * min(seen)


def split_into_panels(built: BuiltChart, series: ChartSeries, *, lying: bool = False) -> BuiltChart:
    """Draw each number in its own panel: stacked, or side by side for horizontal bars."""
    assert series.color is not None
    header = {"title": None, "labelAnchor": "start", "labelOrient": "top"}
    names = series.ordered_colours()
    panel = {"field": escape_field(series.color.name), "type": "nominal", "sort": names}
    encoding = built.spec["encoding"]
    encoding["column" if lying else "row"] = {**panel, "header": header}
    encoding["color"]["legend"] = None
    built.spec["resolve"] = {"scale": {"x" if lying else "y": "independent"}}
    if lying:
        built.spec["width"] = chart_theme.WIDTH_PIXELS // len(names)
        axis = encoding["x"]["axis"]
        axis["tickCount"] = min(axis.get("tickCount", 3), 3)
    else:
        built.spec["height"] = _PANEL_HEIGHT_PIXELS
        axis = encoding["y"]["axis"]
        axis["tickCount"] = min(axis.get("tickCount", 4), 4)
    return built
