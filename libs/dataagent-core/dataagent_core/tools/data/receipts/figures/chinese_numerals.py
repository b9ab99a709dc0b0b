"""Parses Chinese numerals where they are unambiguous: from a hundred on, fully written.

三百二十万, 一千二百三十四. Not 千万, which is also "by all means".
"""

import re
from decimal import Decimal

_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"两": 2, "\u3007": 0}
_TENS = {"十": 1, "百": 2, "千": 3}
_GROUPS = {"万": 4, "亿": 8}

NUMERAL = re.compile(
    r"(?<![第\d一二三四五六七八九十百千万亿零\u3007两每])"
    r"[一二三四五六七八九两十](?=[一二三四五六七八九两十零\u3007]*[百千万亿])[一二三四五六七八九两十百千万亿零\u3007]{2,}"
    r"(?![分点一不])"
)


def parse_numeral(text: str) -> tuple[Decimal, Decimal] | None:
    """Return a numeral's value and the unit of its last digit, or None if it is none."""
    total = section = digit = 0
    place = 0
    for char in text:
        if char in _DIGITS:
            if digit:
                return None  # 三五百: an idiom, not a number
            digit = _DIGITS[char]
            place = 0
        elif char in _TENS:
            section += (digit or 1) * 10 ** _TENS[char]
            digit, place = 0, _TENS[char]
        else:
            power = _GROUPS[char]
            if char == "亿":
                total = (total + section + digit) * 10**power
            else:
                total += (section + digit) * 10**power
            section, digit, place = 0, 0, place + power if place < power else power
    value = Decimal(total + section + digit)
    if value < 100:  # noqa: PLR2004 (below, words such as 十一 are dates and names)
        return None
    zeros = len(str(int(value))) - len(str(int(value)).rstrip("0"))
    return value, Decimal(10) ** min(zeros, place)
