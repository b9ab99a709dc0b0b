"""Finds the separator, quote and heading of a CSV file from its beginning.

The reading that keeps the heading and the most rows wins: the width of the heading decides, not
that of a ragged line or a footer.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from .csv_cells import classify_cell, classify_columns

if TYPE_CHECKING:
    from _csv import Reader

ROWS_LOOKED_AT = 2_000
_HEADING_ROWS_MAX = 20
_FIELD_CHARS_MAX = 10_000_000
_DELIMITERS = ",;\t|"
# A cell with one of these inside was probably to be split there; commas stand in many texts.
_RARE_IN_TEXT = ";\t|"
_NEVER_IN_TEXT = "\x1f"
_QUOTES = ('"', "'", "")
# Only a reading that gives clearly more rows does without the usual quote.
_UNUSUAL_SHARE = 1.3
_HEADING_KEPT = 1.5
_UNSPLIT = 0.5
# Cells that the usual quote encloses, beside a separator or at the end of a line.
_QUOTED_CELL = r'(?:(?<=[{0}\r\n])|\A)"(?:[^"]++|"")*+"(?=[{0}\r\n]|\Z)'
_YEARS = range(1900, 2101)


@dataclass(frozen=True, slots=True)
class CsvDialect:
    """How lines become rows, and which row is the heading."""

    delimiter: str
    quote: str
    # The lines before the heading, or before the first row where there is none.
    skip: int
    heading: tuple[str, ...] | None
    width: int

    def rows(self, lines: Iterator[str]) -> Iterator[list[str]]:
        """Read lines, the heading among them, as rows."""
        return _make_reader(lines, self.delimiter, self.quote)


@dataclass(frozen=True, slots=True)
class CsvRow:
    """A row and how many lines are before it."""

    before: int
    cells: list[str]


def find_dialect(text: str) -> CsvDialect:
    """Try every separator and quote, and take the best table."""
    tried = _list_plainly_quoted(text)
    best: tuple[float, CsvDialect] | None = None
    for quote in _QUOTES[:1] if tried else _QUOTES:
        if quote == "'" and "'" not in text:
            continue
        if quote == "" and '"' not in text:
            continue
        for delimiter in tried or _DELIMITERS:
            if delimiter not in text and delimiter != _DELIMITERS[0]:
                continue
            score, dialect = _score_reading(text, delimiter, quote)
            needed = 0.0 if best is None else best[0]
            if best is not None and quote != best[1].quote:
                needed *= _UNUSUAL_SHARE
            if best is None or score > needed:
                best = score, dialect
    assert best is not None
    # What is in one column is not split anywhere.
    return best[1] if best[1].width > 1 else replace(best[1], delimiter=_NEVER_IN_TEXT)


def read_rows(text: str, dialect: CsvDialect) -> list[CsvRow]:
    """Read the first rows, from the one after the heading on."""
    rows = [row for row in _read_rows(text, dialect.delimiter, dialect.quote) if row.cells]
    first = dialect.skip + (dialect.heading is not None)
    return [row for row in rows if row.before >= first]


def _make_reader(lines: Iterator[str], delimiter: str, quote: str) -> "Reader":
    csv.field_size_limit(_FIELD_CHARS_MAX)
    return csv.reader(
        lines,
        delimiter=delimiter,
        quotechar=quote or None,
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
    )


def _read_rows(text: str, delimiter: str, quote: str) -> Iterator[CsvRow]:
    # `newline=""`: other characters at which Python ends lines stand inside of values.
    reader = _make_reader(io.StringIO(text.replace("\0", " "), newline=""), delimiter, quote)
    before = 0
    try:
        for count, cells in enumerate(reader):
            if count >= ROWS_LOOKED_AT:
                return
            yield CsvRow(before, cells)
            before = reader.line_num
    except csv.Error:
        return  # what was read until here is enough


def _list_plainly_quoted(text: str) -> list[str]:
    """Return the separators that are tried only with the usual quote.

    Where it encloses cells and nothing else, lines inside of it are a cell's, however many they
    are. Else equally wide rows say as much, unless another separator gives more columns.
    """
    if _QUOTES[0] not in text:
        return []
    strict = {delimiter: _read_strictly(text, delimiter) for delimiter in _DELIMITERS}
    enclosing = [
        delimiter
        for delimiter, (widths, read) in strict.items()
        if _QUOTES[0] in read
        and max(widths, key=lambda width: widths[width]) > 1
        and _QUOTES[0] not in re.sub(_QUOTED_CELL.format(re.escape(delimiter)), "", read)
    ]
    if enclosing:
        return enclosing
    whole = {
        delimiter: max(widths)
        for delimiter, (widths, _) in strict.items()
        if len(widths) == 1 and max(widths) > 1
    }
    if not whole:
        return []
    wider = (
        delimiter
        for delimiter in _DELIMITERS
        if delimiter in text
        and _score_reading(text, delimiter, _QUOTES[0])[1].width > max(whole.values())
    )
    return list(dict.fromkeys((*whole, *wider)))


def _read_strictly(text: str, delimiter: str) -> tuple[Counter[int], str]:
    """Return the widths of the first rows and their text; nothing if a quote ends inside a cell."""
    csv.field_size_limit(_FIELD_CHARS_MAX)
    lines = io.StringIO(text, newline="").readlines()
    reader = csv.reader(iter(lines), delimiter=delimiter, strict=True)
    try:
        widths = Counter(len(cells) for cells in islice(reader, ROWS_LOOKED_AT) if cells)
    except csv.Error:
        return Counter(), ""
    return widths, "".join(lines[: reader.line_num])


def _score_reading(text: str, delimiter: str, quote: str) -> tuple[float, CsvDialect]:
    """Score a reading: the cells that fit their columns, minus those that look unsplit."""
    rows = [row for row in _read_rows(text, delimiter, quote) if any(map(str.strip, row.cells))]
    if not rows:
        return 0.0, CsvDialect(delimiter, quote, 0, None, 1)
    position, is_heading = _find_heading(rows)
    width = max(1, len(rows[position].cells))
    body = rows[position + is_heading :]
    if is_heading:
        width = max(width, _find_majority_width(body))
    fitting = [row for row in rows[position:] if _measure_trimmed_width(row.cells, width) == width]
    others = _RARE_IN_TEXT.replace(delimiter, "")
    unsplit = sum(any(mark in cell for mark in others) for row in fitting for cell in row.cells)
    heading = tuple(rows[position].cells[:width]) if is_heading else None
    dialect = CsvDialect(delimiter, quote, rows[position].before, heading, width)
    # One column holds anything: any two that fit say more.
    worth = len(fitting) if width > 1 else 0.5 * len(fitting) / len(rows)
    # With another separator the heading would be taken for a title.
    if is_heading and position == 0 and width > 1:
        worth *= _HEADING_KEPT
    return worth - _UNSPLIT * unsplit / width, dialect


def _measure_trimmed_width(cells: Sequence[str], width: int) -> int:
    """Count the cells, without empty ones beyond the table."""
    count = len(cells)
    while count > width and not cells[count - 1].strip():
        count -= 1
    return count


def _find_usual_width(rows: Sequence[CsvRow]) -> int:
    widths = Counter(_measure_trimmed_width(row.cells, 1) for row in rows)
    return max(widths, key=lambda width: (widths[width], width)) if widths else 0


def _find_majority_width(rows: Sequence[CsvRow]) -> int:
    """Return the width of more than half of the rows: a heading may name too few columns."""
    usual = _find_usual_width(rows)
    return (
        usual
        if 2 * sum(_measure_trimmed_width(r.cells, 1) == usual for r in rows) > len(rows)
        else 0
    )


def _find_heading(rows: Sequence[CsvRow]) -> tuple[int, bool]:
    """Return the position of the table's first row, and whether it is a heading.

    Above it there are titles: lines with less than half of the table's cells filled.
    """
    usual = max(_find_usual_width(rows), 1)
    for position, row in enumerate(rows[:_HEADING_ROWS_MAX]):
        filled = [cell for cell in row.cells if cell.strip()]
        if len(filled) > usual / 2 or (usual == 1 and filled):
            return position, _is_heading(row.cells, rows[position + 1 :])
    return 0, _is_heading(rows[0].cells, rows[1:])


def _is_heading(cells: Sequence[str], body: Sequence[CsvRow]) -> bool:
    """Say whether a first row names the columns: files without a heading begin with a value."""
    kinds = [classify_cell(cell) for cell in cells]
    if "date" in kinds and "text" not in kinds:
        return False
    valued = [n for n, kind in enumerate(kinds) if kind in ("number", "date")]
    if not valued:
        return "text" in kinds
    below = classify_columns((row.cells for row in body[:200]), len(cells))
    # Years and months as headings of columns of numbers.
    if kinds[0] == "text" and body and all(below[n] == "number" for n in valued):
        return _are_periods([cells[n].strip() for n in valued])
    return False


def _are_periods(cells: Sequence[str]) -> bool:
    return len(set(cells)) == len(cells) and all(
        cell[:4].isdigit() and int(cell[:4]) in _YEARS and len(cell) in (4, 6, 7, 10)
        for cell in cells
    )
