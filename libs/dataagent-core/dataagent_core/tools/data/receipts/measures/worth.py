"""Finds the value of things counted before: "2,315 loans worth $129M" is `loan_amount`."""

import re
from collections.abc import Sequence

from dataagent_core.tools.data.receipts.context.figure_context import FigureContext
from dataagent_core.tools.data.receipts.figures.quantity_kinds import is_money
from dataagent_core.tools.data.receipts.measures.mentions import MeasureMention
from dataagent_core.tools.data.receipts.result_values.numeric_column import NumericColumn
from dataagent_core.tools.data.receipts.result_values.result_index import ResultIndex

_WORTH = re.compile(
    r"(?:\b(?:together |in all |altogether )?(?:worth|valued at|with a (?:total )?value of)"
    r"(?: (?:a total of|about|around|some|nearly|over))?"
    r"|[,、](?:合计|总)?(?:金额|价值|总值)(?:为|达|约|共)?)"
    r"[\s*_`$€£\u00a5]*\Z"
)


def find_worth_column(
    context: FigureContext, index: ResultIndex, mentions: Sequence[MeasureMention]
) -> NumericColumn | None:
    """Find the one column of money that shares a word with what was counted before."""
    found = _WORTH.search(context.sentence, 0, context.start)
    counted = [one for one in mentions if found is not None and one.end <= found.start()]
    if not counted:
        return None
    akin = [index.numeric[at] for at in sorted(counted[-1].akin)]
    amounts = [column for column in akin if is_money(column)]
    return amounts[0] if len(amounts) == 1 else None
