"""Scales the figures of a table by its column's header: 成交额(亿元), "Revenue ($m)"."""

import re
from dataclasses import replace
from decimal import Decimal

from dataagent_core.tools.data.receipts.context.figure_context import FigureContext
from dataagent_core.tools.data.receipts.figures.figure import Figure

_SCALES = (
    (12, r"万亿|trillions?|tn"),
    (9, r"十亿|billions?|bn|b"),
    (8, r"亿"),
    (7, r"千万"),
    (6, r"百万|millions?|mn|mio|m"),
    (4, r"万"),
    (3, r"千(?![克米瓦卡])|thousands?|k|000s?|'000s?"),
)
_MONEY = r"(?:[$€£\u00a5]|usd|eur|gbp|cny|rmb)?\s?"
_PATTERNS = [
    (
        Decimal(10) ** power,
        re.compile(rf"[(\[,/]\s?(?:in )?{_MONEY}(?:{words})(?![a-z])|\bin (?:{words})\b"),
    )
    for power, words in _SCALES
]


def scale_by_header(figure: Figure, context: FigureContext) -> Figure | None:
    """Scale a plain figure of a table by its column's header, if that has a scale."""
    if not context.in_table or figure.kind != "number" or figure.scale != 1:
        return None
    scale = next((size for size, words in _PATTERNS if words.search(context.header)), None)
    if scale is None:
        return None
    return replace(figure, value=figure.value * scale, step=figure.step * scale, scale=scale)
