"""Words that mark the row of comparison: "than West", 较华东, 与1月相比."""

import re

from dataagent_core.tools.data.receipts.context.figure_context import FigureContext

_COMPARED = re.compile(
    r"(?:\b(?:from|than|over|against|vs\.?|versus|compared (?:to|with)|relative to"
    r"|(?:up|down|rise|increase|growth|drop|decrease|fall|gain) (?:[^,;]|,(?=\d)){0,24}\bon)"
    r"(?: (?:in|at|for|during))?(?: (?:the|that of|those of))?"
    r"|较|比|相比|对比|相对于?|从)\s?[*_`\"'《]*\Z"
)
# 由一季度的412个减少到398个.
_ZH_FROM = re.compile(r"由\s?\Z")
_ITS_FIGURE = re.compile(r"[末底]?[的为]?\s?[*_`$€£\u00a5]*\d")
_WITH = re.compile(r"[与和同跟]\s?\Z")
_COMPARED_BEHIND = re.compile(r"\s?(?:年|月|季度)?(?:相比|相较|对比|比较)")
# "80 versus 60": the second is of the second.
_VERSUS = re.compile(
    r"[^,;。\d]{0,12}(?:\bvs\.?|\bversus|\bagainst|\bcompared (?:to|with)|对比?)[\s*_`$€£\u00a5]*"
)


def is_compared(text: str, span: tuple[int, int]) -> bool:
    """Say whether the words around a label mark it as the row of comparison."""
    start, end = span
    if _COMPARED.search(text[:start]):
        return True
    if _ZH_FROM.search(text, 0, start) and _ITS_FIGURE.match(text, end):
        return True
    return bool(_WITH.search(text, 0, start) and _COMPARED_BEHIND.match(text, end))


def follows_versus(context: FigureContext) -> bool:
    """Say whether a figure is compared with the one right before it."""
    left, _ = context.segment
    return left > 0 and _VERSUS.fullmatch(context.sentence, left, context.start) is not None
