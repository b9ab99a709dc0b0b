"""Since when a sentence says that something is true: "since 2020", "last week", "去年". Pure."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

_SINCE_YEAR: Final = re.compile(
    r"\b(?:since|in|from) (?P<y>(?:19|20)\d\d)\b(?!-)"
    r"|[自从]?(?P<z>(?:19|20)\d\d)年(?:以来|起|开始|就)"
)
_SINCE_DAY: Final = re.compile(
    r"\b(?:since|on|from) (?P<y>(?:19|20)\d\d)-(?P<m>\d\d)-(?P<d>\d\d)\b"
    r"|[自从](?P<z>(?:19|20)\d\d)年(?P<n>\d{1,2})月(?P<e>\d{1,2})[日号]"
)
_AGO: Final = (
    (re.compile(r"\byesterday\b|昨天", re.IGNORECASE), timedelta(days=1)),
    (re.compile(r"\blast week\b|上周|上个星期", re.IGNORECASE), timedelta(days=7)),
    (re.compile(r"\blast month\b|上个月", re.IGNORECASE), timedelta(days=30)),
    (re.compile(r"\blast year\b|去年", re.IGNORECASE), timedelta(days=365)),
)


def find_start(clause: str, at: datetime) -> datetime | None:
    """Return the moment that a sentence names, if it is before `at`; else None."""
    moment: datetime | None = None
    day, year = _SINCE_DAY.search(clause), _SINCE_YEAR.search(clause)
    try:
        if day:
            parts = [int(day[one] or day[other]) for one, other in ("yz", "mn", "de")]
            moment = datetime(*parts, tzinfo=UTC)  # pyright: ignore[reportArgumentType]
        elif year:
            moment = datetime(int(year["y"] or year["z"]), 1, 1, tzinfo=UTC)
        else:
            ago = next((ago for words, ago in _AGO if words.search(clause)), None)
            moment = at - ago if ago else None
    except (ValueError, OverflowError):
        return None
    return moment if moment and moment < at else None
