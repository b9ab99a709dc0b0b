"""The ways an answer may write a value of a result that names a row."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from itertools import takewhile

from dataagent_core.tools.data.receipts.figures.text_folds import fold_text

_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
ORDINALS = ("first", "second", "third", "fourth")
# What a company's name ends in, and nobody says.
_LEGAL_FORM = re.compile(
    r",? (?:gmbh|ag|kg|inc|ltd|llc|corp|co|plc|as|asa|ab|oy|bv|nv|sa|sas|srl|spa|limited)\.?\Z"
    r"|(?:股份|集团)?有限(?:责任)?公司\Z"
)
_QUARTER_TEXT = re.compile(r"(\d{4})\s?[-_]?\s?q([1-4])\Z", re.IGNORECASE)
_WEEK_TEXT = re.compile(r"(\d{4})\s?[-_]?\s?w(?:eek\s?)?(\d{1,2})\Z", re.IGNORECASE)
_MONTH_TEXT = re.compile(r"(\d{4})-(\d{2})(?:-(\d{2}))?\Z")
_PLURAL_CHARS_MIN = 3
# Words too common to name a row in a sentence; in a table's cell they may.
TOO_COMMON = frozenset(
    {
        *("the", "of", "in", "on", "at", "to", "and", "or", "is", "are", "was", "no", "yes", "-"),
        *("true", "false", "total", "sum", "all", "average", "count", "other", "none", "null"),
        *("n/a", "合计", "总计", "其他"),
    }
)


def find_date_grain(values: list[object]) -> str:
    """Say whether dates are days, months or years."""
    days = [value for value in values if isinstance(value, date)]
    if any(day.day != 1 for day in days):
        return "day"
    return "month" if any(day.month != 1 for day in days) else "year"


def list_spellings(value: object, grain: str) -> Iterator[str]:
    """Return the ways an answer may write a value, folded."""
    match value:
        case datetime() if (value.hour, value.minute, value.second) != (0, 0, 0):
            yield f"{value:%Y-%m-%d %H:%M:%S}"
            yield f"{value:%Y-%m-%d %H:%M}"
        case date():
            yield from _list_date_spellings(value, grain)
        case str():
            yield fold_text(value.strip())
            yield fold_text(value.strip()).replace("_", " ")
            if parts := _WEEK_TEXT.match(value.strip()):
                yield from _list_week_spellings(int(parts[1]), int(parts[2]))
            if parts := _QUARTER_TEXT.match(value.strip()):
                yield from _list_quarter_spellings(int(parts[1]), int(parts[2]))
            if parts := _MONTH_TEXT.match(value.strip()):
                try:
                    day = date(int(parts[1]), int(parts[2]), int(parts[3] or 1))
                except ValueError:
                    return
                yield from _list_date_spellings(day, "day" if parts[3] else "month")
        case _:
            yield str(value)


def list_plurals(value: object) -> Iterator[str]:
    """Return the plurals of a name: "bearings" are rows of Bearing."""
    name = fold_text(value.strip()) if isinstance(value, str) else ""
    if len(name) < _PLURAL_CHARS_MIN or not name.isascii() or not name[-1].isalpha():
        return
    if name.endswith("y") and name[-2] not in "aeiou":
        yield f"{name[:-1]}ies"
    elif name.endswith(("s", "x", "ch", "sh")):
        yield f"{name}es"
    else:
        yield f"{name}s"


def find_shared_start(texts: Sequence[str]) -> str:
    """Return the common beginning of all texts."""
    pairs = zip(*texts, strict=False)
    return "".join(chars[0] for chars in takewhile(lambda chars: len(set(chars)) == 1, pairs))


def shorten_names(values: list[object]) -> list[str]:
    """Remove the common ending of all names: 城南 for 城南水厂, "North" for "North depot"."""
    names = [fold_text(value.strip()) if isinstance(value, str) else "" for value in values]
    firms = [_LEGAL_FORM.sub("", name) for name in names]
    if firms != names and len(set(firms)) == len(names):
        return firms
    shared = find_shared_start([name[::-1] for name in names])[::-1]
    if not names or names[0].isascii():
        shared = shared[shared.find(" ") :] if " " in shared else ""
    short = [name.removesuffix(shared) if shared else "" for name in names]
    telling = all(len(one) > 1 and not one[-1].isdigit() for one in short)
    return short if telling and len(names) > 1 else [""] * len(names)


def _list_week_spellings(year: int, week: int) -> Iterator[str]:
    yield from (f"week {week}", f"week {week:02}", f"w{week}", f"w{week:02}", f"第{week}周")
    yield from (f"week {week} of {year}", f"week {week}, {year}", f"{year}年第{week}周")


def _list_quarter_spellings(year: int, quarter: int) -> Iterator[str]:
    number = "一二三四"[quarter - 1]
    yield from (f"q{quarter} {year}", f"{year} q{quarter}", f"{year}-q{quarter}", f"q{quarter}")
    yield from (f"{year}年第{number}季度", f"{year}年{number}季度", f"{year}年q{quarter}")
    yield from (f"第{number}季度", f"{number}季度")
    ordinal = ORDINALS[quarter - 1]
    yield from (f"{ordinal} quarter of {year}", f"{ordinal} quarter {year}", f"{ordinal} quarter")
    yield f"the {ordinal}"


def _list_date_spellings(day: date, grain: str) -> Iterator[str]:
    month = _MONTHS[day.month - 1]
    yield f"{day:%Y-%m-%d}"
    yield f"{day:%Y/%m/%d}"
    yield f"{day.year}年{day.month}月{day.day}日"
    yield f"{day.month}月{day.day}日"
    yield f"{month} {day.day}, {day.year}"
    if grain == "day":
        for name in (month, month[:3]):
            yield from (f"{name} {day.day}", f"{day.day} {name}", f"{day.day} {name} {day.year}")
            yield f"{name} {day.day}, {day.year}"
    if grain in ("month", "year"):
        yield f"{day:%Y-%m}"
        yield f"{day.year}年{day.month}月"
        yield f"{month} {day.year}"
        yield f"{month[:3]} {day.year}"
        yield month
        yield f"{day.month}月"
    if grain == "year":
        yield str(day.year)
        yield f"{day.year}年"
