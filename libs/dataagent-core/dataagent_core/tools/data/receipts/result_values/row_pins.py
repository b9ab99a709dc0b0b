"""Finds the rows of a result that the words around a figure name.

A figure belongs to the label before it ("East 120, West 80"), or where the sentence begins with a
figure to the one after it ("120 in East, 80 in West"). Of a table's row, the other cells and the
column's head say it. Where several labels of one column could be meant, each of them may be.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dataagent_core.config.limits.data import RECEIPT_PINNED_ROWS_MAX
from dataagent_core.tools.data.receipts.context.comparison_words import follows_versus, is_compared
from dataagent_core.tools.data.receipts.context.figure_context import FigureContext
from dataagent_core.tools.data.receipts.periods.relative_periods import (
    find_shifted_period,
    says_next,
)
from dataagent_core.tools.data.receipts.result_values.result_index import ResultIndex
from dataagent_core.tools.data.receipts.result_values.row_labels import LabelColumn

_PAUSES = ",;、。("
_ITS = re.compile(r"\b(?:its|it|their|they|there)\b|其(?!他)|该")
# The sentence is about another time than the one before it.
_MOVES_ON = re.compile(
    r"\b(?:then|since|now|later|earlier|meanwhile|previously|after|before|last|next|following)\b"
    r"|之后|随后|此后|后来|如今|目前|现在|此前|上一?[年月季周]|下一?[年月季周]|去年|次[年月日]"
)
_CONTRAST = re.compile(r"\b(?:whereas|while|but)\b|而|但")
_AT_NEXT = re.compile(r"\b(?:at|of|against|out of|vs\.?|versus)\s?[*_`$€£\u00a5]*\Z")
# "From 3 to 5", 从3升至5, where no row is named between the two.
_FROM_TO = re.compile(r"(?:\b(?:up |down )?from|从|由)[\s*_`$€£\u00a5]*\Z")
_ONWARD = re.compile(r"[^,;。\d]{0,12}(?:\bto|到|至|为)[\s*_`$€£\u00a5]*")
_TO = re.compile(r"(?:\bto|到|至)[\s*_`$€£\u00a5]*\Z")
_OPENED = re.compile(r"[\s*_`]*\([\s*_`]*")
# "33.7% in November" is of November, whatever was named before.
_PREPOSITION = re.compile(r"(?<![a-z])(?:in|for|at|during|from) (?:the )?[*_`]*\Z")


@dataclass(frozen=True, slots=True)
class RowPin:
    """The values a row must have in one column."""

    column: LabelColumn
    codes: frozenset[int]
    # Said of this figure itself, not of one before it in the sentence.
    own: bool

    def fits(self, row: int) -> bool:
        return self.column.code(row) in self.codes


@dataclass(frozen=True, slots=True)
class RowPins:
    """All pins of a figure's row in one result."""

    pins: tuple[RowPin, ...]
    # A row must fit; what stands above (a heading) only helps.
    binding: bool = True

    def __bool__(self) -> bool:
        return bool(self.pins)

    def fit(self, row: int) -> bool:
        return all(pin.fits(row) for pin in self.pins)

    @property
    def single(self) -> bool:
        """Say whether one row alone is spoken of, of this figure itself."""
        return any(pin.own and len(pin.codes) == 1 for pin in self.pins)

    def rows(self) -> list[int] | None:
        """List the rows that fit, or None where they are too many."""
        if not self.pins:
            return None
        listed = [
            rows
            for pin in self.pins
            if len(rows := pin.column.rows_of(pin.codes, RECEIPT_PINNED_ROWS_MAX))
            <= RECEIPT_PINNED_ROWS_MAX
        ]
        if not listed:
            return None
        return [row for row in min(listed, key=len) if self.fit(row)]


def find_pins(context: FigureContext, index: ResultIndex) -> RowPins:
    """Find the row a figure is said to be of."""
    if context.in_table:
        return RowPins(tuple(pin for c in index.labels if (pin := _find_table_pin(context, c))))
    pins = tuple(pin for column in index.labels if (pin := _find_prose_pin(context, column)))
    if pins:
        pins += _find_period_before(context, index, pins)
        return RowPins(tuple(_shift_to_earlier(context, pin) for pin in pins))
    if _ITS.search(context.sentence) and (before := _find_last_named(context.earlier, index)):
        return RowPins(tuple(_shift_to_earlier(context, pin) for pin in before))
    before = _find_last_named(context.clause_before, index)
    if before and len(_list_all_named(context.clause_before, index)) == len(before):
        return RowPins(tuple(_shift_to_earlier(context, pin) for pin in before), binding=False)
    above = tuple(
        RowPin(column, frozenset(code for _, _, code in found), own=False)
        for column in index.labels
        if (found := column.occurrences(context.above))
    )
    return RowPins(above, binding=False)


