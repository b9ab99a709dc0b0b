"""Decides how the texts of a file's columns become numbers and dates: each by all of its values."""

from collections.abc import Mapping
from dataclasses import dataclass

from .date_values import (
    DateOrder,
    are_dates,
    choose_date_format,
    choose_usual_order,
    find_date_order,
)
from .language_hint import NO_HINT, LanguageHint
from .number_values import (
    Decimals,
    choose_number_format,
    find_column_decimals,
    find_separator_decimals,
)
from .value_format import Texts, ValueFormat


@dataclass(frozen=True, slots=True)
class ValueChoice:
    """What a person chose about how files are read; None: it is decided here."""

    dates: DateOrder | None = None
    decimals: Decimals | None = None
    # As Python names it.
    encoding: str | None = None


def decide_formats(
    columns: Mapping[str, Texts], delimiter: str, wanted: ValueChoice, hint: LanguageHint = NO_HINT
) -> dict[str, ValueFormat]:
    """Decide about each column; those left out are read as DuckDB reads them, or as text."""
    dates = {name: texts for name, texts in columns.items() if are_dates(texts)}
    numbers = {name: texts for name, texts in columns.items() if name not in dates}
    by_columns = find_column_decimals(numbers.values())
    seen = wanted.decimals or by_columns or find_separator_decimals(numbers.values(), delimiter)
    decimals = seen or hint.decimals or "point"
    order_seen = wanted.dates or find_date_order(dates.values(), decimal_comma=seen == "comma")
    order = order_seen or hint.dates or choose_usual_order(dates.values())
    found = {
        name: choose_number_format(
            name,
            texts,
            decimals,
            is_chosen=wanted.decimals is not None,
            words="" if seen else hint.words,
            is_doubted=by_columns is None and hint.decimals not in (None, decimals),
        )
        for name, texts in numbers.items()
    } | {
        name: choose_date_format(
            name,
            texts,
            order,
            is_chosen=wanted.dates is not None,
            words="" if order_seen else hint.words,
        )
        for name, texts in dates.items()
    }
    return {name: made for name, made in found.items() if made is not None}
