"""Which chart fits the columns, where nobody said it all. Pure over a frame and an intent.

time + number              line (with a category: a line each; with more numbers: a line each)
category + number          bar, the greatest first
two numbers                point
one number                 histogram
category or time alone     rows counted
one row of numbers         a bar each

Where the kind that was asked for does not fit, the choice says why in its notes.
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
    """A kind of chart and the columns in their places; without `y` rows are counted."""

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
    choice = _chosen(frame, intent)
    asked = intent.kind
    if asked is None or asked == choice.kind or choice.notes:
        return choice
    return replace(choice, notes=(explain_other_kind(asked, choice.kind, _why_not(asked)),))


def explain_other_kind(asked: ChartKind, drawn: ChartKind, why: str) -> str:
    """Say that another kind is drawn than was asked for."""
    return f"drawn as {_A_KIND[drawn]} and not as {_A_KIND[asked]}: {why}"


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


def _why_not(asked: ChartKind) -> str:
    match asked:
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


def _chosen(frame: ChartFrame, intent: ChartIntent) -> ChartChoice:
    named = _named(frame, intent)
    x, y, color, measures, kind = named.x, named.y, named.color, named.measures, named.kind
    taken = {field.name for field in (x, y, color, *measures) if field is not None}
    numbers = [field for field in frame.of("number") if field.name not in taken]
    if kind == "histogram":
        return ChartChoice(kind=kind, y=y or _numeric(frame, x))
    if kind == "box":
        axis = x or _category(color) or _axis(frame, "pie", taken)
        return ChartChoice(
            kind=kind, x=axis, y=y or _numeric(frame, None), notes=_box_notes(intent)
        )
    if kind == "point" or (kind is None and x is not None and x.role == "number" and y is not None):
        return _points(frame, x, y, color, numbers)
    if y is None and intent.aggregate != "count" and numbers:
        y = numbers[0]
    x = x or _axis(frame, kind, taken, coloured=color is not None)
    if x is None and color is not None:
        x, color = color, None
    if x is None:
        return _without_axis(frame, intent, y, color, measures)
    return _along(
        frame, intent, ChartChoice(kind=kind or _kind(x), x=x, y=y, color=color), measures
    )


@dataclass(frozen=True, slots=True)
class _NamedFields:
    """What an intent names, as columns."""

    kind: ChartKind | None
    x: ChartField | None
    y: ChartField | None
    color: ChartField | None
    measures: tuple[ChartField, ...]


def _named(frame: ChartFrame, intent: ChartIntent) -> _NamedFields:
    x = frame.field(intent.x) if intent.x else None
    y = frame.field(intent.y) if intent.y else None
    color = frame.field(intent.color) if intent.color else None
    measures = tuple(frame.field(name) for name in intent.measures)
    if intent.aggregate == "count":
        y, measures = None, ()
    for measured in (y, *measures):
        if measured is not None and measured.role != "number":
            raise _not_a_number(frame, measured)
    if x is not None and x is y:
        raise ValidationError(f"x and y are both {x.name!r}; give two columns, or leave one out.")
    by = _category(x) or _category(color)
    if intent.kind == "histogram" and by is not None:
        # Nobody can compare overlapping histograms; box plots show the same for each name.
        return _NamedFields("box", by, y, None, ()) if y else _NamedFields("bar", by, y, None, ())
    return _NamedFields(intent.kind, x, y, color, measures)


def _along(
    frame: ChartFrame, intent: ChartIntent, choice: ChartChoice, measures: tuple[ChartField, ...]
) -> ChartChoice:
    """Add what is told apart by colour: several numbers, or a second category."""
    assert choice.x is not None
    if choice.kind == "heatmap" and choice.color is None:
        return _with_second_axis(frame, choice)
    if len(measures) > 1:
        return _with_measures(choice, measures)
    if choice.color is not None or choice.kind == "pie" or intent.x is not None:
        return choice
    color = _colour(frame, choice.x)
    beside = tuple(frame.of("number"))[:CHART_MEASURES_MAX]
    # Over time nobody chose the first of several numbers: each has its line.
    all_of_them = len(beside) > 1 and intent.y is None and choice.y is not None
    if color is None and all_of_them and choice.kind == "line" and not intent.percent:
        return replace(choice, measures=beside)
    return replace(choice, color=color)


def _with_second_axis(frame: ChartFrame, choice: ChartChoice) -> ChartChoice:
    assert choice.x is not None
    free = [f for f in frame.of("category", "ordered", "time") if f.name != choice.x.name]
    return replace(choice, color=free[0]) if free else replace(choice, kind=_kind(choice.x))


def _with_measures(choice: ChartChoice, measures: tuple[ChartField, ...]) -> ChartChoice:
    if choice.kind in {"line", "area", "bar"} and choice.color is None:
        return replace(choice, measures=measures)
    others = ", ".join(field.name for field in measures[1:])
    note = f"only {measures[0].name} is drawn: {others} would need a chart of its own beside it"
    return replace(choice, notes=(note,))


def _without_axis(
    frame: ChartFrame,
    intent: ChartIntent,
    y: ChartField | None,
    color: ChartField | None,
    measures: tuple[ChartField, ...],
) -> ChartChoice:
    numbers = list(measures) or frame.of("number")
    if frame.row_count == 1 and len(numbers) > 1 and intent.kind in {None, "bar", "pie"}:
        return _one_row(numbers, intent.kind or "bar")
    if len(numbers) > 1 and (measures or (intent.kind is None and intent.y is None)):
        chosen = [f for f in numbers if f is not y]
        return _points(frame, None, y if measures else None, color, chosen if measures else numbers)
    return ChartChoice(kind="histogram", y=y or _numeric(frame, None))


def _one_row(numbers: list[ChartField], kind: ChartKind) -> ChartChoice:
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


def _category(field: ChartField | None) -> ChartField | None:
    return field if field is not None and field.role != "number" else None


def _box_notes(intent: ChartIntent) -> tuple[str, ...]:
    if intent.kind == "histogram":
        why = "one for each name can be compared, histograms on top of each other cannot"
        return (explain_other_kind("histogram", "box", why),)
    return ()


def _kind(x: ChartField) -> ChartKind:
    return "line" if x.role == "time" else "bar"


def _axis(
    frame: ChartFrame, kind: ChartKind | None, taken: set[str], *, coloured: bool = False
) -> ChartField | None:
    """Find what to lay out along: time before order before categories, unless a pie is cut."""
    first = ("category", "ordered", "time") if kind == "pie" else ("time", "ordered", "category")
    for role in first:
        for field in frame.of(role):
            if field.name not in taken:
                return field
    identifiers = [f for f in frame.of("other") if f.name not in taken]
    wanted = kind in {"bar", "pie", "heatmap"} and not coloured
    return identifiers[0] if wanted and identifiers else None


def _colour(frame: ChartFrame, x: ChartField) -> ChartField | None:
    """Find a second category, if every x occurs with several of its values."""
    for field in frame.of("category", "ordered"):
        if field.name == x.name:
            continue
        distinct = {cell for cell in field.cells if cell is not None}
        repeats = len(set(x.cells)) < frame.row_count
        if 1 < len(distinct) <= _COLOURS_DISTINCT_MAX and repeats:
            return field
    return None


def _points(
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


def _numeric(frame: ChartFrame, field: ChartField | None) -> ChartField:
    if field is not None:
        if field.role != "number":
            raise _not_a_number(frame, field)
        return field
    numbers = frame.of("number")
    if not numbers:
        raise ValidationError(
            f"{frame.kept.result_id} has nothing to draw: no number, time or category among "
            f"{', '.join(frame.names[:30])}. Select such columns, or count rows in the query."
        )
    return numbers[0]


def _not_a_number(frame: ChartFrame, field: ChartField) -> ValidationError:
    numbers = ", ".join(f.name for f in frame.of("number")) or "none"
    return ValidationError(
        f"{field.name!r} cannot be measured: it is no number. Numbers in {frame.kept.result_id}: "
        f"{numbers}. Or use aggregate 'count' to count rows."
    )
