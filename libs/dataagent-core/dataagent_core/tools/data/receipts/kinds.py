"""What kind of quantity a figure is printed as: in a unit, in money, as a percentage.

Words that nobody can read ("draws 11.3 MW") still say a measure where one column alone of the result
is of the kind that the figure is printed in.
"""

import re
from collections.abc import Iterable

from dataagent_core.tools.data.receipts.context import Context
from dataagent_core.tools.data.receipts.index import ResultIndex
from dataagent_core.tools.data.receipts.measure_words import readings_of
from dataagent_core.tools.data.receipts.numbers import NumericColumn
from dataagent_core.tools.data.receipts.units import in_basis_points, same_kind, unit_behind

_MONEY = re.compile(r"[$€£\u00a5₹₩]")
_MONEY_BEHIND = re.compile(r"[\s*_`]*(?:元|dollars?|euros?|pounds?|usd|eur|cny|rmb|gbp)\b")
_PERCENT = re.compile(r"%|percent|per cent|pct")
# A unit of two: "8 tonnes per hectare", "3 t/ha".
_PER = re.compile(r"[\s*_`]*[a-z\u4e00-\u9fff]{1,12}(?:\s(?:per|an?|each|every)\b|\s?/|每)")
# A rate that the words name, so that it is no other.
_RATE_WORD = re.compile(r"\b(?:rates?|ratios?|shares?|margins?|proportion)\b|率|占|比例|比重|份额")
_MONEY_CONCEPTS = frozenset(
    {
        *("revenue", "profit", "cost", "price", "salary", "budget", "discount", "tax", "payment"),
        *("debt", "asset", "balance", "income", "fee", "amount", "refund", "investment"),
        *("usd", "eur", "gbp", "cny", "rmb", "jpy", "premium", "donation", "grant", "subsidy"),
    }
)
_MONEY_ZH = re.compile(r"额|收入|费|金|款|价|成本|利润|支出|租|工资|薪|元|税")


def of_its_kind(context: Context, columns: Iterable[NumericColumn]) -> list[NumericColumn] | None:
    """List the columns in the unit of a figure, or the rates for a percentage; None for others.

    What is cited or said to be a share or a change is a ratio of columns, and none of them itself.
    """
    if context.claims & {"share", "change", "difference"}:
        return None
    if _PERCENT.search(context.sentence, context.start, context.end):
        rates = [column for column in columns if column.rate_named or column.fractions]
        return None if context.citations else rates
    unit = unit_behind(context.sentence, context.end)
    if unit is None or in_basis_points(unit) or _PER.match(context.sentence, context.end):
        return None
    return [column for column in columns if same_kind(unit, column.measured_in)]


def only_of_its_kind(context: Context, index: ResultIndex) -> NumericColumn | None:
    """Find the one column that is of the kind a figure is printed in."""
    left, right = context.segment
    words = context.sentence[left:right]
    columns = [column for column in index.numeric if not column.names_things]
    found = of_its_kind(context, columns)
    if found is None:
        found = [column for column in columns if _in_money(context) and _is_money(column)]
    if len(found) != 1 or index.names.names_another(words):
        return None
    # A rate of another name, or part of a whole, is not this one.
    return None if found[0].rate_named and _RATE_WORD.search(words) else found[0]


def _in_money(context: Context) -> bool:
    claimed = context.claims & {"share", "change", "difference"}
    signed = _MONEY.search(context.sentence, context.start, context.end)
    return not claimed and bool(signed or _MONEY_BEHIND.match(context.sentence, context.end))


def _is_money(column: NumericColumn) -> bool:
    words = [word for word in re.split(r"[\W_]+", column.name.lower()) if word]
    english = (concept for word in words for one in readings_of(word) for concept in one)
    return not column.rate_named and (
        not _MONEY_CONCEPTS.isdisjoint(english) or _MONEY_ZH.search(column.name) is not None
    )
