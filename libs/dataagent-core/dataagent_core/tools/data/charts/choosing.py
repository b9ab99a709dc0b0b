"""Which chart fits the columns, where nobody said it all. Pure over a frame and an intent.

time + number              line (with a category: a line each)
category + number          bar, the greatest first
two numbers                point
one number                 histogram
category or time alone     rows counted
"""

from dataclasses import dataclass

from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.charts.frame import Field, Frame
from dataagent_core.tools.data.charts.model import ChartKind, Intent

_COLOURS_DISTINCT_MAX = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A kind of chart and the columns in their places; without `y` rows are counted."""

    kind: ChartKind
    x: Field | None = None
    y: Field | None = None
    color: Field | None = None


def choose(frame: Frame, intent: Intent) -> Choice:
    """Fill in what the intent leaves open."""
    x = frame.field(intent.x) if intent.x else None
    y = frame.field(intent.y) if intent.y else None
    color = frame.field(intent.color) if intent.color else None
    if intent.aggregate == "count":
        y = None
    elif y is not None and y.role != "number":
        raise _not_a_number(frame, y)
    kind = intent.kind
    if x is not None and x is y:
        raise ValidationError(f"x and y are both {x.name!r}; give two columns, or leave one out.")
    taken = {field.name for field in (x, y, color) if field is not None}
    numbers = [field for field in frame.of("number") if field.name not in taken]

    if kind == "histogram":
        return Choice(kind=kind, y=y or _numeric(frame, x))
    if kind == "point" or (kind is None and x is not None and x.role == "number" and y is not None):
        return _points(frame, x, y, color, numbers)
    if y is None and intent.aggregate != "count" and numbers:
        y = numbers[0]
    x = x or _axis(frame, kind, taken)
    if x is None:
        if kind is None and len(frame.of("number")) > 1 and intent.y is None:
            return _points(frame, None, None, color, frame.of("number"))
        return Choice(kind="histogram", y=y or _numeric(frame, None))
    if color is None and kind != "pie" and intent.x is None and intent.color is None:
        color = _colour(frame, x)
    return Choice(kind=kind or _kind(x), x=x, y=y, color=color)


def _kind(x: Field) -> ChartKind:
    return "line" if x.role == "time" else "bar"


def _axis(frame: Frame, kind: ChartKind | None, taken: set[str]) -> Field | None:
    """Find what to lay out along: time before order before categories, unless a pie is cut."""
    first = ("category", "ordered", "time") if kind == "pie" else ("time", "ordered", "category")
    for role in first:
        for field in frame.of(role):
            if field.name not in taken:
                return field
    identifiers = [f for f in frame.of("other") if f.name not in taken]
    return identifiers[0] if kind == "bar" and identifiers else None


def _colour(frame: Frame, x: Field) -> Field | None:
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
    frame: Frame, x: Field | None, y: Field | None, color: Field | None, numbers: list[Field]
) -> Choice:
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
    return Choice(kind="point", x=x, y=y, color=color)


def _numeric(frame: Frame, field: Field | None) -> Field:
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


def _not_a_number(frame: Frame, field: Field) -> ValidationError:
    numbers = ", ".join(f.name for f in frame.of("number")) or "none"
    return ValidationError(
        f"{field.name!r} cannot be measured: it is no number. Numbers in {frame.kept.result_id}: "
        f"{numbers}. Or use aggregate 'count' to count rows."
    )
