"""Periods that are named by another one: "the month after", "from 80 the year before", 次月."""

import re
from collections.abc import Sequence

from dataagent_core.tools.data.receipts.context.figure_context import FigureContext
from dataagent_core.tools.data.receipts.result_values.result_index import ResultIndex
from dataagent_core.tools.data.receipts.result_values.row_labels import LabelColumn

_SPAN = r"(?:day|week|month|quarter|year|season)"
_ZH_SPAN = r"(?:日|天|周|个?月|个?季度?|年|财年)"
_NEXT = (
    rf"the {_SPAN} after|(?:the )?(?:following|next) {_SPAN}|(?:a|one) {_SPAN} (?:later|after)"
    rf"|(?:次|翌|下一?){_ZH_SPAN}"
)
_LAST = (
    rf"the {_SPAN} (?:before|earlier)|(?:a|one) {_SPAN} (?:before|earlier)"
    rf"|(?:the )?(?:previous|preceding|prior|last) {_SPAN}"
)
# Up to the next pause or figure.
_BEHIND_NEXT = re.compile(rf"[^,;。()\d]{{0,24}}?(?<![a-z])(?:{_NEXT})")
_BEHIND_LAST = re.compile(rf"[^,;。()\d]{{0,24}}?(?<![a-z])(?:{_LAST})")
_AHEAD_NEXT = re.compile(rf"(?<![a-z])(?:{_NEXT})[^;。\d]{{0,40}}\Z")
_AHEAD_LAST = re.compile(rf"(?:(?:上一?|前一){_ZH_SPAN}|去年)(?:同期)?[的为是]?\s?\Z")
# What a figure is compared with stands behind these.
_BASE = re.compile(r"\b(?:from|against|vs\.?|versus|compared (?:to|with))[\s*_`$€£\u00a5]*\Z")


def says_next(context: FigureContext) -> bool:
    """Say whether a figure is said to be of the period after the one that is named."""
    left, right = context.segment
    ahead = _AHEAD_NEXT.search(context.sentence, left, context.start)
    return bool(ahead or _BEHIND_NEXT.match(context.sentence, context.end, right))


def find_shifted_period(context: FigureContext, column: LabelColumn, code: int) -> int | None:
    """Return the period that a figure is said to be of, next to the one that is named."""
    left, right = context.segment
    sentence, start, end = context.sentence, context.start, context.end
    if says_next(context):
        return column.period_after(code)
    from_last = _BASE.search(sentence, left, start) and _BEHIND_LAST.match(sentence, end, right)
    if from_last or _AHEAD_LAST.search(sentence, left, start):
        return column.period_before(code, sentence)
    return None


def find_period_pair(
    context: FigureContext, index: ResultIndex, rows: Sequence[int]
) -> tuple[int, int] | None:
    """Read two rows as a later and an earlier period of one thing, where no period is named."""
    if len(rows) != 2 or len(index.labels) < 2:  # noqa: PLR2004 (a then and a now, of a thing)
        return None
    for column in index.labels:
        first, second = (column.code(row) for row in rows)
        others = [one for one in index.labels if one is not column]
        alike = all(one.code(rows[0]) == one.code(rows[1]) for one in others)
        if first is None or second is None or not alike or column.occurrences(context.sentence):
            continue
        if column.period_after(second) == first:
            return rows[0], rows[1]
        if column.period_after(first) == second:
            return rows[1], rows[0]
    return None
