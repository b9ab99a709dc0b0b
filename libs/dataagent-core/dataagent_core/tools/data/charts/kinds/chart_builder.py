"""Builds the spec of each kind of chart from its chosen columns."""

from typing import Any

from dataagent_core.config.limits.data import CHART_BARS_MAX, CHART_CATEGORIES_MAX, CHART_SERIES_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.charts import chart_theme
from dataagent_core.tools.data.charts.chart_choice import ChartChoice, explain_other_kind
from dataagent_core.tools.data.charts.chart_model import ChartIntent
from dataagent_core.tools.data.charts.chart_names import escape_field
from dataagent_core.tools.data.charts.kinds.box_plots import build_box_plot
from dataagent_core.tools.data.charts.kinds.built_chart import BuiltChart
from dataagent_core.tools.data.charts.kinds.distributions import build_histogram, build_scatter
from dataagent_core.tools.data.charts.kinds.panels import need_panels, split_into_panels
from dataagent_core.tools.data.charts.kinds.pies import build_pie
from dataagent_core.tools.data.charts.kinds.series import ChartSeries

# Not in the theme: with binned columns Vega-Lite draws bars without width.
_BAR = {"type": "bar", "tooltip": True, "cornerRadiusEnd": 2}
_UPRIGHT_BARS_MAX = 12
_UPRIGHT_LABEL_COLUMNS_MAX = 10
_WIDE_BARS_MAX = 20
_NARROW_STEP_PIXELS = 18


def build_chart_spec(choice: ChartChoice, intent: ChartIntent) -> BuiltChart:
    """Make the spec of a choice."""
    match choice.kind:
        case "histogram":
            built = build_histogram(choice)
        case "point":
            built = build_scatter(choice)
        case "box":
            built = build_box_plot(choice, intent)
        case "line" | "area":
            built = _draw_lines(ChartSeries(choice, intent))
        case "bar":
            built = _draw_bars(ChartSeries(choice, intent))
        case "pie":
            built = build_pie(ChartSeries(choice, intent))
        case "heatmap":
            built = _draw_tiles(ChartSeries(choice, intent))
    built.title = intent.title or choice.title or built.title
    if intent.top and choice.kind not in {"bar", "pie", "heatmap"}:
        built.notes.append(f"every value is drawn, not only the {intent.top} greatest")
    if intent.percent and choice.kind in {"histogram", "point", "box"}:
        built.notes.append("not drawn as shares: this kind of chart shows single values")
    return built


def _draw_lines(series: ChartSeries) -> BuiltChart:
    """Draw a line, or a line for each colour."""
    if series.x.role not in {"time", "ordered", "number"}:
        why = f"{series.x.name} has no order a line could follow"
        series.notes.append(explain_other_kind(series.kind, "bar", why))
        series.kind = "bar"
        return _draw_bars(series)
    if series.kind == "area" and series.color is not None and not series.stacks:
        why = "these values do not add up, so areas would hide each other"
        series.notes.append(explain_other_kind("area", "line", why))
        series.kind = "line"
    series.limit_colours(CHART_SERIES_MAX)
    mark: dict[str, Any] = {"type": series.kind, "tooltip": True}
    if series.kind == "line" and len(series.values) <= _UPRIGHT_BARS_MAX * CHART_SERIES_MAX:
        mark["point"] = {"size": 36, "filled": True}
    y = series.number_channel()
    if series.kind == "line":
        y.pop("stack", None)
    built = series.built(mark, {"x": series.axis_x(), "y": y, **series.colour_channel()})
    return split_into_panels(built, series) if need_panels(series) else built


def _draw_bars(series: ChartSeries) -> BuiltChart:
    """Draw bars: vertical along time and order and for few short names, else horizontal."""
    small = "gathered if small"
    series.limit_x(CHART_CATEGORIES_MAX, all_up_to=CHART_BARS_MAX, rest=small)
    series.limit_colours(CHART_SERIES_MAX)
    names = series.ordered_names()
    category: dict[str, Any] = {
        "field": escape_field(series.x.name),
        "type": "nominal",
        "sort": names,
    }
    if series.x.role == "time":
        # One bar a point in time, with its date as its name.
        label = chart_theme.make_time_axis(series.time_grain(), names)["format"]
        axis = {"labelAngle": 0, "labelOverlap": True, "format": label, "formatType": "time"}
        category |= {"type": "ordinal", "axis": axis}
    widest = max(chart_theme.count_terminal_columns(str(name)) for name in names)
    upright = len(names) <= _UPRIGHT_BARS_MAX and widest <= _UPRIGHT_LABEL_COLUMNS_MAX
    number = series.number_channel()
    if upright or series.x.role in {"time", "ordered", "number"}:
        category = {"axis": {"labelAngle": 0, "labelOverlap": True}, **category}
        encoding = {"x": {**category, "title": series.x.name}, "y": number}
        built = series.built(
            _BAR, {**encoding, **series.colour_channel(), **_place_side_by_side(series, "x")}
        )
        return split_into_panels(built, series) if need_panels(series) else built
    number["axis"] = {**number["axis"], "grid": True}
    encoding = {"y": {**category, "title": None}, "x": number, **series.colour_channel()}
    step = chart_theme.BAR_STEP_PIXELS if len(names) <= _WIDE_BARS_MAX else _NARROW_STEP_PIXELS
    beside = _place_side_by_side(series, "y")
    height = {"step": step, "for": "position"} if beside else {"step": step}
    built = series.built(_BAR, {**encoding, **beside}, height=height)
    return split_into_panels(built, series, lying=True) if need_panels(series) else built


def _place_side_by_side(series: ChartSeries, axis: str) -> dict[str, Any]:
    """Place the bars of several colours side by side if they do not add up."""
    if series.color is None or series.stacks or need_panels(series):
        return {}
    names = series.ordered_colours()
    return {f"{axis}Offset": {"field": escape_field(series.color.name), "sort": names}}


def _draw_tiles(series: ChartSeries) -> BuiltChart:
    """Draw a heat map of two columns."""
    if series.color is None:
        raise ValidationError("A heatmap needs two columns to lay out: give x and color.")
    series.limit_x(CHART_CATEGORIES_MAX * 2)
    series.limit_colours(CHART_CATEGORIES_MAX)
    x = series.axis_x() | {"type": "ordinal"}
    if series.x.role == "time":
        label = chart_theme.make_time_axis(series.time_grain(), series.ordered_names())["format"]
        axis = {"labelAngle": 0, "labelOverlap": True, "format": label, "formatType": "time"}
        x["axis"] = axis
    x.pop("scale", None)
    encoding = {
        "x": x,
        "y": {
            "field": escape_field(series.color.name),
            "type": "nominal",
            "title": series.color.name,
            "sort": series.ordered_colours(),
        },
        "color": {
            "field": escape_field(series.measure),
            "type": "quantitative",
            "title": series.measure,
            "scale": {"scheme": "blues"},
            "legend": series.number_axis(),
        },
    }
    return series.built({"type": "rect", "tooltip": True}, encoding, height={"step": 28})
