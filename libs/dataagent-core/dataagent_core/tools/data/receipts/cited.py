"""Recomputes what a citation names: an expression, or the one ratio the words can mean.

Without an expression only ratios of the rows the sentence names are tried, and only those its
words allow: a share is of the column's sum, a change is between two rows, anything else is of two
cells of one row, or of one column of two named rows.
"""

from collections.abc import Iterator
from decimal import Decimal
from itertools import permutations

from dataagent_core.tools.data.receipts.chance import (
    CITED_RATIO_SHARE_MAX,
    Target,
    near,
    share_of,
)
from dataagent_core.tools.data.receipts.citations import Expression, Operand, parsed
from dataagent_core.tools.data.receipts.derive import Derivation, Match, Strength
from dataagent_core.tools.data.receipts.figure import Figure
from dataagent_core.tools.data.receipts.folding import folded
from dataagent_core.tools.data.receipts.index import ResultIndex, spelt
from dataagent_core.tools.data.receipts.numbers import NumericColumn
from dataagent_core.tools.data.receipts.pins import compared_with, named_rows
from dataagent_core.tools.data.receipts.question import Question

_NAMED_ROWS_MAX = 4
_FLOAT_SLACK = Decimal("1e-9")
_Cell = tuple[NumericColumn, int]


def expressed(figure: Figure, index: ResultIndex, expression: str) -> Match | None:
    """Recompute an expression; None if it is not allowed, or is not the figure."""
    read = parsed(expression)
    value = _computed(read, index) if read is not None else None
    if read is None or value is None:
        return None
    derivation: Derivation = "ratio"
    if read.shape == "difference":
        derivation = "difference"
    elif read.shape == "value":
        derivation = _kind_of(read.a)
    if not any(near(value, target, _FLOAT_SLACK) for target in _targets(figure, read.shape)):
        return None
    return Match(
        derivation=derivation,
        result_id=index.result_id,
        detail=expression.strip(),
        strength=Strength.CITED,
    )


def ratios(question: Question, index: ResultIndex) -> Iterator[Match]:
    """Find the ratio the words can mean; ratios of too many things prove nothing."""
    figure = question.figure
    if figure.kind not in ("percent", "ratio"):
        return
    found = list(_candidates(question, index))
    for target in _targets(figure, "ratio"):
        if share_of(target, (value for value, _ in found)) > CITED_RATIO_SHARE_MAX:
            continue
        for value, detail in found:
            if near(value, target, _FLOAT_SLACK):
                yield Match(
                    derivation="ratio",
                    result_id=index.result_id,
                    detail=detail,
                    strength=Strength.CITED,
                )
                return


def _targets(figure: Figure, shape: str) -> list[Target]:
    """Say what an expression would have to be, and within which step."""
    value, step = figure.value, figure.step
    if figure.kind in ("percent", "points"):
        value, step = value / 100, step / 100
    found = [(value, step)]
    if shape in ("value", "difference") and figure.kind != "number":
        found.append((figure.value, figure.step))
    # "Fell by 12%" prints no sign; a change may also be said as it is.
    return [*found, *((-v, s) for v, s in found)] if shape != "value" else found


def _computed(read: Expression, index: ResultIndex) -> Decimal | None:
    a = _operand(read.a, index)
    if a is None or read.b is None:
        return a[0] if a else None
    b = _operand(read.b, index)
    if b is None or not _go_together(read.a, a[1], read.b, b[1]):
        return None
    match read.shape:
        case "difference":
            return a[0] - b[0]
        case "ratio":
            return a[0] / b[0] if b[0] else None
        case "change":
            return a[0] / b[0] - 1 if b[0] else None
        case _:
            over = _operand(read.over, index) if read.over in (read.a, read.b) else None
            return (a[0] - b[0]) / over[0] if over and over[0] else None


def _operand(operand: Operand | None, index: ResultIndex) -> tuple[Decimal, int | None] | None:
    """Return the value of an operand, with its row if it is a cell."""
    if operand is None:
        return None
    if operand.function == "count":
        return None if index.truncated else (Decimal(index.rows), None)
    column = index.column(operand.column)
    if column is None:
        return None
    if operand.function is not None:
        if index.truncated:
            return None
        names = {"sum": "total", "mean": "mean", "min": "minimum", "max": "maximum"}
        value = getattr(column, names[operand.function])
        return None if value is None else (value, None)
    row = _row(operand.label, index)
    value = None if row is None else column.value(row)
    return None if value is None or row is None else (value, row)


def _row(label: str | None, index: ResultIndex) -> int | None:
    if label is None:
        return 0 if index.rows == 1 else None
    for column in index.labels:
        code = column.exact(folded(label))
        rows = [] if code is None else column.rows_of(frozenset({code}), 1)
        if len(rows) == 1:
            return rows[0]
    return None


def _go_together(a: Operand, a_row: int | None, b: Operand, b_row: int | None) -> bool:
    """Allow two cells of one row or column, a cell and its column's sum, and two aggregates."""
    if (a_row is None) == (b_row is None):
        same_column = spelt(a.column) == spelt(b.column)
        return a_row is None or a_row == b_row or same_column
    cell, aggregate = (a, b) if a_row is not None else (b, a)
    return aggregate.function == "sum" and spelt(cell.column) == spelt(aggregate.column)


def _kind_of(operand: Operand) -> Derivation:
    match operand.function:
        case "sum" | "mean" | "min" | "max" | "count":
            return operand.function
        case _:
            return "cell"


def _candidates(question: Question, index: ResultIndex) -> Iterator[tuple[Decimal, str]]:
    context = question.context
    columns = [c for c in index.numeric if not c.names_things and not c.rate_named]
    columns = [c for c in columns if c.said_in(context.sentence)] or columns
    pins = question.pins(index)
    rows = [0] if index.rows == 1 else (pins.rows() or [])[:_NAMED_ROWS_MAX]
    claims = context.claims or context.sentence_claims
    if "share" in claims:
        if not index.truncated:
            yield from _shares(columns, rows)
        return
    named = named_rows(context, index, _NAMED_ROWS_MAX)
    if not named and index.rows == 2:  # noqa: PLR2004 (then and now)
        named = [0, 1]
    if "change" in claims:
        yield from _of_rows(columns, named, change=True, base=compared_with(context, index))
        return
    yield from _of_columns(columns, rows)
    yield from _of_rows(columns, named, change=False)


def _shares(columns: list[NumericColumn], rows: list[int]) -> Iterator[tuple[Decimal, str]]:
    for column in columns:
        for row in rows:
            value, total = column.value(row), column.total
            if value is not None and total:
                yield value / total, f"{column.name}, row {row + 1} / sum({column.name})"


def _of_columns(columns: list[NumericColumn], rows: list[int]) -> Iterator[tuple[Decimal, str]]:
    for row in rows:
        for first, second in permutations(columns[:_NAMED_ROWS_MAX], 2):
            above, below = first.value(row), second.value(row)
            if above is not None and below:
                yield above / below, f"{first.name} / {second.name}, row {row + 1}"


def _of_rows(
    columns: list[NumericColumn], rows: list[int], *, change: bool, base: int | None = None
) -> Iterator[tuple[Decimal, str]]:
    for column in columns:
        for row, other in permutations(rows, 2):
            above, below = column.value(row), column.value(other)
            if above is None or not below or base not in (None, other):
                continue
            detail = f"{column.name}, row {row + 1} / row {other + 1}"
            yield (above / below - 1, f"{detail} - 1") if change else (above / below, detail)
