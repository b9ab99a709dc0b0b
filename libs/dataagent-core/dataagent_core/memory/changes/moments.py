"""Reads since when, and until when, a text says that it is true: "since 2020", 自2020年起. Pure.

What is over stays true as a memory ("I lived in Rome until 2015"), so only an end that is still to
come is one.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from dataagent_core.memory.texts.clauses import make_plain

_MONTHS: Final = (
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
)
_MONTH: Final = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_YEAR: Final = r"(?:19|20|21)\d\d"
# A year, a month of one, or a day.
_DATE: Final = (
    rf"(?:(?P<@d>{_YEAR}-\d\d?-\d\d?)|(?:the )?(?:(?P<@n>\d\d?)(?:st|nd|rd|th)? )?"
    rf"(?:(?P<@m>{_MONTH}),? )?(?P<@y>{_YEAR})(?!\d))"
)
_DATE_CHINESE: Final = (
    rf"(?P<@y>{_YEAR})年(?:(?P<@m>\d\d?)月)?(?:(?P<@n>\d\d?)[日号])?(?:[初底末])?"
)


def _of(form: str, name: str) -> str:
    """Give the form of a date whose groups begin with a name."""
    return form.replace("@", name)


_SINCE: Final = (
    re.compile(rf"(?i)\b(?:since|from|as of|starting(?: in| from)?) {_of(_DATE, 'f')}"),
    re.compile(rf"[自从](?:从)?{_of(_DATE_CHINESE, 'f')}"),
    re.compile(rf"{_of(_DATE_CHINESE, 'f')}(?:起|开始|以来|至今)"),
)
_UNTIL: Final = (
    re.compile(rf"(?i)\b(?:until|till|through|up to) {_of(_DATE, 't')}"),
    re.compile(rf"(?:直到|到|至){_of(_DATE_CHINESE, 't')}(?:为止|底|末)?"),
)
_RELATIVE: Final[tuple[tuple[re.Pattern[str], Callable[[datetime], datetime]], ...]] = (
    (re.compile(r"(?i)\bsince last year\b|\blast year\b|去年"), lambda now: _year(now.year - 1)),
    (re.compile(r"(?i)\bthis year\b|今年"), lambda now: _year(now.year)),
    (re.compile(r"(?i)\blast month\b|上个?月"), lambda now: _month(now.year, now.month - 1)),
    (re.compile(r"(?i)\blast week\b|上周|上个?星期"), lambda now: _day(now) - timedelta(days=7)),
    (re.compile(r"(?i)\byesterday\b|昨天"), lambda now: _day(now) - timedelta(days=1)),
)


@dataclass(frozen=True, slots=True)
class Validity:
    """When something is true, as far as its text says so."""

    valid_from: datetime | None = None
    valid_to: datetime | None = None


def read_validity(text: str, said_at: datetime) -> Validity:
    """Read when a text says that it is true; `said_at` is when it was said."""
    plain = make_plain(text)
    begin = _read_first(_SINCE, plain, "f")
    end = _read_first(_UNTIL, plain, "t", is_end=True)
    if begin is None:
        relative = (make(said_at) for form, make in _RELATIVE if form.search(plain))
        begin = next(relative, None)
    if begin is not None and begin > said_at and end is None:
        return Validity(valid_from=begin)
    return Validity(
        valid_from=begin if begin is None or begin <= said_at else None,
        valid_to=end if end is not None and end > said_at else None,
    )


def _read_first(
    forms: tuple[re.Pattern[str], ...], text: str, prefix: str, *, is_end: bool = False
) -> datetime | None:
    for form in forms:
        found = form.search(text)
        if found is not None:
            parts = {name.removeprefix(prefix): part for name, part in found.groupdict().items()}
            return _read_date(parts, is_end=is_end)
    return None


def _read_date(parts: dict[str, str | None], *, is_end: bool) -> datetime | None:
    """Make a moment of the parts of a date; None for a day that no calendar has."""
    if day := parts.get("d"):
        year, month, number = map(int, day.split("-"))
    else:
        year = int(parts["y"] or 0)
        month = _read_month(parts.get("m"))
        number = int(parts.get("n") or 0) if month else 0
    try:
        begin = datetime(year, month or 1, number or 1, tzinfo=UTC)
    except ValueError:
        return None
    if not is_end:
        return begin
    # The end of a period that is named is the beginning of the next one.
    if number:
        return begin + timedelta(days=1)
    return _month(year, month + 1) if month else _year(year + 1)


def _read_month(named: str | None) -> int:
    if not named:
        return 0
    return int(named) if named.isdigit() else _MONTHS.index(named[:3].lower()) + 1


def _year(year: int) -> datetime:
    return datetime(year, 1, 1, tzinfo=UTC)


def _month(year: int, month: int) -> datetime:
    # December and January of the years beside it.
    return datetime(year + (month - 1) // 12, (month - 1) % 12 + 1, 1, tzinfo=UTC)


def _day(now: datetime) -> datetime:
    return now.replace(hour=0, minute=0, second=0, microsecond=0)
