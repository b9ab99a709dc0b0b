"""Finds columns by the kind of quantity of a figure: a unit, money, a percentage.

Unknown words ("draws 11.3 MW") still name a measure if only one column of the result is of the
figure's kind.
"""

import re
from collections.abc import Iterable

from dataagent_core.tools.data.receipts.context.figure_context import PAUSE, FigureContext
from dataagent_core.tools.data.receipts.context.neutral_words import is_neutral
from dataagent_core.tools.data.receipts.figures.units import (
    is_in_basis_points,
    is_same_kind,
    read_unit_behind,
)
from dataagent_core.tools.data.receipts.measures.measure_words import list_readings
from dataagent_core.tools.data.receipts.result_values.numeric_column import NumericColumn
from dataagent_core.tools.data.receipts.result_values.result_index import ResultIndex

_MONEY = re.compile(r"[$€£\u00a5₹₩]")
_MONEY_BEHIND = re.compile(r"[\s*_`]*(?:元|dollars?|euros?|pounds?|usd|eur|cny|rmb|gbp)\b")
_PERCENT = re.compile(r"%|percent|per cent|pct")
# A unit of two: "8 tonnes per hectare", "3 t/ha".
_PER = re.compile(r"[\s*_`]*[a-z\u4e00-\u9fff]{1,12}(?:\s(?:per|an?|each|every)\b|\s?/|每)")
_PLAIN = re.compile(r"[\d.,]+")
_ENDS = re.compile(r"[*_`]*\s?(?:[,;)、。]|\.?\Z|and\b|[.](?=\s))")
_UNIT_BEHIND = re.compile(r"[\s*_`]*(?:[a-z]+|[\u4e00-\u9fff]{1,3}(?=[,;。、\s)]|\Z))")
# Verbs that say nothing of what is measured.
_VERBS = """
    a consume consumed consumes cover covered covers draw drawn draws drew last lasted lasts need
    needed needs ran require required requires run runs spent take taken takes took use used uses
"""
_ANY_QUANTITY = frozenset(_VERBS.split())
_ZH_NEUTRAL = re.compile(r"[的为是达约共仅只有用耗需在则也又均各较]|分别|其中|合计|累计|只有|达到")
_MONEY_CONCEPTS = frozenset(
    {
        *("revenue", "profit", "cost", "price", "salary", "budget", "discount", "tax", "payment"),
        *("debt", "asset", "balance", "income", "fee", "amount", "refund", "investment"),
        *("usd", "eur", "gbp", "cny", "rmb", "jpy", "premium", "donation", "grant", "subsidy"),
    }
)
_MONEY_ZH = re.compile(r"额|收入|费|金|款|价|成本|利润|支出|租|工资|薪|元|税")


def list_columns_of_kind(
    context: FigureContext, columns: Iterable[NumericColumn]
) -> list[NumericColumn] | None:
    """List the columns in the unit of a figure, or the rates for a percentage; None for others.

    What is cited or said to be a share or a change is a ratio of columns, and none of them itself.
    """
    if context.claims & {"share", "change", "difference"}:
        return None
    if _PERCENT.search(context.sentence, context.start, context.end):
        rates = [column for column in columns if column.rate_named or column.fractions]
        return None if context.citations else rates
    unit = read_unit_behind(context.sentence, context.end) or read_list_unit(context)
    if unit is None or is_in_basis_points(unit) or _PER.match(context.sentence, context.end):
        return None
    return [column for column in columns if is_same_kind(unit, column.measured_in)]


def find_only_column_of_kind(context: FigureContext, index: ResultIndex) -> NumericColumn | None:
    """Find the one column that is of the kind a figure is printed in, where words say no other."""
    columns = [column for column in index.numeric if not column.names_things]
    found = list_columns_of_kind(context, columns)
    if found is None:
        found = [column for column in columns if _is_in_money(context) and is_money(column)]
    return found[0] if len(found) == 1 and _says_no_more(context, index) else None


def _says_no_more(context: FigureContext, index: ResultIndex) -> bool:
    """Say whether a figure's own words are names of rows, and words that fit any quantity."""
    left, right = context.segment
    begins = [found.end() for found in PAUSE.finditer(context.sentence, left, context.start)]
    pause = PAUSE.search(context.sentence, context.end, right)
    until = pause.start() if pause is not None else right
    unit = _UNIT_BEHIND.match(context.sentence, context.end)
    behind = unit.end() if unit is not None else context.end
    words = context.sentence[max(begins, default=left) : context.start]
    words = f"{words} {context.sentence[behind:until]}"
    for column in index.labels:
        words = column.blanked(words)
    known = (
        is_neutral(word) or word in _ANY_QUANTITY
        for word in re.findall(r"[a-z]+", words.replace("'s", ""))
    )
    return all(known) and not re.search(r"[\u4e00-\u9fff]", _ZH_NEUTRAL.sub("", words))


def read_list_unit(context: FigureContext) -> str | None:
    """Read the unit of a figure that has none of its own: "East 9 minutes, West 5"."""
    last = max((end for _, end in context.spans if end <= context.start), default=None)
    plain = _PLAIN.fullmatch(context.sentence, context.start, context.end)
    if last is None or plain is None or not _ENDS.match(context.sentence, context.end):
        return None
    return read_unit_behind(context.sentence, last)


def _is_in_money(context: FigureContext) -> bool:
    claimed = context.claims & {"share", "change", "difference"}
    signed = _MONEY.search(context.sentence, context.start, context.end)
    return not claimed and bool(signed or _MONEY_BEHIND.match(context.sentence, context.end))


def is_money(column: NumericColumn) -> bool:
    """Say whether a column's name says that it holds money."""
    words = [word for word in re.split(r"[\W_]+", column.name.lower()) if word]
    english = (concept for word in words for one in list_readings(word) for concept in one)
    return not column.rate_named and (
        not _MONEY_CONCEPTS.isdisjoint(english) or _MONEY_ZH.search(column.name) is not None
    )