def _find_period_before(
    context: FigureContext, index: ResultIndex, pins: Sequence[RowPin]
) -> tuple[RowPin, ...]:
    """Find the period that the sentence before set, where this one names other things only."""
    if _MOVES_ON.search(context.sentence):
        return ()
    said = {pin.column for pin in pins}
    return tuple(
        RowPin(column, frozenset(codes), own=False)
        for column in index.labels
        if column.names_periods and column not in said and not column.occurrences(context.sentence)
        for said_before in [
            column.occurrences(context.clause_before) or column.occurrences(context.earlier)
        ]
        for codes in [{code for _, _, code in said_before}]
        if len(codes) == 1
    )


def _shift_to_earlier(context: FigureContext, pin: RowPin) -> RowPin:
    """Read "in 2024 it rose from 3 to 5": the first is of the year before."""
    if len(pin.codes) == 1 and pin.column.names_periods:
        moved = find_shifted_period(context, pin.column, next(iter(pin.codes)))
        if moved is not None:
            return RowPin(pin.column, frozenset({moved}), own=True)
    found = _FROM_TO.search(context.sentence, 0, context.start)
    _, right = context.segment
    onward = _ONWARD.fullmatch(context.sentence, context.end, right)
    last = right == len(context.sentence)
    ends = found is not None and found[0].startswith(("up", "down")) and last
    if found is None or not (onward or ends) or len(pin.codes) != 1:
        return pin
    (code,) = pin.codes
    said = [one for one in pin.column.occurrences(context.sentence) if one[2] != code]
    before = pin.column.period_before(code, context.sentence)
    return pin if said or before is None else RowPin(pin.column, frozenset({before}), own=pin.own)


def list_named_rows(context: FigureContext, index: ResultIndex, rows_max: int) -> list[int]:
    """List the rows the whole sentence names, for what is said of two."""
    text = " | ".join([*context.cells, context.header]) if context.in_table else context.sentence
    named: set[int] | None = None
    for column in index.labels:
        codes = frozenset(code for _, _, code in column.occurrences(text))
        if codes:
            rows = column.rows_of(codes, rows_max)
            named = set(rows) if named is None else named & set(rows) or named
    return sorted(named or ())[:rows_max]


def find_compared_row(context: FigureContext, index: ResultIndex) -> int | None:
    """Find the one row that the sentence compares with: "more than West", 较华东."""
    rows: set[int] = set()
    for column in index.labels:
        for start, end, code in column.occurrences(context.sentence):
            if is_compared(context.sentence, (start, end)):
                rows.update(column.rows_of(frozenset({code}), 1))
    return rows.pop() if len(rows) == 1 else None


def find_compared_pair(context: FigureContext, index: ResultIndex) -> tuple[int, int] | None:
    """Find the row that is spoken of and the one it is compared with, for this figure."""
    left, right = context.segment
    for column in index.labels:
        found = column.occurrences(context.sentence)
        bases = [one for one in found if is_compared(context.sentence, one[:2])]
        behind = [one for one in bases if context.end <= one[0] and one[1] <= right]
        ahead = [one for one in bases if left <= one[0] and one[1] <= context.start]
        subjects = [one[2] for one in found if one not in bases]
        # "In May 62 were late; 24 more than in April": of the sentence before.
        subjects += [one[2] for one in column.occurrences(context.clause_before)[-1:]]
        # 比骨科短1.1天,比呼吸科短0.7天: each is against what stands before it.
        first, then = (ahead[-1:], behind[:1]) if context.is_gap else (behind[:1], ahead[-1:])
        own = first or then
        if not own or not subjects or subjects[0] == own[0][2]:
            continue
        row, base = (
            _find_one_row(context, index, column, code) for code in (subjects[0], own[0][2])
        )
        if row is not None and base is not None:
            return row, base
    return None


