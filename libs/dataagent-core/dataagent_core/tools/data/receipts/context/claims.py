"""Finds what the words claim a figure to be (total, average, difference), English and Chinese."""

import re
from typing import Literal

Claim = Literal["sum", "mean", "max", "min", "count", "difference", "share", "change"]

# "The three theatres", 三个果园: all rows, where the name of the rows follows.
ALL_OF_THEM = re.compile(
    r"\b(?:the|these|our|all) (?:two|three|four|five|six|seven|eight|nine|ten|twelve|\d+) "
    r"|[两三四五六七八九十]\s?[个家条座所部]?"
)
_NUMBERS = r"two|three|four|five|six|seven|eight|nine|ten|twelve|\d+"
# Up and down: what a change says, and which of two is more.
UP = re.compile(
    r"\b(?:grew|grown|grows?|rose|risen|rises?|increas\w+|gain\w*|up|higher|more|above|climb\w*|"
    r"jump\w*|surg\w+|soar\w*|exceed\w*|ahead|beats?|outsells?|outsold|outnumber\w*|larger|"
    r"rebound\w*|recover\w*|expand\w*|widen\w*|longer|dearer|added|better|greater|bigger)\b"
    r"|增长|增加|上升|提升|上涨|增幅|涨幅|高于|高出|多出|多了|超出|超过|回升|反弹|攀升|猛增|激增"
    r"|净增|增至|升至|涨至|扩大|提高|比[^,。]{1,20}[多高长贵快大]"
)
DOWN = re.compile(
    r"\b(?:fell|fallen|falls?|declin\w+|decreas\w+|drop\w*|shrank|shrunk|down|lower|less|below|"
    r"fewer|slump\w*|slip\w*|plung\w+|behind|smaller|lost|loses?|dip(?:s|ped)?|slid\w*|"
    r"tumbl\w+|shed|eas(?:ed|es)|narrow\w*|contract(?:s|ed)|shorter|cheaper|worse)\b"
    r"|下降|减少|下滑|下跌|降低|降幅|跌幅|低于|少了|回落|缩减|缩小|收窄|净减|降至|跌至|减至|锐减|骤降"
    r"|比[^,。]{1,20}[少低短便慢小]"
)

