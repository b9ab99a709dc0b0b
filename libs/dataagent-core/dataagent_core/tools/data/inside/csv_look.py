"""What DuckDB's own look at a CSV file does not see: the heading's line, text made of digits."""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence

_ROWS_LOOKED_AT = 2_000
_HEADING_ROWS_MAX = 20
_FIELD_CHARS_MAX = 10_000_000
# Read as numbers, zip codes and telephone numbers lose their zeros, long ids their last digits.
_TEXT_OF_DIGITS = re.compile(r"-?(0\d+|\d{19,})")
_NUMBER = re.compile(r"[-+]?[\d.,]+%?")


def rows_with_lines(text: str, delimiter: str, quote: str) -> Iterator[tuple[int, list[str]]]:
    """Read the first rows, each with how many lines are before it."""
    csv.field_size_limit(_FIELD_CHARS_MAX)
    lines = iter(text.replace("\0", " ").splitlines(keepends=True))
    reader = csv.reader(
        lines,
        delimiter=delimiter,
        quotechar=quote or None,
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
    )
    before = 0
    try:
        for count, row in enumerate(reader):
            if count >= _ROWS_LOOKED_AT:
                return
            yield before, row
            before = reader.line_num
    except csv.Error:
        return  # what was read until here is enough


def heading_line(rows: Sequence[tuple[int, list[str]]]) -> int:
    """Give how many lines of titles stand before the heading: rows that are mostly empty."""
    widths = Counter(len(row) for _, row in rows if row)
    if not widths:
        return 0
    width = max(widths, key=lambda count: (widths[count], count))
    if width < 2:  # noqa: PLR2004 - one column has no sparse rows
        return 0
    for before, row in rows[:_HEADING_ROWS_MAX]:
        filled = [cell for cell in row if cell.strip()]
        if len(row) == width and len(filled) == width:
            is_heading = not any(_NUMBER.fullmatch(cell.strip()) for cell in filled)
            return before if is_heading else 0
        if len(filled) > width / 2:
            return 0
    return 0


def digits_that_are_text(rows: Sequence[tuple[int, list[str]]]) -> set[int]:
    """Give the positions of the columns whose numbers would change when read as numbers."""
    found: set[int] = set()
    for _, row in rows:
        for position, cell in enumerate(row):
            if position not in found and _TEXT_OF_DIGITS.fullmatch(cell.strip()):
                found.add(position)
    return found


def numbers_so_far(rows: Sequence[tuple[int, list[str]]]) -> set[int]:
    """Give the positions of the columns that hold only numbers in these rows."""
    found: set[int] = set()
    others: set[int] = set()
    for _, row in rows:
        for position, cell in enumerate(row):
            if cell.strip():
                (found if _NUMBER.fullmatch(cell.strip()) else others).add(position)
    return found - others
