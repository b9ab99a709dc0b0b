"""Chooses the chart for a frame and an intent, where the intent leaves something open.

time + number              line (with a category: a line each; with more numbers: a line each)
category + number          bar, the greatest first
two numbers                point
one number                 histogram
category or time alone     rows counted
one row of numbers         a bar each

If the requested kind does not fit, the notes of the choice say why.
"""

from dataclasses import dataclass, replace

from dataagent_core.config.limits.data import CHART_MEASURES_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.charts.chart_data.chart_frame import ChartField, ChartFrame
from dataagent_core.tools.data.charts.chart_data.column_roles import ColumnRole
from dataagent_core.tools.data.charts.chart_model import ChartIntent, ChartKind
from dataagent_core.tools.data.charts.chart_theme import is_chinese

_COLOURS_DISTINCT_MAX = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartChoice:
    """A kind of chart and its columns; without `y` rows are counted."""

    kind: ChartKind
    x: ChartField | None = None
    y: ChartField | None = None
    color: ChartField | None = None
    # Two or more numbers drawn together; `y` is the first, and there is no `color`.
    measures: tuple[ChartField, ...] = ()
    title: str | None = None
    notes: tuple[str, ...] = ()


def choose_chart(frame: ChartFrame, intent: ChartIntent) -> ChartChoice:
    """Fill in what the intent leaves open."""
    choice = _choose(frame, intent)
    requested = intent.kind
    if requested is None or requested == choice.kind or choice.notes:
        return choice
    return replace(
        choice, notes=(explain_other_kind(requested, choice.kind, _explain_misfit(requested)),)
    )


def explain_other_kind(requested: ChartKind, drawn: ChartKind, why: str) -> str:
    """Explain that another kind is drawn than was requested."""
    return f"drawn as {_A_KIND[drawn]} and not as {_A_KIND[requested]}: {why}"


_A_KIND: dict[ChartKind, str] = {
    "line": "a line chart",
    "area": "an area chart",
    "bar": "a bar chart",
    "point": "a scatter plot",
    "histogram": "a histogram",
    "box": "a box plot",
    "pie": "a pie",
    "heatmap": "a heatmap",
}


def _explain_misfit(requested: ChartKind) -> str:
    match requested:
        case "line" | "area":
            return "there is no time, order or number to follow along x"
        case "pie" | "bar":
            return "there is no category or time to divide the number by"
        case "heatmap":
            return "it needs two categories or times"
        case "histogram":
            return "there is no number whose values could be counted in steps"
        case "point" | "box":
            return "there are not enough numbers"


def _choose(frame: ChartFrame, intent: ChartIntent) -> ChartChoice:
    named = _resolve_fields(frame, intent)
    x, y, color, measures, kind = named.x, named.y, named.color, named.measures, named.kind
    taken = {field.name for field in (x, y, color, *measures) if field is not None}
    numbers = [field for field in frame.of("number") if field.name not in taken]
    if kind == "histogram":
        return ChartChoice(kind=kind, y=y or _check_numeric(frame, x))
    if kind == "box":
        axis = x or _check_category(color) or _find_axis(frame, "pie", taken)
        return ChartChoice(
            kind=kind, x=axis, y=y or _check_numeric(frame, None), notes=_make_box_notes(intent)
        )
    if kind == "point" or (kind is None and x is not None and x.role == "number" and y is not None):
        return _choose_points(frame, x, y, color, numbers)
    if y is None and intent.aggregate != "count" and numbers:
        y = numbers[0]
    x = x or _find_axis(frame, kind, taken, coloured=color is not None)
    if x is None and color is not None:
        x, color = color, None
    if x is None:
        return _choose_without_axis(frame, intent, y, color, measures)
    return _add_colour(
        frame, intent, ChartChoice(kind=kind or _choose_kind(x), x=x, y=y, color=color), measures
    )


@dataclass(frozen=True, slots=True)
class _NamedFields:
    """The columns that an intent names."""

    kind: ChartKind | None
    x: ChartField | None
    y: ChartField | None
    color: ChartField | None
    measures: tuple[ChartField, ...]


def _resolve_fields(frame: ChartFrame, intent: ChartIntent) -> _NamedFields:
    x = frame.field(intent.x) if intent.x else None
    y = frame.field(intent.y) if intent.y else None
    color = frame.field(intent.color) if intent.color else None
    measures = tuple(frame.field(name) for name in intent.measures)
    if intent.aggregate == "count":
        y, measures = None, ()
    for measured in (y, *measures):
        if measured is not None and measured.role != "number":
            raise _make_not_numeric_error(frame, measured)
    if x is not None and x is y:
        raise ValidationError(f"x and y are both {x.name!r}; give two columns, or leave one out.")
    by = _check_category(x) or _check_category(color)
    if intent.kind == "histogram" and by is not None:
        # Overlapping histograms cannot be compared; box plots show the same for each name.
        return _NamedFields("box", by, y, None, ()) if y else _NamedFields("bar", by, y, None, ())
    return _NamedFields(intent.kind, x, y, color, measures)


def _add_colour(
    frame: ChartFrame, intent: ChartIntent, choice: ChartChoice, measures: tuple[ChartField, ...]
) -> ChartChoice:
    """Add what colour distinguishes: several numbers, or a second category."""
    assert choice.x is not None
    if choice.kind == "heatmap" and choice.color is None:
        return _add_second_axis(frame, choice)
    if len(measures) > 1:
        return _set_measures(choice, measures)
    if choice.color is not None or choice.kind == "pie" or intent.x is not None:
        return choice
    color = _find_colour(frame, choice.x)
    beside = tuple(frame.of("number"))[:CHART_MEASURES_MAX]
    # Over time, each of several numbers has its line.
    all_of_them = len(beside) > 1 and intent.y is None and choice.y is not None
    if color is None and all_of_them and choice.kind == "line" and not intent.percent:
        return replace(choice, measures=beside)
    return replace(choice, color=color)


