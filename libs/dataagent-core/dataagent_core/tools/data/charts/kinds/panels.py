"""Several numbers whose sizes differ: each in a panel with an axis of its own. Pure.

A second axis at the right would let two lines cross wherever their scales happen to lie.
"""

from typing import Any

from dataagent_core.tools.data.charts import chart_theme
from dataagent_core.tools.data.charts.chart_names import escape_field
from dataagent_core.tools.data.charts.kinds.built_chart import BuiltChart
from dataagent_core.tools.data.charts.kinds.series import ChartSeries

_TIMES_LARGER_MAX = 5
_PANEL_HEIGHT_PIXELS = 150


def need_panels(series: ChartSeries) -> bool:
    """Say whether one axis would press some of the numbers flat."""
    if not series.measures:
        return False
    sizes: dict[Any, float] = {}
    for key, value in series.values.items():
        sizes[key[1]] = max(sizes.get(key[1], 0.0), abs(value))
    seen = [size for size in sizes.values() if size]
    return bool(seen) and max(seen) > _TIMES_LARGER_MAX * min(seen)


def split_into_panels(built: BuiltChart, series: ChartSeries, *, lying: bool = False) -> BuiltChart:
    """Give each number a panel: below each other, or beside each other where bars lie."""
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
