"""Dates as people write them: `31/01/2024`, `1.2.24`, `01-31-2024 10:20`.

Day and month stand in one of two orders; a column is read in the order that all its values fit.
Where both do, the file's other columns, its decimal mark, the kind of series and its language
decide, in this order, and the note says what the other reading would be.
"""

import datetime as dt
import re
from collections.abc import Collection, Iterable
from typing import Literal

from ..table_names import quote_literal, quote_name
from .value_format import (
    AS_CHOSEN,
    Texts,
    ValueFormat,
    describe_suggestion,
    drop_empty_texts,
    make_empty_note,
)

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
    """Say whether most values look like dates of this kind."""
    values = drop_empty_texts(texts)
    found = sum(
        n
        for text, n in values.items()
        if _DATE.fullmatch(text.strip()) or _YEAR_FIRST.fullmatch(text.strip())
    )
    return found > _MOSTLY * sum(values.values())


def find_date_order(columns: Iterable[Texts], *, decimal_comma: bool) -> DateOrder | None:
    """Find a file's order from columns that fit only one, else from how the rest is written.

    None where both are as likely.
    """
    votes: dict[str, int] = dict.fromkeys(_ORDERS, 0)
    texts: list[str] = []
    for column in columns:
        fitted = [order for order, share in _measure_shares(column).items() if share == 1]
        if len(fitted) == 1:
            votes[fitted[0]] += 1
        texts += drop_empty_texts(column)
    if votes["dmy"] != votes["mdy"]:
        return "dmy" if votes["dmy"] > votes["mdy"] else "mdy"
    if decimal_comma or any("." in text for text in texts):
        return "dmy"
    series: list[DateOrder] = [order for order in _ORDERS if _is_series(texts, order)]
    return series[0] if len(series) == 1 else None


def choose_usual_order(columns: Iterable[Texts]) -> DateOrder:
    """Choose between two equally likely orders: a table more often counts months."""
    texts = [text for column in columns for text in drop_empty_texts(column)]
    return "mdy" if _are_firsts_of_months(_parse_dates(texts, "mdy")) else "dmy"


def choose_date_format(
    column: str, texts: Texts, order: DateOrder, *, is_chosen: bool = False, words: str = ""
) -> ValueFormat | None:
    """Decide how a column of dates is read; None where they are written in several ways.

    `is_chosen`: a person chose the order, for all columns of dates. `words`: those of the file that
    suggested it.
    """
    values, shares = drop_empty_texts(texts), _measure_shares(texts)
    if any(_YEAR_FIRST.fullmatch(text.strip()) for text in values):
        return _choose_year_first(column, texts)
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
    expression = f"try_strptime(replace(trim({{}}), 'T', ' '), {quote_literal(pattern)})::{kind}"
    example = next(iter(values)).strip()
    note = f"column {column}: {example} is read as {_WORDS[chosen]}"
    # With points nobody puts the month first.
    if len(fitted) > 1 and not is_chosen and mark != ".":
        note = _note_ambiguity(column, example, chosen, words, has_time=has_time)
    elif len(fitted) > 1 and is_chosen:
        note += AS_CHOSEN
    elif is_chosen and chosen != order:
        misfit = next(text for text in values if order not in _find_orders(text)).strip()
        note = (
            f"column {column}: {misfit} is read as {_WORDS[chosen]}: not every date fits "
            f"{_WORDS[order]}, which was chosen"
        )
    made = ValueFormat(kind, expression, note)
    return (
        made if fitted else made.as_text(column, texts, shares[chosen], f"dates ({_WORDS[chosen]})")
    )


def _choose_year_first(column: str, texts: Texts) -> ValueFormat | None:
    """Read dates that DuckDB knows, in a column that also holds something else."""
    values = drop_empty_texts(texts)
    found = {text: date for text in values if (date := _YEAR_FIRST.fullmatch(text.strip()))}
    kind = "TIMESTAMP" if any(date["time"] for date in found.values()) else "DATE"
    made = ValueFormat(kind, f"TRY_CAST({{}} AS {kind})", make_empty_note(column, texts))
    if len(found) == len(values):
        return made if made.note else None
    share = sum(values[text] for text in found) / sum(values.values())
    return made.as_text(column, texts, share, "dates")


def _note_ambiguity(
    column: str, example: str, chosen: DateOrder, words: str, *, has_time: bool
) -> str:
    other: DateOrder = "mdy" if chosen == "dmy" else "dmy"
    name = quote_name(column)
    swapped = f"make_date(year({name}), day({name}), month({name}))"
    if has_time:
        swapped += f" + {name}::TIME"
    return (
        f"column {column} can be read in two ways: {example} is read as "
        f"{describe_suggestion(_WORDS[chosen], words)}, every date also fits {_WORDS[other]} "
        f"({swapped}, or the source's option --dates {other})"
    )


def _find_orders(text: str) -> set[DateOrder]:
    return {order for order in _ORDERS if _parse_date(text, order) is not None}


def _parse_date(text: str, order: DateOrder) -> dt.date | None:
    found = _DATE.fullmatch(text.strip())
    if found is None:
        return None
    year = int(found["year"]) + (0 if len(found["year"]) == _LONG_YEAR else 2000)
    first, second = int(found["first"]), int(found["second"])
    day, month = (first, second) if order == "dmy" else (second, first)
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


def _parse_dates(texts: Iterable[str], order: DateOrder) -> list[dt.date]:
    return sorted({date for text in texts if (date := _parse_date(text, order))})


def _measure_shares(texts: Texts) -> dict[DateOrder, float]:
    values = drop_empty_texts(texts)
    total = sum(values.values()) or 1
    return {
        order: sum(n for text, n in values.items() if order in _find_orders(text)) / total
        for order in _ORDERS
    }


def _is_series(texts: Iterable[str], order: DateOrder) -> bool:
    """Say whether the dates, read in an order, are one day after the other, or firsts of months."""
    dates = _parse_dates(texts, order)
    return _are_firsts_of_months(dates) or (
        len(dates) >= _SERIES_MIN and (dates[-1] - dates[0]).days == len(dates) - 1
    )


def _are_firsts_of_months(dates: Collection[dt.date]) -> bool:
    months = {date.month for date in dates}
    return {date.day for date in dates} == {1} and len(months) >= _SERIES_MIN