def _add_second_axis(frame: ChartFrame, choice: ChartChoice) -> ChartChoice:
    assert choice.x is not None
    free = [f for f in frame.of("category", "ordered", "time") if f.name != choice.x.name]
    return replace(choice, color=free[0]) if free else replace(choice, kind=_choose_kind(choice.x))


def _set_measures(choice: ChartChoice, measures: tuple[ChartField, ...]) -> ChartChoice:
    if choice.kind in {"line", "area", "bar"} and choice.color is None:
        return replace(choice, measures=measures)
    others = ", ".join(field.name for field in measures[1:])
    note = f"only {measures[0].name} is drawn: {others} would need a chart of its own beside it"
    return replace(choice, notes=(note,))


def _choose_without_axis(
    frame: ChartFrame,
    intent: ChartIntent,
    y: ChartField | None,
    color: ChartField | None,
    measures: tuple[ChartField, ...],
) -> ChartChoice:
    numbers = list(measures) or frame.of("number")
    if frame.row_count == 1 and len(numbers) > 1 and intent.kind in {None, "bar", "pie"}:
        return _choose_single_row(numbers, intent.kind or "bar")
    if len(numbers) > 1 and (measures or (intent.kind is None and intent.y is None)):
        chosen = [f for f in numbers if f is not y]
        return _choose_points(
            frame, None, y if measures else None, color, chosen if measures else numbers
        )
    return ChartChoice(kind="histogram", y=y or _check_numeric(frame, None))


def _choose_single_row(numbers: list[ChartField], kind: ChartKind) -> ChartChoice:
    """Turn a row of totals into a bar each."""
    chinese = is_chinese(*(field.name for field in numbers))
    x = make_field("指标" if chinese else "measure", "category", [f.name for f in numbers])
    cells = [field.cells[0] for field in numbers]
    y = make_field("数值" if chinese else "value", "number", cells)
    return ChartChoice(kind=kind, x=x, y=y, title=("、" if chinese else ", ").join(x.cells))


def make_field(name: str, role: ColumnRole, cells: list[str] | list[float | None]) -> ChartField:
    """Make a column that the result does not have."""
    import pyarrow as pa

    return ChartField(name, role, pa.chunked_array([pa.array(cells)]), name)


def _check_category(field: ChartField | None) -> ChartField | None:
    return field if field is not None and field.role != "number" else None


def _make_box_notes(intent: ChartIntent) -> tuple[str, ...]:
    if intent.kind == "histogram":
        why = "one for each name can be compared, histograms on top of each other cannot"
        return (explain_other_kind("histogram", "box", why),)
    return ()


def _choose_kind(x: ChartField) -> ChartKind:
    return "line" if x.role == "time" else "bar"


def _find_axis(
    frame: ChartFrame, kind: ChartKind | None, taken: set[str], *, coloured: bool = False
) -> ChartField | None:
    """Find the axis: time before order before categories, except for a pie."""
    first = ("category", "ordered", "time") if kind == "pie" else ("time", "ordered", "category")
    for role in first:
        for field in frame.of(role):
            if field.name not in taken:
                return field
    identifiers = [f for f in frame.of("other") if f.name not in taken]
    wanted = kind in {"bar", "pie", "heatmap"} and not coloured
    return identifiers[0] if wanted and identifiers else None


def _find_colour(frame: ChartFrame, x: ChartField) -> ChartField | None:
    """Find a second category, if every x occurs with several of its values."""
    for field in frame.of("category", "ordered"):
        if field.name == x.name:
            continue
        distinct = {cell for cell in field.cells if cell is not None}
        repeats = len(set(x.cells)) < frame.row_count
        if 1 < len(distinct) <= _COLOURS_DISTINCT_MAX and repeats:
            return field
    return None


def _choose_points(
    frame: ChartFrame,
    x: ChartField | None,
    y: ChartField | None,
    color: ChartField | None,
    numbers: list[ChartField],
) -> ChartChoice:
    free = [field for field in numbers if field not in (x, y)]
    x = x or (free.pop(0) if free else None)
    y = y or (free.pop(0) if free else None)
    if x is None or y is None:
        raise ValidationError(
            f"Points need two number columns, and {frame.kept.result_id} has "
            f"{len(frame.of('number'))}. Use a histogram, or select a second number."
        )
    if color is None:
        few = [f for f in frame.of("category") if len(set(f.cells)) <= _COLOURS_DISTINCT_MAX // 6]
        color = few[0] if few else None
    return ChartChoice(kind="point", x=x, y=y, color=color)


def _check_numeric(frame: ChartFrame, field: ChartField | None) -> ChartField:
    if field is not None:
        if field.role != "number":
            raise _make_not_numeric_error(frame, field)
        return field
    numbers = frame.of("number")
    if not numbers:
        raise ValidationError(
            f"{frame.kept.result_id} has nothing to draw: no number, time or category among "
            f"{', '.join(frame.names[:30])}. Select such columns, or count rows in the query."
        )
    return numbers[0]


def _make_not_numeric_error(frame: ChartFrame, field: ChartField) -> ValidationError:
    numbers = ", ".join(f.name for f in frame.of("number")) or "none"
    return ValidationError(
        f"{field.name!r} cannot be measured: it is no number. Numbers in {frame.kept.result_id}: "
        f"{numbers}. Or use aggregate 'count' to count rows."
    )
