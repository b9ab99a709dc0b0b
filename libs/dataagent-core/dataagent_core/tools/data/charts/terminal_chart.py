"""Renders a chart as plain text from its spec: bars, or a line plotted with dots.

Shows the one mark and the two or three columns a plain chart has. What it cannot show (layers,
facets, sums made by the spec) it names, and shows the rows instead.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from dataagent_core.config.limits.data import (
    PLOT_BARS_MAX,
    PLOT_HEIGHT_LINES,
    PLOT_LABEL_COLUMNS_MAX,
    PLOT_WIDTH_COLUMNS,
    PLOT_WIDTH_COLUMNS_MIN,
)
from dataagent_core.tools.data.charts.chart_theme import count_terminal_columns

_EIGHTHS = " ▏▎▍▌▋▊▉█"
_SERIES_MARKS = "●○▲△■□◆◇"
_BARS = frozenset({"bar", "arc"})
_LINES = frozenset({"line", "area", "point", "circle", "square", "trail", "tick"})
_ESCAPE = "\\"
_WHOLE_FROM = 1_000


def render_terminal_chart(spec: Mapping[str, Any], width_columns: int = PLOT_WIDTH_COLUMNS) -> str:
    """Render a chart for a terminal of this width."""
    width = max(width_columns, PLOT_WIDTH_COLUMNS_MIN)
    mark = spec.get("mark") or _find_mark(spec.get("layer"))
    kind = str(mark.get("type") if isinstance(mark, dict) else mark)
    rows: Sequence[Mapping[str, Any]] = spec.get("data", {}).get("values", [])
    across, number, series = _find_columns(spec.get("encoding", {}), kind)
    body: list[str]
    if across and number and kind in _BARS:
        body = _draw_bars(rows, across, number, series, width)
    elif across and number and kind in _LINES:
        body = _draw_dots(rows, across, number, series, width)
    else:
        body = _list_rows(rows, width)
    title = spec.get("title")
    text = title.get("text") if isinstance(title, dict) else title
    return "\n".join([*([_cut_text(_remove_controls(text), width)] if text else []), *body])


def _find_mark(layers: Any) -> Any:
    """Find the mark below the labels; a layer with its own columns is another chart."""
    match layers:
        case [{"mark": mark, **rest}, *_] if "encoding" not in rest:
            return mark
        case _:
            return None


def _find_columns(encoding: Any, kind: str) -> tuple[str | None, str | None, str | None]:
    """Find the columns of the axis, the measure and the series."""
    if not isinstance(encoding, dict):
        return None, None, None
    color = _get_field(encoding, "color")
    if kind == "arc":
        return color, _get_field(encoding, "theta"), None
    x, y = _get_field(encoding, "x"), _get_field(encoding, "y")
    lying = encoding.get("x", {}).get("type") == "quantitative" and kind in _BARS
    if lying and encoding.get("y", {}).get("type") not in {None, "quantitative"}:
        return y, x, color
    return x, y, color


def _get_field(encoding: Mapping[str, Any], channel: str) -> str | None:
    definition = encoding.get(channel)
    if (
        not isinstance(definition, dict)
        or definition.get("aggregate")
        or definition.get("timeUnit")
    ):
        return None
    name = definition.get("field")
    return name.replace(_ESCAPE, "") if isinstance(name, str) else None


def _draw_bars(
    rows: Sequence[Mapping[str, Any]], across: str, number: str, series: str | None, width: int
) -> list[str]:
    found = [
        (_make_label(row, across, series), row[number])
        for row in rows
        if isinstance(row.get(number), (int, float))
    ]
    positions = [row.get(across) for row in rows]
    if not _is_time(positions) and not all(
        isinstance(position, (int, float)) for position in positions
    ):
        found.sort(key=lambda pair: -abs(pair[1]))
    shown = found[:PLOT_BARS_MAX]
    if not shown:
        return ["(nothing to show)"]
    names = min(
        width // 3, PLOT_LABEL_COLUMNS_MAX, max(count_terminal_columns(label) for label, _ in shown)
    )
    figures = [_format_figure(value) for _, value in shown]
    bar_width = max(8, width - names - max(map(len, figures)) - 3)
    most = max(abs(value) for _, value in shown) or 1
    lines = [
        f"{_pad(label, names)} {_draw_bar(abs(value) / most, bar_width)} {figure}"
        for (label, value), figure in zip(shown, figures, strict=True)
    ]
    rest = len(found) - len(shown)
    return [*lines, *([f"({rest} more)"] if rest else [])]


def _draw_bar(part: float, width: int) -> str:
    eighths = round(part * width * 8)
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def _draw_dots(
    rows: Sequence[Mapping[str, Any]], across: str, number: str, series: str | None, width: int
) -> list[str]:
    points = [
        r for r in rows if isinstance(r.get(number), (int, float)) and r.get(across) is not None
    ]
    if not points:
        return ["(nothing to show)"]
    positions = _scale_values([row[across] for row in points])
    values = [float(row[number]) for row in points]
    low, high = min(values), max(values)
    names = list(dict.fromkeys(str(row.get(series)) for row in points)) if series else [""]
    side = max(len(_format_figure(low)), len(_format_figure(high)))
    plot_width = width - side - 2
    grid = [[" "] * plot_width for _ in range(PLOT_HEIGHT_LINES)]
    for row, position, value in zip(points, positions, values, strict=True):
        up = (value - low) / (high - low) if high > low else 0.5
        line = PLOT_HEIGHT_LINES - 1 - round(up * (PLOT_HEIGHT_LINES - 1))
        mark = _SERIES_MARKS[names.index(str(row.get(series)) if series else "") % 8]
        grid[line][round(position * (plot_width - 1))] = mark
    lines = [
        f"{_write_axis_label(n, low, high):>{side}} ┤{''.join(cells)}".rstrip()
        for n, cells in enumerate(grid)
    ]
    ends = [
        _cut_text(
            _remove_controls(_shorten_time(points[positions.index(end)][across])), plot_width // 3
        )
        for end in (min(positions), max(positions))
    ]
    gap = max(1, plot_width - count_terminal_columns(ends[0]) - count_terminal_columns(ends[1]))
    lines.append(f"{' ' * side}  {ends[0]}{' ' * gap}{ends[1]}")
    if series:
        keys = "  ".join(
            f"{_SERIES_MARKS[n % 8]} {_remove_controls(name)}" for n, name in enumerate(names[:8])
        )
        lines.append(_cut_text(keys, width))
    return lines


def _write_axis_label(line: int, low: float, high: float) -> str:
    if line == 0:
        return _format_figure(high)
    return _format_figure(low) if line == PLOT_HEIGHT_LINES - 1 else ""


def _scale_values(values: Sequence[Any]) -> list[float]:
    """Scale values to 0 to 1: numbers by size, everything else by its order."""
    if all(isinstance(value, (int, float)) for value in values):
        low, high = min(values), max(values)
        return [(v - low) / (high - low) if high > low else 0.5 for v in values]
    order = (
        sorted({str(value) for value in values})
        if _is_time(values)
        else list(dict.fromkeys(map(str, values)))
    )
    at = {value: n / max(1, len(order) - 1) for n, value in enumerate(order)}
    return [at[str(value)] for value in values]


def _list_rows(rows: Sequence[Mapping[str, Any]], width: int) -> list[str]:
    shown = [
        _cut_text(", ".join(f"{k}: {_remove_controls(v)}" for k, v in row.items()), width)
        for row in rows[:10]
    ]
    rest = len(rows) - len(shown)
    return [*shown, *([f"({rest} more rows)"] if rest > 0 else [])]


def _make_label(row: Mapping[str, Any], across: str, series: str | None) -> str:
    own = _remove_controls(_shorten_time(row.get(across)))
    return f"{own}, {_remove_controls(row.get(series))}" if series and series != across else own


def _is_time(values: Sequence[Any]) -> bool:
    return all(isinstance(v, str) and v[10:11] == "T" and v[4:5] == "-" for v in values)


def _shorten_time(value: Any) -> Any:
    return str(value).removesuffix("T00:00:00") if _is_time([value]) else value


def _format_figure(value: float) -> str:
    if float(value).is_integer() or abs(value) >= _WHOLE_FROM:
        return f"{value:,.0f}"
    return f"{value:.4g}"


def _remove_controls(value: Any) -> str:
    """Take out what a terminal would obey."""
    return "".join(c if c.isprintable() else " " for c in str(value))


def _pad(text: str, width: int) -> str:
    cut = _cut_text(text, width)
    return cut + " " * (width - count_terminal_columns(cut))


def _cut_text(text: str, width: int) -> str:
    if count_terminal_columns(text) <= width:
        return text
    kept, used = "", 0
    for character in text:
        used += count_terminal_columns(character)
        if used > width - 1:
            break
        kept += character
    return kept + "…"