def _find_one_row(
    context: FigureContext, index: ResultIndex, column: LabelColumn, code: int
) -> int | None:
    """Find the one row of a label that fits the labels of the other columns, here or before."""
    rows = column.rows_of(frozenset({code}), RECEIPT_PINNED_ROWS_MAX)
    for other in index.labels:
        found = other.occurrences(context.sentence) or other.occurrences(context.clause_before)
        if other is not column and found:
            codes = {one[2] for one in found}
            rows = [row for row in rows if other.code(row) in codes]
    return rows[0] if len(rows) == 1 else None


def find_row_before(context: FigureContext, index: ResultIndex, row: int) -> int | None:
    """Find the row of the period before, all else alike."""
    for column in index.labels:
        code = column.code(row)
        before = column.period_before(code, context.sentence) if code is not None else None
        if before is None:
            continue
        others = [one for one in index.labels if one is not column]
        rows = column.rows_of(frozenset({before}), RECEIPT_PINNED_ROWS_MAX)
        alike = [one for one in rows if all(c.code(one) == c.code(row) for c in others)]
        if len(alike) == 1:
            return alike[0]
    return None


def _find_table_pin(context: FigureContext, column: LabelColumn) -> RowPin | None:
    codes: set[int] = set()
    for text in (*context.cells, context.header):
        exact = column.exact(text)
        if exact is not None:
            codes.add(exact)
        else:
            codes.update(code for _, _, code in column.occurrences(text))
    return RowPin(column, frozenset(codes), own=True) if codes else None


def _find_prose_pin(context: FigureContext, column: LabelColumn) -> RowPin | None:
    found = column.occurrences(context.sentence)
    if not found and (exact := column.exact(context.header)) is not None and context.header:
        return RowPin(column, frozenset({exact}), own=True)
    # A label that is the figure itself (a year) names no other, nor what it is compared with.
    found = [
        one
        for one in found
        if one[1] <= context.start
        or (one[0] >= context.end and not is_compared(context.sentence, one[:2]))
    ]
    return _make_pin(context, column, found) if found else None


def _make_pin(
    context: FigureContext, column: LabelColumn, found: Sequence[tuple[int, int, int]]
) -> RowPin | None:
    if (bracketed := _find_in_brackets(context, found, context.end)) is not None:
        return RowPin(column, frozenset({bracketed[2]}), own=True)
    if any(word in context.sentence for word in ("respectively", "分别")):
        return RowPin(column, frozenset(code for _, _, code in found), own=False)
    # A label that reads as a figure (class 8B) is a label.
    figures = [
        begin
        for begin, end in context.spans
        if not any(start <= begin and end <= stop for start, stop, _ in found)
    ]
    first_figure = min(figures, default=context.start)
    if found[0][0] < first_figure:
        return _find_label_before(context, column, found)
    return _find_label_after(context, column, found)


def _find_label_after(
    context: FigureContext, column: LabelColumn, found: Sequence[tuple[int, int, int]]
) -> RowPin | None:
    after = _find_following(context, found)
    if after is not None:
        return RowPin(column, frozenset({after}), own=True)
    left, _ = context.segment
    ahead = [one for one in found if left <= one[0] and one[1] <= context.start]
    if ahead and not any(p in context.sentence[ahead[-1][1] : context.start] for p in _PAUSES):
        return RowPin(column, frozenset({ahead[-1][2]}), own=True)  # "18,400 bearings at $5"
    before = [code for _, end, code in found if end <= context.start]
    if not before and _ITS.search(context.sentence, 0, context.start):
        return None  # of what was spoken of before
    if before and says_next(context):
        return RowPin(column, frozenset(before[-1:]), own=True)
    if before and _is_led(context, found):
        # "In all 93, of which East had 25, or 27%".
        return RowPin(column, frozenset(before[-1:]), own=False)
    found = [one for one in found if not _CONTRAST.search(context.sentence, context.end, one[0])]
    codes = frozenset(code for _, _, code in found)
    # "With 148 rooms, Harbour Inn sold 3,818 nights": the only row there is.
    return RowPin(column, codes, own=False) if len(codes) == 1 else None


