"""The dates that a query names, and whether something was said at one of them. Pure.

A date is written as far as it is known, with signs for what is not: `2025-05-07`, `2025-05`,
`--05-07` of any year, `--05` of any day of any May. A year alone is left to the words.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from dataagent_core.memory.graph.extraction.dates_and_numbers import find_dates

_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
_MONTH: Final = re.compile(
    rf"\b(?i:in|last|this|since|of|during|early|late|mid)[ -](?P<name>(?i:{'|'.join(_MONTHS)}))\b"
    r"|(?<!\d)(?P<number>1[0-2]|[1-9])月(?!\d)"
)
_DIGITS: Final = ("", *"一二三四五六七八九")
_CHINESE_NUMBERS: Final = {
    f"{tens}{ones}": 10 * ten + one
    for ten, tens in enumerate(("", "十", "二十", "三十"))
    for one, ones in enumerate(_DIGITS)
}
_CHINESE_NUMBER: Final = re.compile("[一二三四五六七八九十]{1,3}(?=[月日号])")
_DAY_CHARS_MIN: Final = len("--05")


def read_named_dates(query: str) -> tuple[str, ...]:
    """List the dates that a query names."""
    text = _CHINESE_NUMBER.sub(lambda found: str(_CHINESE_NUMBERS.get(found[0], found[0])), query)
    days = [one.value for one in find_dates(text) if len(one.value) >= _DAY_CHARS_MIN + 1]
    if days:
        return tuple(days)
    months = (
        found["number"] or _MONTHS.index(found["name"].lower()) + 1
        for found in _MONTH.finditer(text)
    )
    return tuple(f"--{int(month):02}" for month in months)


def is_at(moment: datetime, dates: Sequence[str]) -> bool:
    """Say whether a moment is at one of the dates."""
    day = moment.date().isoformat()
    return any(
        day[4:].startswith(one[1:]) if one.startswith("--") else day.startswith(one)
        for one in dates
    )
