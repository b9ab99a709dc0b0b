"""What things that were counted before are worth: "2,315 loans worth $129M" is of `loan_amount`."""

import re
from collections.abc import Sequence

from dataagent_core.tools.data.receipts.context import Context
from dataagent_core.tools.data.receipts.index import ResultIndex
from dataagent_core.tools.data.receipts.kinds import is_money
from dataagent_core.tools.data.receipts.mentions import Mention
from dataagent_core.tools.data.receipts.numbers import NumericColumn

_WORTH = re.compile(
    r"(?:\b(?:together |in all |altogether )?(?:worth|valued at|with a (?:total )?value of)"
    r"(?: (?:a total of|about|around|some|nearly|over))?"
    r"|[,、](?:合计|总)?(?:金额|价值|总值)(?:为|达|约|共)?)"
    r"[\s*_`$€£\u00a5]*\Z"
)


def worth_of(
    context: Context, index: ResultIndex, mentions: Sequence[Mention]
) -> NumericColumn | None:
    """Find the one column of money that shares a word with what was counted before."""
    found = _WORTH.search(context.sentence, 0, context.start)
    counted = [one for one in mentions if found is not None and one.end <= found.start()]
    if not counted:
        return None
    akin = [index.numeric[at] for at in sorted(counted[-1].akin)]
    amounts = [column for column in akin if is_money(column)]
    return amounts[0] if len(amounts) == 1 else None
