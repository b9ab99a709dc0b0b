"""Classifies the cells of a CSV file: number, date, empty, or text."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

CellKind = Literal["number", "date", "empty", "text"]

# Written in Europe, in Asia, in accounts: signs, groups, either mark, percent, a currency.
_NUMBER = re.compile(
    r"[-+(]?\s?[$€£¥￥]?\s?[-+]?(\d[\d.,' \u00a0\u202f\u2019]*|\.\d+)([eE][-+]?\d+)?\s?[%‰€$£¥]?\)?"
)
_DATE = re.compile(
    r"\d{1,4}[-/.年]\d{1,2}[-/.月]\d{1,4}日?([T ]\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?.{0,8})?"
)
# What programs write where there is no value.
NOTHING = frozenset({"", "null", "na", "n/a", "#n/a", "nan", "none", "-", "--", "\\n"})
# Read as numbers, zip codes and telephone numbers lose their zeros, long ids their last digits.
_TEXT_OF_DIGITS = re.compile(r"-?(0\d+|\d{19,})")
# A column is of a kind when this share of its filled cells is.
_KIND_SHARE = 0.9


def classify_cell(cell: str) -> CellKind:
    """Name what a cell looks like."""
    text = cell.strip()
    if text.lower() in NOTHING:
        return "empty"
    if not text[-1].isdigit() and not text[0].isdigit() and not _NUMBER.fullmatch(text):
        return "text"
    if _DATE.fullmatch(text):
        return "date"
    return "number" if _NUMBER.fullmatch(text) else "text"


def classify_columns(rows: Iterable[Sequence[str]], width: int) -> tuple[CellKind, ...]:
    """Name what each column mostly holds; a column with nothing in it may hold anything."""
    seen: list[Counter[CellKind]] = [Counter() for _ in range(width)]
    for row in rows:
        for counts, cell in zip(seen, row, strict=False):
            counts[classify_cell(cell)] += 1
    return tuple(_choose_column_kind(counts) for counts in seen)


def _choose_column_kind(counts: Counter[CellKind]) -> CellKind:
    filled = sum(counts.values()) - counts["empty"]
    kinds: tuple[CellKind, ...] = ("number", "date")
    for kind in kinds:
        if filled and counts[kind] >= _KIND_SHARE * filled:
            return kind
    return "text"


def fits_columns(row: Sequence[str], kinds: Sequence[CellKind]) -> bool:
    """Say whether every cell can stand in its column."""
    return all(
        kind == "text" or classify_cell(cell) in (kind, "empty")
        for cell, kind in zip(row, kinds, strict=False)
    )


def find_text_digits(rows: Iterable[Sequence[str]]) -> set[int]:
    """Return the positions of the columns whose numbers would change when read as numbers."""
    found: set[int] = set()
    for row in rows:
        for position, cell in enumerate(row):
            if position not in found and _TEXT_OF_DIGITS.fullmatch(cell.strip()):
                found.add(position)
    return found
