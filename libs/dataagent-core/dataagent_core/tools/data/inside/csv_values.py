"""Decides how the texts of a file's columns become numbers and dates: each by all of its values."""

from collections.abc import Mapping
from dataclasses import dataclass

from .date_values import DateOrder, are_dates, date_format, order_of
from .number_values import Decimals, decimals_of, number_format
from .value_format import Texts, ValueFormat


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a person chose about how files are read; None: it is decided here."""

    dates: DateOrder | None = None
    decimals: Decimals | None = None
    # As Python names it.
    encoding: str | None = None


def decide_formats(
    columns: Mapping[str, Texts], delimiter: str, wanted: Wanted
) -> dict[str, ValueFormat]:
    """Decide about each column; those left out are read as DuckDB reads them, or as text."""
    dates = {name: texts for name, texts in columns.items() if are_dates(texts)}
    numbers = {name: texts for name, texts in columns.items() if name not in dates}
    decimals = wanted.decimals or decimals_of(numbers.values(), delimiter)
    order = wanted.dates or order_of(dates.values(), decimal_comma=decimals == "comma")
    found = {
        name: number_format(name, texts, decimals, is_chosen=wanted.decimals is not None)
        for name, texts in numbers.items()
    } | {
        name: date_format(name, texts, order, is_chosen=wanted.dates is not None)
        for name, texts in dates.items()
    }
    return {name: made for name, made in found.items() if made is not None}
