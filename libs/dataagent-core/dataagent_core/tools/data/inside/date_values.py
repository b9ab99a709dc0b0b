"""Dates as people write them: `31/01/2024`, `1.2.24`, `01-31-2024 10:20`.

Day and month stand in one of two orders; a column is read in the order that all its values fit.
Where both do, the file's other columns, its decimal mark and the kind of series decide, and the
note says what the other reading would be.
"""

import datetime as dt
import re
from collections.abc import Iterable
from typing import Literal

from .table_names import literal, quoted
from .value_format import AS_CHOSEN, Texts, ValueFormat, filled, note_of_nothing

DateOrder = Literal["dmy", "mdy"]

_ORDERS: tuple[DateOrder, ...] = ("dmy", "mdy")
_WORDS = {"dmy": "day, month, year", "mdy": "month, day, year"}
_YEAR_FIRST = re.compile(r"\d{4}-\d{2}-\d{2}(?P<time>[ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?")
_DATE = re.compile(
    r"(?P<first>\d{1,2})(?P<mark>[-/.])(?P<second>\d{1,2})(?P=mark)(?P<year>\d{4}|\d{2})"
    r"(?P<time>[ T]\d{1,2}:\d{2}(?P<seconds>:\d{2})?)?"
)
_MOSTLY = 0.5
_SERIES_MIN = 3
_LONG_YEAR = 4


def are_dates(texts: Texts) -> bool:
    """Say whether most texts look like dates of this kind."""
    values = filled(texts)
    found = sum(
        (_DATE.fullmatch(t.strip()) or _YEAR_FIRST.fullmatch(t.strip())) is not None for t in values
    )
    return bool(values) and found > _MOSTLY * len(values)


def order_of(columns: Iterable[Texts], *, decimal_comma: bool) -> DateOrder:
    """Learn a file's order from columns that fit one alone, else from how the rest is written."""
    votes: dict[str, int] = dict.fromkeys(_ORDERS, 0)
    texts: list[str] = []
    for column in columns:
        fitted = [order for order, share in _shares(column).items() if share == 1]
        if len(fitted) == 1:
            votes[fitted[0]] += 1
        texts += filled(column)
    if votes["dmy"] != votes["mdy"]:
        return "dmy" if votes["dmy"] > votes["mdy"] else "mdy"
    if decimal_comma or any("." in text for text in texts):
        return "dmy"
    return "mdy" if _are_firsts_of_months(texts) else "dmy"


def date_format(
    column: str, texts: Texts, order: DateOrder, *, is_chosen: bool
) -> ValueFormat | None:
    """Decide how a column of dates is read; None where they are written in several ways.

    `is_chosen`: a person chose the order, for all columns of dates.
    """
    values, shares = filled(texts), _shares(texts)
    if any(_YEAR_FIRST.fullmatch(text.strip()) for text in values):
        return _year_first(column, texts)
    found = [date for text in values if (date := _DATE.fullmatch(text.strip()))]
    forms = {(d["mark"], len(d["year"]), bool(d["time"]), bool(d["seconds"])) for d in found}
    if len(forms) != 1 or not any(shares.values()):
        return None
    fitted: list[DateOrder] = [one for one in _ORDERS if shares[one] == 1]
    chosen: DateOrder = order if order in fitted or not fitted else fitted[0]
    if not fitted:
        chosen = max(_ORDERS, key=lambda one: shares[one])
    [(mark, year_digits, has_time, has_seconds)] = forms
    days = ("%d", "%m") if chosen == "dmy" else ("%m", "%d")
    pattern = mark.join((*days, "%Y" if year_digits == _LONG_YEAR else "%y"))
    pattern += (" %H:%M:%S" if has_seconds else " %H:%M") if has_time else ""
    kind = "TIMESTAMP" if has_time else "DATE"
    expression = f"try_strptime(replace(trim({{}}), 'T', ' '), {literal(pattern)})::{kind}"
    example = next(iter(values)).strip()
    note = f"column {column}: {example} is read as {_WORDS[chosen]}"
    # With points nobody puts the month first.
    if len(fitted) > 1 and not is_chosen and mark != ".":
        note = _two_ways(column, example, chosen, has_time=has_time)
    elif len(fitted) > 1 and is_chosen:
        note += AS_CHOSEN
    elif is_chosen and chosen != order:
        misfit = next(text for text in values if order not in _orders(text)).strip()
        note = (
            f"column {column}: {misfit} is read as {_WORDS[chosen]}: not every date fits "
            f"{_WORDS[order]}, which was chosen"
        )
    made = ValueFormat(kind, expression, note)
    return (
        made if fitted else made.as_text(column, texts, shares[chosen], f"dates ({_WORDS[chosen]})")
    )


def _year_first(column: str, texts: Texts) -> ValueFormat | None:
    """Read dates that DuckDB knows, in a column that also holds something else."""
    values = filled(texts)
    found = {text: date for text in values if (date := _YEAR_FIRST.fullmatch(text.strip()))}
    kind = "TIMESTAMP" if any(date["time"] for date in found.values()) else "DATE"
    made = ValueFormat(kind, f"TRY_CAST({{}} AS {kind})", note_of_nothing(column, texts))
    if len(found) == len(values):
        return made if made.note else None
    share = sum(values[text] for text in found) / sum(values.values())
    return made.as_text(column, texts, share, "dates")


def _two_ways(column: str, example: str, chosen: DateOrder, *, has_time: bool) -> str:
    other: DateOrder = "mdy" if chosen == "dmy" else "dmy"
    name = quoted(column)
    swapped = f"make_date(year({name}), day({name}), month({name}))"
    if has_time:
        swapped += f" + {name}::TIME"
    return (
        f"column {column} can be read in two ways: {example} is read as {_WORDS[chosen]}, every "
        f"date also fits {_WORDS[other]} ({swapped}, or the source's option --dates {other})"
    )


def _orders(text: str) -> set[DateOrder]:
    found = _DATE.fullmatch(text.strip())
    if found is None:
        return set()
    year = int(found["year"]) + (0 if len(found["year"]) == _LONG_YEAR else 2000)
    first, second = int(found["first"]), int(found["second"])
    candidates: tuple[tuple[DateOrder, int, int], ...] = (
        ("dmy", first, second),
        ("mdy", second, first),
    )
    return {order for order, day, month in candidates if _is_date(year, month, day)}


def _is_date(year: int, month: int, day: int) -> bool:
    try:
        dt.date(year, month, day)
    except ValueError:
        return False
    return True


def _shares(texts: Texts) -> dict[DateOrder, float]:
    values = filled(texts)
    total = sum(values.values()) or 1
    return {
        order: sum(n for text, n in values.items() if order in _orders(text)) / total
        for order in _ORDERS
    }


def _are_firsts_of_months(texts: Iterable[str]) -> bool:
    """Say whether, the month first, every date is the first of one: a series of months."""
    found = [date for text in texts if (date := _DATE.fullmatch(text.strip()))]
    months = {int(date["first"]) for date in found}
    return {int(date["second"]) for date in found} == {1} and len(months) >= _SERIES_MIN
