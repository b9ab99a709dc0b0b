"""Recomputes the expression of a citation, and checks that it matches the sentence.

A correct expression of another row or column than the words name (the growth of April with the
cells of March) proves nothing.
"""

import re
from dataclasses import dataclass
from decimal import Decimal

from dataagent_core.tools.data.receipts.context.citations import (
    CitationExpression,
    CitationOperand,
    CitedCell,
    is_in_hundreds,
    parse_expression,
)
from dataagent_core.tools.data.receipts.derivation.figure_match import (
    Derivation,
    FigureMatch,
    MatchStrength,
)
from dataagent_core.tools.data.receipts.derivation.match_chance import Target, is_near, list_targets
from dataagent_core.tools.data.receipts.figure_question import FigureQuestion
from dataagent_core.tools.data.receipts.figures.figure import Figure
from dataagent_core.tools.data.receipts.figures.text_folds import fold_text
from dataagent_core.tools.data.receipts.figures.units import is_in_basis_points
from dataagent_core.tools.data.receipts.result_values.numeric_column import NumericColumn
from dataagent_core.tools.data.receipts.result_values.result_index import ResultIndex
from dataagent_core.tools.data.receipts.result_values.row_pins import list_named_rows

# "62 of 80", "62 of the 80", "62 orders out of 80".
_OF_NEXT = re.compile(
    r"[\s*_`]*(?:[a-z]+ ){0,2}?(?:out )?of (?:(?:the|its|all|their) )?[$€£\u00a5*_`]*\d"
)
_OF_LAST = re.compile(r"\d[^,;。]{0,24}?\bof (?:(?:the|its|all|their) )?[$€£\u00a5*_`]*\Z")
FLOAT_SLACK = Decimal("1e-9")
_AGGREGATES = {"sum": "total", "mean": "mean", "min": "minimum", "max": "maximum"}


@dataclass(frozen=True, slots=True)
class _OperandValue:
    """The value of an operand, with its columns, and its rows if it is made of cells."""

    value: Decimal
    columns: frozenset[NumericColumn]
    rows: frozenset[int] = frozenset()


def recompute_expression(
    question: FigureQuestion, index: ResultIndex, expression: str
) -> FigureMatch | None:
    """Recompute an expression; None if it is not allowed, not the figure, or of something else."""
    read = parse_expression(expression)
    a = _evaluate_operand(read.a, index) if read is not None else None
    b = _evaluate_operand(read.b, index) if read is not None and read.b is not None else None
    if read is None or a is None or (read.b is not None and b is None):
        return None
    value = _compute(read, a, b)
    shown = list_expression_targets(question.figure, read.shape)
    if question.figure.kind == "number" and is_in_hundreds(expression):
        shown = [(wanted / 100, step / 100) for wanted, step in shown]
    scales = {column.unit for column in a.columns if read.b is None and question.figure.scale != 1}
    if len(scales) == 1 and (scale := scales.pop()) is not None:
        shown += [(wanted / scale, step / scale) for wanted, step in shown]
    if value is None or not any(is_near(value, target, FLOAT_SLACK) for target in shown):
        return None
    if not _is_of_named_rows(question, index, read, a, b):
        return None
    columns = a.columns | (b.columns if b is not None else frozenset())
    measure = question.measure(index)
    fits = not measure.columns or bool(columns & set(measure.parts))
    if not fits and measure.own and len(columns) == 1:
        return None  # of two columns a ratio may have a name of its own
    return FigureMatch(
        derivation=_get_derivation(read),
        result_id=index.result_id,
        detail=expression.strip(),
        strength=MatchStrength.CITED,
        meaning=fits,
    )


def match_operand(
    question: FigureQuestion, index: ResultIndex, expression: str
) -> FigureMatch | None:
    """Find the figure as one of the two that a ratio is made of: "62 of 80 (77.5% [..: A / B])"."""
    read = parse_expression(expression)
    figure, context = question.figure, question.context
    if read is None or read.b is None or read.shape != "ratio" or figure.kind != "number":
        return None
    of_next = _OF_NEXT.match(context.sentence, context.end) is not None
    of_last = _OF_LAST.search(context.sentence, 0, context.start) is not None
    operand = _evaluate_operand(read.a if of_next else read.b, index)
    if of_next is of_last or operand is None or len(operand.columns) != 1:
        return None
    (column,) = operand.columns
    measure, pins = question.measure(index), question.pins(index)
    fits = all(pins.fit(row) for row in operand.rows) if pins and pins.binding else True
    contradicted = measure.own and column not in measure.columns
    if contradicted or not fits:
        return None
    if not any(
        is_near(operand.value, target, column.slack) for target in list_targets(figure, column)
    ):
        return None
    return FigureMatch(
        derivation="cell" if operand.rows else "sum",
        result_id=index.result_id,
        detail=column.name,
        strength=MatchStrength.CITED,
    )


