"""Periods that rows are of: which one comes before another.

A change said of one period ("revenue grew 2.5% in April", 环比) is against the period before, or
with 同比 and "year on year" against the same one a year before.
"""

import re
from dataclasses import dataclass
from datetime import date
from typing import Literal

Grain = Literal["day", "week", "month", "quarter", "year"]

_YEARLY = re.compile(r"\byo[yf]\b|\byear[- ](?:on|over)[- ]year\b|同比")
_STEPS_IN_YEAR: dict[Grain, int] = {"month": 12, "quarter": 4, "year": 1}
_MONTH = re.compile(r"(\d{4})[-/.年]\s?(\d{1,2})月?\Z")
_DAY = re.compile(r"(\d{4})[-/.](\d{2})[-/.](\d{2})\Z")
_QUARTER = re.compile(r"(\d{4})\s?[-年]?\s?q([1-4])\Z", re.IGNORECASE)
_WEEK = re.compile(r"(\d{4})\s?[-_]?\s?w(\d{1,2})\Z", re.IGNORECASE)
_SEASON = re.compile(r"((?:19|20)\d\d)/(\d\d)\Z")
_YEAR = re.compile(r"((?:19|20)\d\d)年?\Z")


@dataclass(frozen=True, slots=True)
class Period:
    """The number of a day, month, quarter or year, counted from a fixed one."""

    grain: Grain
    number: int

    def before(self, words: str) -> "Period | None":
        """Return the period that folded words compare this one with."""
        if not _YEARLY.search(words):
            return Period(self.grain, self.number - 1)
        steps = _STEPS_IN_YEAR.get(self.grain)
        return None if steps is None else Period(self.grain, self.number - steps)


def parse_period(value: object, grain: str) -> Period | None:
    """Read the period a value names; `grain` is what the dates of its column are."""
    match value:
        case date() if grain == "day":
            return Period("day", value.toordinal())
        case date() if grain == "month":
            return Period("month", value.year * 12 + value.month - 1)
        case date():
            return Period("year", value.year)
        case int():
            return Period("year", value)
        case str():
            return _parse_text(value.strip())
        case _:
            return None


def _parse_text(text: str) -> Period | None:
    if found := _QUARTER.match(text):
        return Period("quarter", int(found[1]) * 4 + int(found[2]) - 1)
    if (found := _MONTH.match(text)) and 1 <= int(found[2]) <= 12:  # noqa: PLR2004 (months)
        return Period("month", int(found[1]) * 12 + int(found[2]) - 1)
    if (found := _SEASON.match(text)) and (int(found[1]) + 1) % 100 == int(found[2]):
        return Period("year", int(found[1]))
    found = _YEAR.match(text)
    return Period("year", int(found[1])) if found else _parse_calendar(text)


def _parse_calendar(text: str) -> Period | None:
    """Read a day or a week, where the calendar has it."""
    try:
        if found := _WEEK.match(text):
            monday = date.fromisocalendar(int(found[1]), int(found[2]), 1)
            return Period("week", monday.toordinal() // 7)
        if found := _DAY.match(text):
            return Period("day", date(int(found[1]), int(found[2]), int(found[3])).toordinal())
    except ValueError:
        return None
    return None
