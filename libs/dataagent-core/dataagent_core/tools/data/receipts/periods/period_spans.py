"""Spans of several months that a sentence names: the first half, a quarter, a whole year."""

import re
from dataclasses import dataclass

_ORDER = {"first": 1, "second": 2, "third": 3, "fourth": 4, "一": 1, "二": 2, "三": 3, "四": 4}
_HALF = re.compile(
    r"\b(?P<word>first|second) half\b(?: of (?:the year|(?P<y1>20\d\d)))?"
    r"|\bh(?P<n>[12])\b(?: (?:of )?(?P<y2>20\d\d))?"
    r"|(?:(?P<y3>20\d\d)年?)?(?P<zh>[上下])半年"
)
_QUARTER = re.compile(
    r"\b(?P<word>first|second|third|fourth) quarter\b(?: of (?:the year|(?P<y1>20\d\d)))?"
    r"|\bq(?P<n>[1-4])\b(?: (?:of )?(?P<y2>20\d\d))?"
    r"|(?:(?P<y3>20\d\d)年?)?第?(?P<zh>[一二三四])季度"
)
_YEAR = re.compile(
    r"\b(?:full|whole|entire) year\b(?: (?P<y1>20\d\d))?|(?:(?P<y3>20\d\d)年?)?全年"
    r"|\b(?:in|during|throughout|over) (?P<y2>20\d\d)\b(?![-/.]\d| ?q\d)"
)
_NAMES = "january february march april may june july august september october november december"
_MONTH_NAME = "|".join(_NAMES.split())
# "May to August", 5至8月.
_MONTHS = re.compile(
    rf"\bbetween (?P<after>{_MONTH_NAME}) and (?P<until>{_MONTH_NAME})\b"
    rf"|\b(?P<first>{_MONTH_NAME})(?: to | through |\s?[-\u2013]\s?)(?P<last>{_MONTH_NAME})\b"
    r"(?: (?P<y1>20\d\d))?"
    r"|(?:(?P<y3>20\d\d)年)?(?<!\d)(?P<from>1?\d)月?\s?[至到\u2013~-]\s?(?P<to>1?\d)月(?!\d)"
)


@dataclass(frozen=True, slots=True)
class MonthSpan:
    """Months of a year; the year is None where the text does not say it."""

    months: frozenset[int]
    year: int | None


def find_month_span(text: str) -> MonthSpan | None:
    """Find the one span of months that a folded text names; None where it names several."""
    spans = {
        *(_make_span(found, 6) for found in _HALF.finditer(text)),
        *(_make_span(found, 3) for found in _QUARTER.finditer(text)),
        *(MonthSpan(frozenset(range(1, 13)), _get_year(found)) for found in _YEAR.finditer(text)),
        *(_read_months(found) for found in _MONTHS.finditer(text)),
    }
    return spans.pop() if len(spans) == 1 else None


def _make_span(found: re.Match[str], months: int) -> MonthSpan:
    words = {"上": 1, "下": 2} | _ORDER
    number = int(found["n"]) if found["n"] else words[found["word"] or found["zh"]]
    first = (number - 1) * months + 1
    return MonthSpan(frozenset(range(first, first + months)), _get_year(found))


def _read_months(found: re.Match[str]) -> MonthSpan:
    first = _parse_month(found["from"] or found["first"] or found["after"])
    last = _parse_month(found["to"] or found["last"] or found["until"])
    return MonthSpan(frozenset(range(first, last + 1)), _get_year(found))


def _parse_month(said: str) -> int:
    return int(said) if said.isdigit() else 1 + [*_MONTH_NAME.split("|")].index(said)


def _get_year(found: re.Match[str]) -> int | None:
    groups = found.groupdict()
    said = groups.get("y1") or groups.get("y2") or groups.get("y3")
    return int(said) if said else None
