"""Builds histograms of one number and scatter plots of two."""

from typing import Any

from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.charts import chart_theme
from dataagent_core.tools.data.charts.chart_choice import ChartChoice
from dataagent_core.tools.data.charts.chart_data.row_groups import count_bins
from dataagent_core.tools.data.charts.chart_names import choose_words, escape_field
from dataagent_core.tools.data.charts.kinds.built_chart import BuiltChart, sample_rows


def build_histogram(choice: ChartChoice) -> BuiltChart:
    """Count the values of a number in steps."""
    assert choice.y is not None
    name = choice.y.name
    values = [value for value in choice.y.cells if value is not None]
    if len(values) < 2:  # noqa: PLR2004 - one value has no distribution
        raise ValidationError(
            f"{name!r} has {len(values)} value: one figure is better said than drawn. Select a "
            "category or a time beside it."
        )
    words = choose_words(choice)
    start, end, count = f"{name} from", f"{name} to", words.rows
    rows = [{start: b.start, end: b.end, count: b.count} for b in count_bins(values)]
    chinese = chart_theme.is_chinese(name)
    x = {
        "field": escape_field(start),
        "type": "quantitative",
        "bin": {"binned": True, "step": rows[0][end] - rows[0][start]},
        "title": name,
        "axis": chart_theme.make_number_axis(name, values, chinese=chinese),
    }
    counts = chart_theme.make_number_axis(count, [b[count] for b in rows], chinese=chinese)
    y = {"field": escape_field(count), "type": "quantitative", "title": count, "axis": counts}
    spec = {
        "width": chart_theme.WIDTH_PIXELS,
        "height": chart_theme.HEIGHT_PIXELS,
        "mark": {"type": "bar", "tooltip": True},
        "encoding": {"x": x, "x2": {"field": escape_field(end)}, "y": y},
    }
    empty = len(choice.y.cells) - len(values)
    notes = [f"{empty:,} empty values of {name} are left out"] if empty else []
    return BuiltChart(words.distribution(name), rows, spec, [*choice.notes, *notes])


def build_scatter(choice: ChartChoice) -> BuiltChart:
    """Place each row by two of its numbers."""
    assert choice.x is not None
    assert choice.y is not None
    shown = [column for column in (choice.x, choice.y, choice.color) if column is not None]
    names = [column.name for column in shown]
    cells = zip(*(column.cells for column in shown), strict=True)
    whole = [dict(zip(names, row, strict=True)) for row in cells]
    placed = [row for row in whole if None not in (row[choice.x.name], row[choice.y.name])]
    if not placed:
        raise ValidationError(
            f"There is nothing to draw: no row has both {choice.x.name!r} and {choice.y.name!r}."
        )
    rows, notes = sample_rows(placed, list(choice.notes))
    if lost := len(whole) - len(placed):
        notes.append(f"left out: {lost:,} row{'' if lost == 1 else 's'} without both numbers")
    chinese = chart_theme.is_chinese(*names)
    encoding: dict[str, Any] = {}
    for channel, column in (("x", choice.x), ("y", choice.y)):
        numbers = [value for value in column.cells if value is not None]
        encoding[channel] = {
            "field": escape_field(column.name),
            "type": "quantitative",
            "title": column.name,
            "scale": {
                "zero": bool(numbers) and min(numbers) >= 0 and min(numbers) < max(numbers) / 3
            },
            "axis": {
                **chart_theme.make_number_axis(
                    column.name, numbers, chinese=chinese, from_zero=False
                ),
                "grid": True,
            },
        }
    if choice.color is not None:
        color = {"field": escape_field(choice.color.name), "type": "nominal"}
        encoding["color"] = {**color, "title": choice.color.name}
    spec = {
        "width": chart_theme.WIDTH_PIXELS,
        "height": chart_theme.HEIGHT_PIXELS,
        "mark": {"type": "point", "tooltip": True},
        "encoding": encoding,
    }
    title = choose_words(choice).pair(choice.y.name, choice.x.name)
    return BuiltChart(title, rows, spec, notes)
