"""Matches a figure in one result: a cell, an aggregate of a column, a difference of two cells.

Each match has a `MatchStrength`: the caller takes the strongest over all results. Ratios are in
`cited_ratios.py`: without a citation there are too many of them to prove anything.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from enum import IntEnum
from typing import Literal

from dataagent_core.tools.data.receipts.derivation.match_chance import (
    BARE_DIGITS_MIN,
    CLAIMED_CELL_DIGITS_MIN,
    NAMED_SHARE_MAX,
    UNCLAIMED_SHARE_MAX,
    Target,
    compute_bounds,
    compute_share,
    compute_share_of_others,
    is_near,
    list_targets,
)
from dataagent_core.tools.data.receipts.figure_question import FigureQuestion
from dataagent_core.tools.data.receipts.periods.period_spans import find_month_span
from dataagent_core.tools.data.receipts.result_values.numeric_column import NumericColumn
from dataagent_core.tools.data.receipts.result_values.result_index import ResultIndex
from dataagent_core.tools.data.receipts.result_values.row_pins import RowPins

Derivation = Literal[
    "cell", "sum", "mean", "min", "max", "count", "difference", "ratio", "product", "output"
]
_HITS_MAX = 1_000


class MatchStrength(IntEnum):
    """How strong the evidence for a match is, the strongest first."""

    CITED = 0
    CLAIMED = 1
    NAMED = 2
    BARE = 3
    DIFFERENCE = 4
    UNCLAIMED = 5
    SEEN = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureMatch:
    """Where a figure comes from."""

    derivation: Derivation
    result_id: str | None
    detail: str
    strength: MatchStrength
    # The words around the figure name what it is of; else only its value is found.
    meaning: bool = True

    @property
    def rank(self) -> tuple[bool, MatchStrength]:
        """The sort key: understood matches before others, then by strength."""
        return not self.meaning, self.strength


def match_cells_and_aggregates(
    question: FigureQuestion, index: ResultIndex
) -> Iterator[FigureMatch]:
    """Find the figure among the cells and the aggregates of a result."""
    pins = question.pins(index)
    yield from _match_cells(question, index, pins)
    if not index.truncated and index.rows > 1:
        yield from _match_aggregates(question, index, pins)
        yield from _match_counts(question, index, pins)


def is_of_another_column(question: FigureQuestion, index: ResultIndex) -> bool:
    """Say whether the number is in the row that is named, but not in the column."""
    pins = question.pins(index)
    rows = [0] if index.rows == 1 else (pins.rows() or [] if pins.binding else [])
    return bool(question.columns_named(index)) and any(
        _is_target(column.value(row), target, column.slack)
        for column in index.numeric
        for target in list_targets(question.figure, column)
        for row in rows
    )


def is_of_another_row(question: FigureQuestion, index: ResultIndex) -> bool:
    """Say whether the number is there, but of another row than the one that is named."""
    pins = question.pins(index)
    return bool(pins) and pins.binding and any(_list_bare_rows(question, c) for c in index.numeric)


def _match_cells(
    question: FigureQuestion, index: ResultIndex, pins: RowPins
) -> Iterator[FigureMatch]:
    claims = question.context.claims
    if index.truncated and claims & {"max", "min"}:
        return  # it is there, but nobody knows whether it is the extreme
    if index.rows > 1 and question.context.is_gap:
        return
    columns = question.columns_meant(index)
    rows = [0] if index.rows == 1 else pins.rows()
    if rows is not None:
        yield from _match_named_cells(question, index, columns, rows)
        if pins.binding or index.rows == 1:
            return
    # Said to be an aggregate, or of a row of another result: then it is some cell of many only by
    # chance, unless it is very exact.
    if question.says_otherwise and question.figure.digits < CLAIMED_CELL_DIGITS_MIN:
        return
    if question.bare_share > question.bare_share_max:
        return
    for column in question.bare_columns(index):
        for row in _list_bare_rows(question, column):
            if not pins or not pins.binding or pins.fit(row):
                yield _make_cell_match(question, index, column, row, MatchStrength.BARE)
                break


def _match_named_cells(
    question: FigureQuestion,
    index: ResultIndex,
    columns: tuple[NumericColumn, ...],
    rows: list[int],
) -> Iterator[FigureMatch]:
    figure = question.figure
    few = figure.digits < BARE_DIGITS_MIN
    if few and question.counted is not None and index.rows == 1:
        return  # rows of another result are counted
    named = question.columns_named(index)
    # A rate without decimals is too easily some other one.
    rough = few and figure.kind != "number" and figure.step >= 1
    exactly = rough and not named
    for column in columns:
        if few and figure.kind == "number" and column.rate_named and column not in named:
            continue  # a rate is said as one, or by its name
        for wanted, step in list_targets(figure, column):
            target = (wanted, Decimal(0) if exactly else step)
            hits = [row for row in rows if _is_target(column.value(row), target, column.slack)]
            if not hits:
                continue
            others = [v for c in columns for r in rows if (v := c.value(r)) is not None]
            if exactly or compute_share_of_others(target, others) <= NAMED_SHARE_MAX:
                yield _make_cell_match(question, index, column, hits[0], MatchStrength.NAMED)


def _list_bare_rows(question: FigureQuestion, column: NumericColumn) -> list[int]:
    return [
        row
        for target in list_targets(question.figure, column)
        for row in column.rows_between(*compute_bounds(target), _HITS_MAX)
        if _is_target(column.value(row), target, column.slack)
    ]


def _match_aggregates(
    question: FigureQuestion, index: ResultIndex, pins: RowPins
) -> Iterator[FigureMatch]:
    figure, claims = question.figure, question.context.claims
    columns = [c for c in question.columns_meant(index) if not c.names_things]
    months = _list_named_months(question, index)
    yield from _match_months(question, index, columns, months or [])
    if months is not None and len(months) < index.rows:
        return  # not of all months
    for name in ("sum", "mean", "max", "min"):
        claimed = name in claims
        if name == "sum":
            claimed = question.adds_up or (months is not None and not claims)
        if not _may_be_aggregate(name, question, index, claimed=claimed):
            continue
        values = [(c, v) for c in columns if (v := _compute_aggregate(name, c)) is not None]
        for column, value in values:
            for target in list_targets(figure, column):
                if not is_near(value, target, column.slack):
                    continue
                if name in ("max", "min") and not _fits_extreme(column, value, pins):
                    continue
                share = (compute_share_of_others if claimed else compute_share)(
                    target, [v for _, v in values]
                )
                if share <= (NAMED_SHARE_MAX if claimed else UNCLAIMED_SHARE_MAX):
                    yield FigureMatch(
                        derivation=name,
                        result_id=index.result_id,
                        detail=f"{name}({column.name})",
                        strength=MatchStrength.CLAIMED if claimed else MatchStrength.UNCLAIMED,
                        meaning=claimed and question.measure(index).fits(column, index),
                    )


def _list_named_months(question: FigureQuestion, index: ResultIndex) -> list[int] | None:
    """List the rows of the months that the sentence speaks of together."""
    context = question.context
    if context.in_table:
        span = find_month_span(context.header) or find_month_span(" ".join(context.cells))
    else:
        span = find_month_span(context.sentence) or find_month_span(context.clause_before)
    if span is None or len(index.labels) != 1:
        return None
    return index.labels[0].rows_of_months(span.months, span.year)


def _match_months(
    question: FigureQuestion, index: ResultIndex, columns: list[NumericColumn], rows: list[int]
) -> Iterator[FigureMatch]:
    if not rows or question.context.claims & {"max", "min", "share"}:
        return
    name: Derivation = "mean" if "mean" in question.context.claims else "sum"
    for column in columns:
        values = [v for row in rows if (v := column.value(row)) is not None]
        if (column.rate_named and name == "sum") or len(values) < len(rows):
            continue
        total = sum(values, Decimal(0)) / (len(rows) if name == "mean" else 1)
        if any(
            is_near(total, target, column.slack) for target in list_targets(question.figure, column)
        ):
            yield FigureMatch(
                derivation=name,
                result_id=index.result_id,
                detail=f"{name}({column.name}), rows {rows[0] + 1}-{rows[-1] + 1}",
                strength=MatchStrength.CLAIMED,
                meaning=question.measure(index).fits(column, index),
            )


def _may_be_aggregate(
    name: str, question: FigureQuestion, index: ResultIndex, *, claimed: bool
) -> bool:
    """Say whether the words leave it open that a figure is this aggregate of this result."""
    if question.figure.digits <= BARE_DIGITS_MIN and question.names_another_column(index):
        return False
    if not claimed and (question.names_a_row or question.figure.digits < BARE_DIGITS_MIN):
        return False
    if name in ("max", "min"):
        # Of a row that is named, it is of the result that has the row.
        return claimed and (not question.names_a_row or question.speaks_of(index))
    pins = question.pins(index)
    return not (pins.binding and pins.single)  # else said of one row, not of all


def _match_counts(
    question: FigureQuestion, index: ResultIndex, pins: RowPins
) -> Iterator[FigureMatch]:
    """Find the figure among the counts.

    Every result has a count, and most are small: one that no citation ties to a result is of the
    newest result that has what is counted ("5 regions"), unless it has several digits.
    """
    figure, context = question.figure, question.context
    counted = next((c for c in index.labels if c.counted_in(question.counted_behind)), None)
    said = "count" in context.claims or counted is not None
    claimed = said and question.counts_rows_of(index)
    if figure.kind != "number" or figure.step < 1:
        return  # nobody prints "40.00 rows"
    if not claimed and (figure.digits < BARE_DIGITS_MIN or question.says_otherwise):
        return
    if pins.binding and pins.single:
        return
    counts = {"rows": index.rows} | {c.name: c.count for c in question.columns_named(index)}
    if counted is not None:
        counts = {"rows": counted.distinct}
    target = (figure.value, figure.step)
    values = [Decimal(count) for count in counts.values()]
    share = (compute_share_of_others if claimed else compute_share)(target, values)
    for what, count in counts.items():
        if is_near(Decimal(count), target):
            if share <= (NAMED_SHARE_MAX if claimed else UNCLAIMED_SHARE_MAX):
                yield FigureMatch(
                    derivation="count",
                    result_id=index.result_id,
                    detail=f"count({what})",
                    strength=MatchStrength.CLAIMED if claimed else MatchStrength.UNCLAIMED,
                    meaning=claimed,
                )
            return


def _compute_aggregate(name: str, column: NumericColumn) -> Decimal | None:
    match name:
        case "sum":
            # Rates are averaged, never added.
            return None if column.rate_named else column.total
        case "mean":
            return column.mean
        case "max":
            return column.maximum
        case _:
            return column.minimum


def _fits_extreme(column: NumericColumn, value: Decimal, pins: RowPins) -> bool:
    """Say whether a row with the extreme value is the named one."""
    if not pins or not pins.binding:
        return True
    low, high = compute_bounds((value, Decimal(0)))
    return any(pins.fit(row) for row in column.rows_between(low, high, _HITS_MAX))


def _make_cell_match(
    question: FigureQuestion,
    index: ResultIndex,
    column: NumericColumn,
    row: int,
    strength: MatchStrength,
) -> FigureMatch:
    return FigureMatch(
        derivation="cell",
        result_id=index.result_id,
        detail=f"{column.name}, row {row + 1}",
        strength=strength,
        meaning=question.measure(index).fits(column, index) and question.row_is_told(index, row),
    )


def _is_target(value: Decimal | None, target: Target, slack: Decimal) -> bool:
    return value is not None and is_near(value, target, slack)
