"""Dates and numbers with a unit in a text, in one form: `2026-03-03`, `1200000 USD`. Pure."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

from dataagent_core.memory.graph.extraction.extraction import DATE, NUMBER, ExtractedEntity

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
            "august aug", "september sep sept", "october oct", "november nov", "december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH: Final = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATES: Final = re.compile(
    r"(?<![\w-])(?P<y1>(?:19|20)\d\d)-(?P<m1>\d{1,2})(?:-(?P<d1>\d{1,2}))?(?![\w-])"
    r"|(?P<y2>(?:19|20)\d\d)年(?:(?P<m2>\d{1,2})月(?:(?P<d2>\d{1,2})[日号])?)?"
    r"|(?<!\d)(?P<m3>\d{1,2})月(?P<d3>\d{1,2})[日号]"
    rf"|\b(?P<n4>{_MONTH})\.? (?P<d4>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)(?:,? (?P<y4>(?:19|20)\d\d))?"
    rf"|\b(?P<d5>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<n5>{_MONTH})\b(?:,? (?P<y5>(?:19|20)\d\d))?"
    rf"|\b(?P<n6>{_MONTH}) (?P<y6>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_CURRENCIES: Final = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "CNY", "\uffe5": "CNY"}
_SCALES: Final = {
    "k": 10**3, "thousand": 10**3, "m": 10**6, "million": 10**6, "bn": 10**9, "billion": 10**9,
    "万": 10**4, "亿": 10**8, "": 1,
}  # fmt: skip
_UNITS: Final = {
    "%": "%", "percent": "%", "dollars": "USD", "usd": "USD", "euros": "EUR", "eur": "EUR",
    "km": "km", "kg": "kg", "gb": "GB", "tb": "TB", "people": "people", "employees": "people",
    "customers": "customers", "users": "users", "years": "years", "hours": "hours",
    "元": "CNY", "块": "CNY", "美元": "USD", "欧元": "EUR", "人": "people", "公里": "km",
    "公斤": "kg", "岁": "years", "小时": "hours", "年": "years",
}  # fmt: skip
_UNIT: Final = "|".join(re.escape(unit) for unit in sorted(_UNITS, key=len, reverse=True))
_NUMBERS: Final = re.compile(
    r"(?P<sign>[$€£¥\uffe5]) ?(?P<n1>\d[\d,]*(?:\.\d+)?) ?"
    r"(?P<s1>k|m|bn|million|billion|万|亿)?(?!\w)"
    r"|(?<![A-Za-z\d.,-])(?P<n2>\d[\d,]*(?:\.\d+)?) ?(?P<s2>thousand|million|billion|万|亿)? ?"
    rf"(?P<unit>{_UNIT})(?![a-z\d])",
    re.IGNORECASE,
)


def find_dates(text: str) -> Iterator[ExtractedEntity]:
    """Find dates; of one without a year the value has none: `--03-14`."""
    for found in _DATES.finditer(text):
        parts = {key[0]: value for key, value in found.groupdict().items() if value}
        month = int(parts["m"]) if "m" in parts else _MONTHS.get(parts.get("n", "").lower())
        value = _write_date(parts.get("y"), month, parts.get("d"))
        if value:
            yield ExtractedEntity(name=found[0], type=DATE, value=value)


def find_numbers(text: str) -> Iterator[ExtractedEntity]:
    """Find numbers with a currency or a unit; a bare one names nothing."""
    for found in _NUMBERS.finditer(text):
        digits = (found["n1"] or found["n2"]).replace(",", "")
        scale = _SCALES[(found["s1"] or found["s2"] or "").lower()]
        unit = _CURRENCIES.get(found["sign"] or "") or _UNITS[found["unit"].lower()]
        yield ExtractedEntity(
            name=found[0].strip(), type=NUMBER, value=f"{float(digits) * scale:.12g} {unit}"
        )


def _write_date(year: str | None, month: int | None, day: str | None) -> str:
    try:
        # 2000 has a 29th of February.
        date(int(year or 2000), month or 1, int(day or 1))
    except ValueError:
        return ""
    rest = "".join(f"-{int(part):02}" for part in (month, day) if part)
    return f"{year or '-'}{rest}"
