"""Rewrites a CSV file with every row as wide as its heading, and notes what was changed.

A line too short is filled up, one too long is joined where only one joining fits the columns
(`Smith, John` without quotes), or else cut. What fits no column (a footer, a remark, the heading
again) is left out. Every such line is counted and the first of each kind are shown.
"""

import csv
import io
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from . import text_file
from .csv_cells import CellKind, classify_columns, fits_columns
from .csv_dialect import CsvDialect, read_rows
from .csv_text import CsvText

Repair = Literal["filled", "joined", "cut", "footer", "heading", "misfit"]

# Where the last lines of a file are looked for.
_TAIL_BYTES = 16_384
_SHOWN_LINES = 3
_SHOWN_CHARS = 80
_TOTALS = frozenset(
    {
        *("total", "totals", "grand total", "subtotal", "sub-total", "sum", "overall"),
        *("summe", "gesamt", "gesamtsumme", "zwischensumme", "somme", "totale", "suma"),
        *("итого", "всего", "合计", "总计", "小计", "总和", "合計", "總計", "小計", "総計"),
    }
)
_WORDING: dict[Repair, str] = {
    "filled": "{n} too short {are} filled up with empty values ({lines})",
    "joined": "{n} with a separator too many {are} joined ({lines})",
    "cut": "{n} too long {are} cut after the last column ({lines})",
    "footer": "{n} of a footer {are} left out ({lines})",
    "heading": "{n} that repeat{s} the heading {are} left out ({lines})",
    "misfit": "{n} that fit{s} no column {are} left out ({lines})",
}


@dataclass
class CsvRepairs:
    """The lines that were changed."""

    counts: Counter[Repair] = field(default_factory=Counter[Repair])
    shown: dict[Repair, list[str]] = field(default_factory=dict[Repair, list[str]])

    def add(self, repair: Repair, line: int, cells: Sequence[str], delimiter: str) -> None:
        """Count a line, and keep the first ones as they were."""
        self.counts[repair] += 1
        lines = self.shown.setdefault(repair, [])
        if len(lines) < _SHOWN_LINES:
            text = " ".join(delimiter.join(cells).split())
            # Quotes of its own would hide where it ends from whoever takes values out of notes.
            text = text.replace("'", "\u2019").replace('"', "\u201d")
            cut = text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"
            lines.append(f"line {line}: '{cut}'")

    @property
    def notes(self) -> tuple[str, ...]:
        """One sentence for each kind of repair."""
        return tuple(
            _describe_repair(repair, self.counts[repair], self._list_lines(repair))
            for repair in _WORDING
            if self.counts[repair]
        )

    def _list_lines(self, repair: Repair) -> str:
        more = self.counts[repair] - len(self.shown[repair])
        return "; ".join([*self.shown[repair], *([f"and {more} more"] if more else [])])


def _describe_repair(repair: Repair, count: int, lines: str) -> str:
    is_one = count == 1
    return _WORDING[repair].format(
        n=f"{count:,} line" + ("" if is_one else "s"),
        are="is" if is_one else "are",
        s="s" if is_one else "",
        lines=lines,
    )


class CsvRepairer:
    """Repairs rows one by one."""

    def __init__(self, dialect: CsvDialect, kinds: Sequence[CellKind]) -> None:
        self.repairs = CsvRepairs()
        self._dialect = dialect
        self._kinds = kinds
        # Rows that may be the footer: known when there is none after them.
        self._held: list[tuple[int, list[str]]] = []
        self._after_blank = False

    def rows(self, records: Iterator[tuple[int, list[str]]]) -> Iterator[list[str]]:
        """Yield the rows of the table, all of the same width."""
        for line, cells in records:
            if not any(map(str.strip, cells)):
                self._after_blank = self._after_blank or not cells
                continue
            if is_footer(cells, self._kinds, after_blank=self._after_blank):
                self._held.append((line, cells))
                continue
            self._after_blank = False
            yield from self._flush_pending()
            yield from self._repair_row(line, cells)
        for line, cells in self._held:
            self._add_note("footer", line, cells)

    def _flush_pending(self) -> Iterator[list[str]]:
        held, self._held = self._held, []
        for line, cells in held:
            yield from self._repair_row(line, cells)

    def _repair_row(self, line: int, cells: list[str]) -> Iterator[list[str]]:
        width = self._dialect.width
        if self._dialect.heading is not None and cells == list(self._dialect.heading):
            self._add_note("heading", line, cells)
            return
        while len(cells) > width and not cells[-1].strip():
            cells = cells[:-1]
        if len(cells) == width:
            yield cells
            return
        row, repair = self._fit_width(cells)
        # With a value where it does not belong a whole column would be read as text.
        if fits_columns(row, self._kinds):
            self._add_note(repair, line, cells)
            yield row
        else:
            self._add_note("misfit", line, cells)

    def _fit_width(self, cells: list[str]) -> tuple[list[str], Repair]:
        width = self._dialect.width
        if len(cells) < width:
            return [*cells, *[""] * (width - len(cells))], "filled"
        joined = self._join_cells(cells, len(cells) - width + 1)
        return (joined, "joined") if joined else (cells[:width], "cut")

    def _join_cells(self, cells: list[str], count: int) -> list[str] | None:
        """Join neighbouring cells if exactly one way gives a row that fits."""
        mark = self._dialect.delimiter
        found: list[tuple[bool, list[str]]] = []
        for start, kind in enumerate(self._kinds):
            parts = cells[start : start + count]
            if kind != "text" or not all(map(str.strip, parts)):
                continue
            row = [*cells[:start], mark.join(parts), *cells[start + count :]]
            if fits_columns(row, self._kinds):
                found.append((all(part[0] == " " for part in parts[1:]), row))
        # A space after the mark is how people write it in a sentence.
        spaced = [row for is_spaced, row in found if is_spaced]
        if len(spaced) == 1:
            return spaced[0]
        return found[0][1] if len(found) == 1 else None

    def _add_note(self, repair: Repair, line: int, cells: Sequence[str]) -> None:
        self.repairs.add(repair, line, cells, self._dialect.delimiter)


