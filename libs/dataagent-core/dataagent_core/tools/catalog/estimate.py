"""S2 §5.2.6: how many tokens a text costs, from its length and its share of CJK characters."""

import math
import re

# Ideographs with their extensions, kana, hangul, and the punctuation and wide forms around them.
_CJK = re.compile(
    "[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef"
    "\U00020000-\U0003134f]"
)

_MOSTLY_CJK_SHARE = 0.3
_MIXED_CJK_SHARE = 0.1


def estimated_tokens(text: str) -> int:
    """Estimate the tokens of a text, rounded up."""
    return math.ceil(len(text) / _chars_per_token(text))


def _chars_per_token(text: str) -> float:
    share = len(_CJK.findall(text)) / max(len(text), 1)
    if share > _MOSTLY_CJK_SHARE:
        return 2.0
    return 3.0 if share > _MIXED_CJK_SHARE else 4.0
