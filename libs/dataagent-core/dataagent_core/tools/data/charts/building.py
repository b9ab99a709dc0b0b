"""The spec of each kind of chart, from the columns that were chosen for it. Pure."""

from typing import Any

from dataagent_core.config.data_limits import (
    CHART_CATEGORIES_MAX,
    CHART_SERIES_MAX,
    CHART_SLICES_MAX,
)
from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.charts import theme
from dataagent_core.tools.data.charts.built import Built
from dataagent_core.tools.data.charts.choosing import Choice
from dataagent_core.tools.data.charts.frame import Frame
from dataagent_core.tools.data.charts.model import Intent
from dataagent_core.tools.data.charts.names import escaped
from dataagent_core.tools.data.charts.series import Series
from dataagent_core.tools.data.charts.spread import histogram, points

# Not in the theme: with binned columns Vega-Lite draws bars without width.
_BAR = {"type": "bar", "tooltip": True, "cornerRadiusEnd": 2}
_UPRIGHT_BARS_MAX = 12
_UPRIGHT_LABEL_COLUMNS_MAX = 10


def build(frame: Frame, choice: Choice, intent: Intent) -> Built:
    """Make the spec of a choice."""
    match choice.kind:
        case "histogram":
            built = histogram(choice)
        case "point":
            built = points(choice)
        case "line" | "area":
            built = _over_time(Series(frame, choice, intent))
        case "bar":
            built = _bars(Series(frame, choice, intent))
        case "pie":
            built = _slices(Series(frame, choice, intent))
        case "heatmap":
            built = _tiles(Series(frame, choice, intent))
    if intent.title:
        built.title = intent.title
    return built


def _over_time(series: Series) -> Built:
    """Draw a line, or a line for each colour."""
    if series.x.role not in {"time", "ordered", "number"}:
        return _bars(series)
    series.limit_colours(CHART_SERIES_MAX)
    x = series.axis_x()
    mark: dict[str, Any] = {"type": series.kind, "tooltip": True}
    if series.kind == "line" and len(series.values) <= _UPRIGHT_BARS_MAX * CHART_SERIES_MAX:
        mark["point"] = {"size": 36, "filled": True}
    encoding = {"x": x, "y": series.number_channel(), **series.colour_channel()}
    return series.built(mark, encoding, height=theme.HEIGHT_PIXELS)


def _bars(series: Series) -> Built:
    """Draw bars: upright along time and order and for few short names, else lying."""
    if series.x.role == "time":
        # One bar a point in time, with its date as its name.
        series.limit_colours(CHART_SERIES_MAX)
        x = series.axis_x()
        x["type"] = "ordinal"
        x["axis"] = {"labelAngle": 0, "labelOverlap": True, "format": x["axis"]["format"]}
        x["axis"]["formatType"] = "time"
        encoding = {"x": x, "y": series.number_channel(), **series.colour_channel()}
        return series.built(_BAR, encoding)
    series.limit_x(CHART_CATEGORIES_MAX)
    series.limit_colours(CHART_SERIES_MAX)
    names = series.ordered_names()
    widest = max(theme.columns_wide(str(name)) for name in names)
    upright = len(names) <= _UPRIGHT_BARS_MAX and widest <= _UPRIGHT_LABEL_COLUMNS_MAX
    upright = upright or series.x.role == "ordered"
    category: dict[str, Any] = {
        "field": escaped(series.x.name),
        "type": "nominal",
        "sort": names,
        "title": series.x.name if upright else None,
    }
    mark = _BAR
    if upright:
        category["axis"] = {"labelAngle": 0}
        encoding = {"x": category, "y": series.number_channel(), **series.colour_channel()}
        return series.built(mark, encoding)
    number = series.number_channel()
    number["axis"] = {**number["axis"], "grid": True}
    encoding = {"y": category, "x": number, **series.colour_channel()}
    return series.built(mark, encoding, height={"step": theme.BAR_STEP_PIXELS})


def _slices(series: Series) -> Built:
    """Cut a pie, because somebody asked for one."""
    series.color = None
    if any(value < 0 for value in series.values.values()):
        raise ValidationError(
            "A pie cannot show negative values. Use a bar chart, which can (kind 'bar')."
        )
    series.limit_x(CHART_SLICES_MAX)
    name = series.x.name
    sort = {"field": escaped(series.measure), "order": "descending"}
    encoding = {
        "theta": {"field": escaped(series.measure), "type": "quantitative", "stack": True},
        "order": sort,
        "color": {
            "field": escaped(name),
            "type": "nominal",
            "title": name,
            "sort": series.ordered_names(),
            "scale": series.colours(series.ordered_names()),
        },
    }
    mark = {"type": "arc", "innerRadius": 70, "stroke": "white", "tooltip": True}
    return series.built(mark, encoding, width=theme.HEIGHT_PIXELS)


def _tiles(series: Series) -> Built:
    """Colour the squares of two columns."""
    if series.color is None:
        raise ValidationError("A heatmap needs two columns to lay out: give x and color.")
    series.limit_x(CHART_CATEGORIES_MAX * 2)
    series.limit_colours(CHART_CATEGORIES_MAX)
    x = series.axis_x() | {"type": "ordinal"}
    encoding = {
        "x": x,
        "y": {
            "field": escaped(series.color.name),
            "type": "nominal",
            "title": series.color.name,
            "sort": series.ordered_colours(),
        },
        "color": {
            "field": escaped(series.measure),
            "type": "quantitative",
            "title": series.measure,
            "scale": {"scheme": "blues"},
            "legend": series.number_axis(),
        },
    }
    return series.built({"type": "rect", "tooltip": True}, encoding, height={"step": 28})