def list_expression_targets(figure: Figure, shape: str) -> list[Target]:
    """List the values that an expression may have to be the figure, with tolerances."""
    value, step = figure.value, figure.step
    if figure.kind in ("percent", "points"):
        value, step = value / 100, step / 100
    found = [(value, step)]
    if is_in_basis_points(figure.unit) and shape == "difference":
        # Of per cents, and of fractions.
        found += [(value / size, step / size) for size in (100, 10_000)]
    if shape in ("value", "difference") and figure.kind != "number":
        found.append((figure.value, figure.step))
    # "Fell by 12%" prints no sign; a change may also be said as it is.
    return [*found, *((-v, s) for v, s in found)] if shape != "value" else found


def _is_of_named_rows(
    question: FigureQuestion,
    index: ResultIndex,
    read: CitationExpression,
    a: _OperandValue,
    b: _OperandValue | None,
) -> bool:
    """Say whether a cell is of a row that the words name, if they name any."""
    pins = question.pins(index)
    rows = a.rows | (b.rows if b is not None else frozenset())
    if not rows or not pins or not pins.binding:
        return True
    if read.shape in ("change", "share_of_difference") and pins.single:
        # A change said of one period alone is that period's.
        alone = len(list_named_rows(question.context, index, 2)) == 1
        rows = a.rows if alone else rows
    return any(pins.fit(row) for row in rows)


def _get_derivation(read: CitationExpression) -> Derivation:
    if read.shape in ("difference", "product"):
        return read.shape
    if read.shape != "value":
        return "ratio"
    match read.a.function:
        case "sum" | "mean" | "min" | "max" | "count":
            return read.a.function
        case _:
            return "cell" if len(read.a.cells) == 1 else "sum"


def _compute(read: CitationExpression, a: _OperandValue, b: _OperandValue | None) -> Decimal | None:
    if b is None or read.b is None:
        return a.value
    of_one_row = a.rows == b.rows and len(a.rows) == 1
    if not _are_compatible(read.a, a, read.b, b) or (read.shape == "product" and not of_one_row):
        return None
    match read.shape:
        case "difference":
            return a.value - b.value
        case "product":
            return a.value * b.value
        case "ratio" | "change":
            less = 1 if read.shape == "change" else 0
            return a.value / b.value - less if b.value else None
        case _:
            over = {read.a: a.value, read.b: b.value}.get(read.over) if read.over else None
            return (a.value - b.value) / over if over else None


def _evaluate_operand(operand: CitationOperand | None, index: ResultIndex) -> _OperandValue | None:
    if operand is None:
        return None
    if operand.function is None:
        return _add_cells(operand.cells, index)
    if index.truncated:
        return None
    if operand.function == "count":
        return _OperandValue(Decimal(index.rows), frozenset())
    column = index.column(operand.column)
    value = None if column is None else getattr(column, _AGGREGATES[operand.function])
    return None if column is None or value is None else _OperandValue(value, frozenset({column}))


def _add_cells(cells: tuple[CitedCell, ...], index: ResultIndex) -> _OperandValue | None:
    """Add cells of one column or of one row."""
    found: list[tuple[NumericColumn, int, Decimal]] = []
    for cell in cells:
        column, row = index.column(cell.column), _find_row(cell.labels, index)
        value = column.value(row) if column is not None and row is not None else None
        if column is None or row is None or value is None:
            return None
        found.append((column, row, value))
    columns = frozenset(column for column, _, _ in found)
    rows = frozenset(row for _, row, _ in found)
    twice = len({(column.name, row) for column, row, _ in found}) < len(found)
    if twice or (len(columns) > 1 and len(rows) > 1):
        return None
    return _OperandValue(sum((value for _, _, value in found), Decimal(0)), columns, rows)


def _find_row(labels: tuple[str, ...], index: ResultIndex) -> int | None:
    """Find the one row that has all the labels."""
    if not labels:
        return 0 if index.rows == 1 else None
    rows: set[int] | None = None
    for label in labels:
        having = {
            row
            for column in index.labels
            if (code := column.exact(fold_text(label))) is not None
            for row in column.rows_of(frozenset({code}), index.rows if len(labels) > 1 else 1)
        }
        rows = having if rows is None else rows & having
    return rows.pop() if rows is not None and len(rows) == 1 else None


def _are_compatible(
    read_a: CitationOperand, a: _OperandValue, read_b: CitationOperand, b: _OperandValue
) -> bool:
    """Allow cells of one row or column, cells and their column's sum, and two aggregates."""
    if bool(a.rows) == bool(b.rows):
        return not a.rows or a.rows == b.rows or a.columns == b.columns
    aggregate = read_b if a.rows else read_a
    return aggregate.function == "sum" and a.columns == b.columns