def _is_led(context: FigureContext, found: Sequence[tuple[int, int, int]]) -> bool:
    """Say whether the last label before a figure stands before the figure ahead of it, too."""
    last = max(end for _, end, _ in found if end <= context.start)
    spans = sorted(span for span in context.spans if last <= span[0] < context.start)
    return bool(spans) and not any(p in context.sentence[last : spans[0][0]] for p in _PAUSES)


def _find_last_named(text: str, index: ResultIndex) -> tuple[RowPin, ...]:
    """Find the row that was spoken of last."""
    return tuple(
        RowPin(column, frozenset({found[-1][2]}), own=False)
        for column in index.labels
        if (found := _list_subjects(text, column))
    )


def _list_subjects(text: str, column: LabelColumn) -> list[tuple[int, int, int]]:
    """List the labels of a text that are spoken of, not compared with, if there are any."""
    found = column.occurrences(text)
    return [one for one in found if not is_compared(text, one[:2])] or found


def _list_all_named(text: str, index: ResultIndex) -> set[tuple[int, int]]:
    return {
        (at, code)
        for at, column in enumerate(index.labels)
        for _, _, code in _list_subjects(text, column)
    }


def _find_in_brackets(
    context: FigureContext, found: Sequence[tuple[int, int, int]], end: int
) -> tuple[int, int, int] | None:
    """Find the label that stands in parentheses right behind a figure: "80 (West)"."""
    return next(
        (
            one
            for one in found
            if one[0] > end
            and _OPENED.fullmatch(context.sentence, end, one[0])
            and context.sentence[one[1] : one[1] + 1] == ")"
        ),
        None,
    )


def _find_label_before(
    context: FigureContext, column: LabelColumn, found: Sequence[tuple[int, int, int]]
) -> RowPin | None:
    others = {_find_in_brackets(context, found, end) for _, end in context.spans}
    found = [one for one in found if one not in others]
    left, _ = context.segment
    own = frozenset(
        code
        for start, end, code in found
        if start >= left and end <= context.start and not _is_set_aside(context, (start, end))
    )
    if own:
        return RowPin(column, own, own=True)
    before = [one for one in found if one[1] <= context.start]
    if len({code for _, _, code in before}) == 2 and follows_versus(context):  # noqa: PLR2004
        # "East has more than West: 80 versus 60".
        return RowPin(column, frozenset({before[-1][2]}), own=True)
    # "East, more than West, has 80": what is compared with is not spoken of.
    subjects = [one for one in before if not is_compared(context.sentence, one[:2])]
    if not subjects and _TO.search(context.sentence, left, context.start):
        return None  # "from 80 in May to 60" goes on about what was spoken of before
    earlier = [code for _, _, code in subjects or before]
    after = _find_following(context, found)
    if after is not None and _is_tied_to_label(context, found, after):
        return RowPin(column, frozenset({after}), own=True)
    codes: frozenset[int] = frozenset(earlier[-1:]) | ({after} if after is not None else set())
    return RowPin(column, codes, own=False) if codes else None


def _is_set_aside(context: FigureContext, span: tuple[int, int]) -> bool:
    """Say whether a label is compared with in parentheses that end before the figure."""
    between = context.sentence[span[1] : context.start]
    closed = between.count(")") > between.count("(")
    return closed and is_compared(context.sentence, span)


def _is_tied_to_label(
    context: FigureContext, found: Sequence[tuple[int, int, int]], code: int
) -> bool:
    """Say whether the label behind a figure is tied to it: "4,980 orders in November"."""
    start = next(one[0] for one in found if one[2] == code and one[0] >= context.end)
    return _PREPOSITION.search(context.sentence, context.end, start) is not None


def _find_following(context: FigureContext, found: Sequence[tuple[int, int, int]]) -> int | None:
    """Find the label that follows a figure without a pause."""
    _, right = context.segment
    following = [one for one in sorted(context.spans) if one[0] >= context.end]
    if following and _AT_NEXT.search(context.sentence, context.end, following[0][0]):
        # "1,264 units at $412.60 for pumps": both are of what comes behind the second.
        right = following[1][0] if len(following) > 1 else len(context.sentence)
    for start, _, code in found:
        if context.end <= start < right:
            between = context.sentence[context.end : start].strip()
            # "80 (West)" is of West; "80, West" is of what comes next.
            return None if any(p in between for p in _PAUSES[:-1]) else code
    return None