def is_footer(cells: Sequence[str], kinds: Sequence[CellKind], *, after_blank: bool) -> bool:
    """Say whether a last row is a total or a remark, not part of the table."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    is_sparse = len(filled) < len(kinds)
    if filled[0].strip(":\uff1a").casefold() in _TOTALS and (
        is_sparse or not fits_columns(cells, kinds)
    ):
        return True
    is_remark = len(filled) == 1 and len(kinds) > 1 and cells[0].strip() != ""
    return is_remark and (after_blank or not fits_columns(cells, kinds))


def make_repairer(dialect: CsvDialect, beginning: str) -> CsvRepairer:
    """Make a repairer for a file by the kinds of its columns in the first rows."""
    body = [row.cells for row in read_rows(beginning, dialect)]
    whole = [cells for cells in body if len(cells) == dialect.width]
    return CsvRepairer(dialect, classify_columns(whole or body, dialect.width))


def repair_file(text: CsvText, dialect: CsvDialect, target: str) -> tuple[str, ...]:
    """Rewrite the file in UTF-8 with commas and quotes; return the notes."""
    repairs = make_repairer(dialect, text.beginning)
    with (
        closing(text_file.open_text_file(text.path, text.compression)) as source,
        Path(target).open("w", encoding="utf-8", newline="") as file,
    ):
        writer = csv.writer(file, lineterminator="\n")
        if dialect.heading is not None:
            heading = [*dialect.heading, *[""] * (dialect.width - len(dialect.heading))]
            writer.writerow(heading)
        lines = io.TextIOWrapper(source, encoding=text.encoding, errors="replace", newline="")
        first = dialect.skip + (dialect.heading is not None)
        writer.writerows(repairs.rows(_read_records(lines, dialect, first)))
    return repairs.repairs.notes


def has_footer(text: CsvText, dialect: CsvDialect) -> bool:
    """Check the last lines: a total row would be counted with the rows it sums."""
    if text.compression:
        return False
    with Path(text.path).open("rb") as file:
        start = max(0, file.seek(0, 2) - _TAIL_BYTES)
        file.seek(start)
        tail = file.read().decode(text.encoding, errors="replace")
    lines = io.StringIO(tail.replace("\0", " "), newline="")
    if start:
        next(lines, None)  # a part of a line
    repairs = make_repairer(dialect, text.beginning)
    first = 0 if start else dialect.skip + (dialect.heading is not None)
    try:
        for _ in repairs.rows(_read_records(lines, dialect, first)):
            pass
    except csv.Error:
        return False  # a part of a value
    return repairs.repairs.counts["footer"] > 0


def _read_records(
    lines: Iterator[str], dialect: CsvDialect, first: int
) -> Iterator[tuple[int, list[str]]]:
    """Read the rows after the heading, each with the number of its first line."""
    source = _CountedLines(lines)
    while True:
        before = source.count
        for cells in _read_until_unclosed(dialect.rows(source), source, dialect.quote):
            if before >= first:
                yield before + 1, cells
            before = source.count
            source.record.clear()
        if not source.record:
            return
        # A quote that nothing closes is a character: this line ends where it ends.
        line = source.record[0]
        source.go_back_to_second_line()
        [cells] = replace(dialect, quote="").rows(iter([line]))
        if before >= first:
            yield before + 1, cells


def _read_until_unclosed(
    rows: Iterator[list[str]], source: "_CountedLines", quote: str
) -> Iterator[list[str]]:
    """Yield rows up to one whose quote is not closed within the limit."""
    try:
        for cells in rows:
            if quote and source.at_end and "".join(source.record).count(quote) % 2:
                return
            yield cells
    except csv.Error:
        if not source.record:
            raise


class _CountedLines:
    """Lines without zero bytes, counted, with those of the row that is being read."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._list_lines = lines
        self._again: deque[str] = deque()
        self.record: list[str] = []
        self.count = 0
        self.at_end = False

    def __iter__(self) -> "_CountedLines":
        return self

    def __next__(self) -> str:
        line = self._again.popleft() if self._again else next(self._list_lines, None)
        if line is None:
            self.at_end = True
            raise StopIteration
        self.count += 1
        line = (line.removeprefix("\ufeff") if self.count == 1 else line).replace("\0", " ")
        self.record.append(line)
        return line

    def go_back_to_second_line(self) -> None:
        """Read the lines after the first of this row again."""
        self._again.extendleft(reversed(self.record[1:]))
        self.count -= len(self.record) - 1
        self.record.clear()
        self.at_end = False