_WORDS: dict[Claim, str] = {
    "sum": (
        r"\b(?:total(?:s|l?ed|l?ing)?|sum|overall|altogether|combined|in all|grand|across|"
        r"full[- ]year|company[- ]wide|together)\b"
        rf"|\ball (?:the )?(?:{_NUMBERS}) \w"
        rf"|\b(?:over|during|for) the (?:(?:{_NUMBERS}|whole|half|entire|full) )?"
        r"(?:days|weeks|months|quarters|years|period|half[- ]year|year)\b"
        r"|合计|总计|总共|共计|总额|总和|总量|总数|一共|累计|全部|全年|全公司"
        r"|总(?=[\u4e00-\u9fff])(?![体之结部是经监裁统会而有])"
    ),
    "mean": r"\b(?:average[ds]?|averaging|mean|avg)\b|平均|均值|均价|人均|月均",
    "max": (
        r"\b(?:highest|max(?:imum)?|largest|biggest|most|peak(?:s|ed)?|best|leads?|leading)\b"
        r"|最高|最大|最多|峰值|最好|居首|领先"
    ),
    "min": (r"\b(?:lowest|min(?:imum)?|smallest|least|fewest|worst|bottom)\b|最低|最小|最少|最差"),
    "count": (
        r"\b(?:rows?|records?|entries|count|number of|there (?:are|were|is)|how many|returned)\b"
        r"|\bn\s?=\s?\Z"
        r"|条|行数|记录|共|有|个|数量"
    ),
    "difference": (
        r"\b(?:more|less|fewer|differences?|differs?|gap|increased?|decreased?|rose|risen|fell|"
        r"fallen|grew|grown|growth|drop(?:s|ped)?|declined?|higher|lower|up|down|exceed(?:s|ed)?|"
        r"ahead|behind|change[ds]?|than|delta|variance|spread|gained|lost|improved?|diff|by|"
        r"apart|above|below|beats?|jump(?:s|ed)?|surged?|climb(?:s|ed)?|slipped|plunged|"
        r"longer|shorter|dearer|cheaper|larger|smaller|better|worse|rebound(?:s|ed)?|"
        r"recovered|dipped|slid|tumbled|shed|eased|widened|narrowed|added)\b"
        r"|差|高出|多出|多了|少了|增加|减少|增长|下降|上升|提升|降低|变化|超过|超出|领先|落后|比|涨|跌"
        r"|回落|回升|反弹|攀升|净增|净减|猛增|激增|锐减|缩减|扩大|收窄|提高|下滑|增减"
    ),
    "share": (
        r"\b(?:share|of (?:the |all )?(?:total|revenue|sales|orders)|account(?:s|ed)? for|"
        r"contribut\w+|makes? up|proportion)\b|占|份额|贡献|比重"
    ),
    "change": (
        r"\b(?:grew|growth|increased?|decreased?|rose|fell|drop(?:ped)?|declined?|up|down|"
        r"change[ds]?|higher|lower|more|less|yoy|mom|jump(?:s|ed)?|surged?|soar(?:s|ed)?|"
        r"climb(?:s|ed)?|slump(?:s|ed)?|slipped|plunged?|shrank|gained|rebound(?:s|ed)?|"
        r"jumping|falling|rising|growing|dropping|dipped|slid|tumbled|expanded|contracted)\b"
        r"|增长|下降|增幅|降幅|同比|环比|上升|提升|涨|跌|变化|增加|减少|回落|回升|反弹|攀升|提高|下滑"
    ),
}
_PATTERNS: list[tuple[Claim, re.Pattern[str]]] = [
    (claim, re.compile(words)) for claim, words in _WORDS.items()
]
# Right before a figure these make it a difference and nothing else.
_GAP = re.compile(
    r"(?:\b(?:difference|gap|margin|lead|change)(?: (?:between|from|in) [^.;:]{1,80}?)?"
    r"(?: of| is| was|:)|\bby"
    r"|比[^,。;\d]{1,20}[多高长少低短快慢贵大小]|相差|差距为?|差额为?|多出|高出|少了|多了)[\s*_`$€£\u00a5:]*\Z"
)

# "Completed by 7,961" is no difference, "reduced by 7,961" is.
_DONE_BY = re.compile(r"\b(?P<verb>[a-z]+(?:ed|en)) by[\s*_`$€£\u00a5:]*\Z")
_CHANGED = re.compile(
    r"(?:reduc|widen|narrow|shorten|lengthen|rais|lift|expand|extend|contract|boost|trimm|weaken|"
    r"strengthen|cut|differ|vari|outperform|exce|surpass|miss|tighten|worsen|deepen)"
)

# "Of the 182,550 orders, 4,383 were late": all there are, and a part of all.
OF_THE_WHOLE = re.compile(
    r"\A[\s*_`-]*(?:out )?of (?:(?:the|all|our|all the) )?[\s*_`$€£\u00a5]*\Z"
)

# What follows is said of a part of what was added up.
PART_OF = re.compile(r"其中|\bof (?:which|whom|these|them)\b|\bincluding\b|\bled by\b")

# Words that say that something is below zero where it can be.
LOSS = re.compile(
    r"\b(?:(?:net )?outflows?|loss(?:es)?(?! ratio)|lost|loses?|deficits?|minus|negative|"
    r"withdrawals?|redemptions?)\b|亏损|流出|逆差|赤字"
)

# 共120单: what is added up; where rows are named (共5个地区) they are counted.
ADDED_UP = re.compile(
    r"共(?:有|计|带来|产生|实现|完成|达到?|卖出|售出|获得)?"
    r"[\u4e00-\u9fff]{0,4}\s?[*_`]*\s?\Z"
)


def find_claims(text: str) -> frozenset[Claim]:
    """Return the claims of a folded text about a figure."""
    return frozenset(claim for claim, pattern in _PATTERNS if pattern.search(text))


def is_gap(text: str) -> bool:
    """Say whether a folded text ends in words that make the next figure a difference."""
    if (done := _DONE_BY.search(text)) is not None:
        word = done["verb"]
        changed = _CHANGED.match(word) or UP.search(word) or DOWN.search(word)
        return bool(changed) or "difference" in find_claims(word)
    return _GAP.search(text) is not None
