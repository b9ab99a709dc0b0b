"""Finds the one ratio that the words can mean, if a citation names only the result.

It tries only ratios of the rows that the sentence names, and only those its words allow: a share is
of the column's sum, a change is between two rows or against the previous period, anything else is
of two cells of one row, or of one column in two named rows. `cited_expressions.py` recomputes
explicit expressions.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import permutations

from dataagent_core.tools.data.receipts.context.claims import DOWN, UP, Claim
from dataagent_core.tools.data.receipts.derivation.cited_expressions import (
    FLOAT_SLACK,
    list_expression_targets,
)
from dataagent_core.tools.data.receipts.derivation.figure_match import FigureMatch, MatchStrength
from dataagent_core.tools.data.receipts.derivation.match_chance import (
    CITED_RATIO_SHARE_MAX,
    PAIR_SHARE_MAX,
    compute_share,
    compute_share_of_others,
    is_near,
)
from dataagent_core.tools.data.receipts.figure_question import FigureQuestion
from dataagent_core.tools.data.receipts.result_values.numeric_column import NumericColumn
from dataagent_core.tools.data.receipts.result_values.result_index import ResultIndex
from dataagent_core.tools.data.receipts.result_values.row_pins import (
    find_compared_pair,
    find_compared_row,
    find_row_before,
    list_named_rows,
)

_NAMED_ROWS_MAX = 4
_OF_WHOLE = re.compile(r"\s*of (?!which|whom)")


def find_ratios(question: FigureQuestion, index: ResultIndex) -> Iterator[FigureMatch]:
    """Find the ratio the words can mean; ratios of too many things prove nothing."""
    figure = question.figure
    if figure.kind not in ("percent", "ratio"):
        return
    for claims in _list_readings(question):
        if (match := _find_ratio(question, index, claims)) is not None:
            yield match
            return


def _find_ratio(
    question: FigureQuestion, index: ResultIndex, claims: frozenset[Claim]
) -> FigureMatch | None:
    figure = question.figure
    columns = _list_columns(question, index, claims)
    found = list(_list_candidates(question, index, columns, claims))
    # One column and its rows are named: then there is hardly another ratio it could be.
    is_specific = len(columns) == 1 and figure.step < 1
    for target in list_expression_targets(figure, "ratio"):
        values = [value for value, _ in found]
        share = (
            compute_share_of_others(target, values)
            if is_specific
            else compute_share(target, values)
        )
        if share > (PAIR_SHARE_MAX if is_specific else CITED_RATIO_SHARE_MAX):
            continue
        for value, detail in found:
            if is_near(value, target, FLOAT_SLACK):
                return FigureMatch(
                    derivation="ratio",
                    result_id=index.result_id,
                    detail=detail,
                    strength=MatchStrength.CITED,
                    meaning=bool(question.measure(index).columns) or len(columns) == 1,
                )
    return None


def _list_columns(
    question: FigureQuestion, index: ResultIndex, claims: frozenset[Claim]
) -> list[NumericColumn]:
    """List the columns a ratio can be of: those that are named, or else all."""
    columns = [c for c in index.numeric if not c.names_things and not c.rate_named]
    of_one = bool(claims & {"share", "change"})
    named = question.measure(index).columns if of_one else question.columns_of_sentence(index)
    return [column for column in columns if column in named] or columns


def _list_candidates(
    question: FigureQuestion,
    index: ResultIndex,
    columns: list[NumericColumn],
    claims: frozenset[Claim],
) -> Iterator[tuple[Decimal, str]]:
    context = question.context
    pins = question.pins(index)
    rows = [0] if index.rows == 1 else (pins.rows() or [])[:_NAMED_ROWS_MAX]
    if "share" in claims:
        if not index.truncated:
            yield from _list_shares(columns, rows)
        return
    named = list_named_rows(context, index, _NAMED_ROWS_MAX)
    if not named and index.rows == 2:  # noqa: PLR2004 (then and now)
        named = [0, 1]
    if "change" in claims:
        yield from _list_changes(question, index, columns, named)
        return
    yield from _list_column_ratios(columns, rows)
    yield from _list_row_ratios(columns, named, change=False)


def _list_readings(question: FigureQuestion) -> Iterator[frozenset[Claim]]:
    """Yield the possible meanings of the words, one after the other."""
    context = question.context
    own = context.claims - {"difference"}
    if not own and "change" in context.sentence_claims:
        yield context.sentence_claims  # "and members by 6%" goes on about a change
        return
    if not own and _OF_WHOLE.match(context.sentence, context.end):
        yield frozenset({"share"})  # "30% of policies"
    yield context.claims or context.sentence_claims
    if not own and len(question.measure(question.results[0]).columns) == 1:
        yield frozenset({"share"})  # "East sold 80 units (40% [r_...])"


def _list_changes(
    question: FigureQuestion, index: ResultIndex, columns: list[NumericColumn], named: list[int]
) -> Iterator[tuple[Decimal, str]]:
    """List the changes the words can mean, up or down as they say."""
    context = question.context
    base = find_compared_row(context, index)
    if (two := find_compared_pair(context, index)) is not None and len(named) < len(two):
        named, base = [*two], two[1]
    pinned = question.pins(index).rows() or []
    before = (
        find_row_before(context, index, pinned[0]) if len(pinned) == 1 and base is None else None
    )
    if before is not None:
        found = _list_row_ratios(columns, [pinned[0], before], change=True, base=before)
    else:
        found = _list_row_ratios(columns, named, change=True, base=base)
    left, right = context.segment
    words = context.sentence[left:right]
    up, down = UP.search(words) is not None, DOWN.search(words) is not None
    for value, detail in found:
        if up is down or (up and value >= 0) or (down and value <= 0):
            yield value, detail


def _list_shares(columns: list[NumericColumn], rows: list[int]) -> Iterator[tuple[Decimal, str]]:
    for column in columns:
        for row in rows:
            value, total = column.value(row), column.total
            if value is not None and total:
                yield value / total, f"{column.name}, row {row + 1} / sum({column.name})"


def _list_column_ratios(
    columns: list[NumericColumn], rows: list[int]
) -> Iterator[tuple[Decimal, str]]:
    for row in rows:
        for first, second in permutations(columns[:_NAMED_ROWS_MAX], 2):
            above, below = first.value(row), second.value(row)
            if above is not None and below:
                yield above / below, f"{first.name} / {second.name}, row {row + 1}"


def _list_row_ratios(
    columns: list[NumericColumn], rows: list[int], *, change: bool, base: int | None = None
) -> Iterator[tuple[Decimal, str]]:
    for column in columns:
        for row, other in permutations(rows, 2):
            above, below = column.value(row), column.value(other)
            if above is None or not below or base not in (None, other):
                continue
            detail = f"{column.name}, row {row + 1} / row {other + 1}"
            yield (above / below - 1, f"{detail} - 1") if change else (above / below, detail)
