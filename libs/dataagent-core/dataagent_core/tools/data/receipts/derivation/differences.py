"""Finds a figure among the differences of two cells of one row or of one column.

There are so many that the words must support one: the sentence says that something is more, less or
changed, and preferably names the rows; otherwise only an exact figure counts.
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations

from dataagent_core.config.limits.data import RECEIPT_DIFFERENCE_ROWS_MAX
from dataagent_core.tools.data.receipts.context.claims import DOWN, UP
from dataagent_core.tools.data.receipts.context.figure_context import FigureContext
from dataagent_core.tools.data.receipts.derivation.figure_match import FigureMatch, MatchStrength
from dataagent_core.tools.data.receipts.derivation.match_chance import (
    BARE_DIGITS_MIN,
    BARE_SHARE_MAX,
    PAIR_SHARE_MAX,
    compute_share_of_others,
    is_near,
)
from dataagent_core.tools.data.receipts.figure_question import FigureQuestion
from dataagent_core.tools.data.receipts.figures.figure import Figure
from dataagent_core.tools.data.receipts.figures.units import (
    find_conversion,
    is_in_basis_points,
    is_same_kind,
)
from dataagent_core.tools.data.receipts.measures.measure import THAN_ITS
from dataagent_core.tools.data.receipts.periods.relative_periods import find_period_pair
from dataagent_core.tools.data.receipts.result_values.numeric_column import NumericColumn
from dataagent_core.tools.data.receipts.result_values.result_index import ResultIndex
from dataagent_core.tools.data.receipts.result_values.row_pins import (
    find_compared_pair,
    find_row_before,
    list_named_rows,
)

_NAMED_ROWS_MAX = 6
_ROW_COLUMNS_MAX = 12
_BY = re.compile(r"\bby[\s*_`$€£\u00a5]*\Z")
_CHANGE = re.compile(r"\b(?:change|difference|delta|diff)\b|\u0394|变化|增减|差额|变动|增量")
# A result of two rows is mostly a before and an after.
_THEN_AND_NOW = 2
# A difference, and where it is from.
_Difference = tuple[Decimal, str]


def find_differences(question: FigureQuestion, index: ResultIndex) -> Iterator[FigureMatch]:
    """Find the figure among the differences of a result."""
    figure, context = question.figure, question.context
    if not _may_be_difference(question):
        return
    named = list_named_rows(context, index, _NAMED_ROWS_MAX)
    two = _find_compared(question, index)
    columns, spoken_of = _list_columns(question, index, pair=two is not None)
    if (question.rows_are_named and not named) or (question.columns_are_named and not spoken_of):
        return  # of what another result has
    if two is None and (itself := _list_self_compared(question, index)):
        named, columns = itself, list(question.columns_of_sentence(index))
        spoken_of = columns
    of_one_row = len(spoken_of) > 1 and len(named) == 1 and two is None
    pair = two is not None or len(named) > 1 or of_one_row or index.rows <= _THEN_AND_NOW
    if not pair and figure.digits < BARE_DIGITS_MIN:
        return
    if two is not None:
        found = list(_list_in_columns(columns, [two], _find_direction(question)))
    elif of_one_row:
        found = list(_list_in_rows(columns, named, question.columns_named(index)))
    else:
        found = list(_list_candidates(question, index, columns, named))
    found = _convert_to_printed(figure, columns, found)
    target = (abs(figure.value), figure.step)
    if compute_share_of_others(target, (v for v, _ in found)) > (
        PAIR_SHARE_MAX if pair else BARE_SHARE_MAX
    ):
        return
    slack = max((column.slack for column in columns), default=Decimal(0))
    for value, detail in found:
        if value and is_near(value, target, slack):
            yield FigureMatch(
                derivation="difference",
                result_id=index.result_id,
                detail=detail,
                strength=MatchStrength.DIFFERENCE,
                meaning=pair and (bool(spoken_of) or len(columns) == 1),
            )
            return


def _convert_to_printed(
    figure: Figure, columns: Sequence[NumericColumn], found: list[_Difference]
) -> list[_Difference]:
    """Convert differences to the unit and scale of the printed figure."""
    units = {column.unit for column in columns}
    if figure.scale != 1 and len(units) == 1 and (unit := units.pop()) is not None:
        found += [(value * unit, detail) for value, detail in found]
    sizes = {find_conversion(column.measured_in, figure.unit) for column in columns}
    if len(sizes) == 1 and (size := sizes.pop()) is not None:
        found = [(value * size, detail) for value, detail in found]
    if is_in_basis_points(figure.unit) and all(column.rate_named for column in columns):
        size = 10_000 if all(column.fractions for column in columns) else 100
        found = [(value * size, detail) for value, detail in found]
    if figure.kind == "points":
        found += [(value * 100, detail) for value, detail in found]
    return found


def _list_self_compared(question: FigureQuestion, index: ResultIndex) -> list[int]:
    """List the row that is compared with itself: "7 more discharged than it admitted"."""
    context = question.context
    _, right = context.segment
    own = [
        mention
        for mention in index.names.mentions(context.sentence)
        if context.end <= mention.start < right
        and THAN_ITS.search(context.sentence, context.end, mention.start)
    ]
    rows = question.pins(index).rows() or []
    return rows if own and len(rows) == 1 else []


def _find_compared(question: FigureQuestion, index: ResultIndex) -> tuple[int, int] | None:
    """Find the two rows whose difference it is: of two that are compared, or of two periods."""
    if (two := find_compared_pair(question.context, index)) is not None:
        return two
    if question.context.in_table:
        return _find_between_heads(question.context, index)
    context = question.context
    by = _BY.search(context.sentence, 0, context.start) is not None
    changes = (by and context.is_gap) or _find_direction(question) is not None
    return _find_two_periods(question, index) if changes else None


def _find_two_periods(question: FigureQuestion, index: ResultIndex) -> tuple[int, int] | None:
    """Find the named period and the one before, or the only two periods."""
    pins = question.pins(index)
    rows = pins.rows() or []
    if len(rows) != 1:
        return find_period_pair(question.context, index, rows)
    if not pins.single and len(list_named_rows(question.context, index, 2)) > 1:
        return None
    before = find_row_before(question.context, index, rows[0])
    return (rows[0], before) if before is not None else None


def _find_between_heads(context: FigureContext, index: ResultIndex) -> tuple[int, int] | None:
    """Read the column "change" of a table whose other heads name two rows, the later one last."""
    if not _CHANGE.search(context.header):
        return None
    named = [
        (column, code)
        for head in context.heads
        for column in index.labels
        for _, _, code in column.occurrences(head)
    ]
    rows = [column.rows_of(frozenset({code}), 2) for column, code in named]
    if len(rows) != 2 or any(len(one) != 1 for one in rows):  # noqa: PLR2004 (then and now)
        return None
    return rows[1][0], rows[0][0]


def _find_direction(question: FigureQuestion) -> bool | None:
    """Say whether the words make the first one larger; None if they do not say."""
    context = question.context
    if question.figure.text[0] in "+-\u2212\u2013":
        return question.figure.text[0] == "+"
    left, right = context.segment
    for words in (context.sentence[left : context.start], context.sentence[left:right]):
        up, down = UP.search(words) is not None, DOWN.search(words) is not None
        if up is not down:
            return up
    return None


def _may_be_difference(question: FigureQuestion) -> bool:
    """Say whether the words make it a difference, and nothing else."""
    context = question.context
    if question.figure.kind not in ("number", "points"):
        return False
    if "difference" not in context.sentence_claims:
        return False
    otherwise = context.claims & {"sum", "mean", "max", "min", "count"}
    return context.is_gap or not otherwise


def _list_columns(
    question: FigureQuestion, index: ResultIndex, *, pair: bool
) -> tuple[list[NumericColumn], list[NumericColumn]]:
    """Return the columns that can be meant, and those of them that are named."""
    wanted = question.figure.kind == "points"
    measured = [
        column
        for column in index.numeric
        if not column.names_things and (not wanted or column.rate_named or column.fractions)
    ]
    unit = None if is_in_basis_points(question.figure.unit) else question.figure.unit
    measured = [c for c in measured if is_same_kind(unit, c.measured_in)] or measured
    named = question.columns_of_sentence(index)
    own = question.measure(index).columns if pair else question.columns_named(index)
    rows = list_named_rows(question.context, index, _NAMED_ROWS_MAX)
    if set(own) & set(measured) and (pair or len(rows) > 1):
        named = own  # of one column, between two rows
    spoken_of = [column for column in measured if column in named]
    return spoken_of or measured, spoken_of


def _list_candidates(
    question: FigureQuestion,
    index: ResultIndex,
    columns: Sequence[NumericColumn],
    named: Sequence[int],
) -> Iterator[_Difference]:
    if len(named) > 1:
        yield from _list_in_columns(columns, _list_pairs(question, index, named))
        return
    small = index.rows <= RECEIPT_DIFFERENCE_ROWS_MAX
    rows = named or (range(index.rows) if small else ())
    yield from _list_in_rows(columns, rows, question.columns_named(index))
    if small:
        all_rows = range(index.rows)
        pairs = [(row, other) for row in named for other in all_rows if row != other]
        yield from _list_in_columns(columns, pairs or list(combinations(all_rows, 2)))


def _list_pairs(
    question: FigureQuestion, index: ResultIndex, named: Sequence[int]
) -> list[tuple[int, int]]:
    """Pair the rows that a sentence names, each pair with the row that the figure itself is of."""
    pins = question.pins(index)
    return [
        pair
        for pair in combinations(named, 2)
        if not (pins.binding and pins.single) or any(map(pins.fit, pair))
    ]


def _list_in_columns(
    columns: Sequence[NumericColumn],
    pairs: Sequence[tuple[int, int]],
    up: bool | None = None,  # noqa: FBT001 (the first is said to be the larger one)
) -> Iterator[_Difference]:
    for column in columns:
        values = {row: column.value(row) for pair in pairs for row in pair}
        for row, other in pairs:
            first, second = values[row], values[other]
            # What differs from nothing by itself is a cell, and a cell of another row at that.
            if first and second and up in (None, first >= second):
                yield (
                    abs(first - second),
                    f"{column.name}, row {row + 1} - row {other + 1}"
                    if first >= second
                    else f"{column.name}, row {other + 1} - row {row + 1}",
                )


def _list_in_rows(
    columns: Sequence[NumericColumn], rows: Sequence[int] | range, own: Sequence[NumericColumn]
) -> Iterator[_Difference]:
    """List the differences of two cells of a row, one of them of what the figure is said to be."""
    for row in rows:
        cells = [(c, v) for c in columns[:_ROW_COLUMNS_MAX] if (v := c.value(row))]
        for (column, first), (other, second) in combinations(cells, 2):
            # An amount less a rate is the amount again.
            if column.rate_named != other.rate_named or (own and not {column, other} & {*own}):
                continue
            high, low = (column, other) if first >= second else (other, column)
            yield abs(first - second), f"{high.name} - {low.name}, row {row + 1}"
