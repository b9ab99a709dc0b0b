"""Which sheets a workbook has, and where on a sheet the table is: its heading, width and end.

DuckDB's reader takes the first row for the heading and its width for the table's; a title above, or
a merged cell, would hide columns.
"""

import re
import zipfile
from dataclasses import dataclass, field
from typing import IO
from xml.etree.ElementTree import Element, ParseError, fromstring, iterparse

from ..question_server import QuestionError
from .xlsx_headings import is_element, parse_column_number, read_two_row_names

_SHEETS_MAX = 200
_ROWS_LOOKED_AT = 200
_PART_BYTES_MAX = 10_000_000
_CHUNK_BYTES = 1 << 20
_ROW = re.compile(rb'<(?:\w+:)?row\b[^>]*?\br="(\d+)"')
_CELL = re.compile(r"([A-Z]{1,3})(\d+)")
_UNCALCULATED = re.compile(
    rb"<(?:\w+:)?f\b[^>]*(?:/>|>[^<]*</(?:\w+:)?f>)\s*(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v></(?:\w+:)?v>)?\s*(?=</(?:\w+:)?c>|$)"
)
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\b[^>]*?\bref="([A-Z]+\d+):([A-Z]+\d+)"')
_MERGED_MAX = 1_000
_COLUMNS_MAX = 16_384


@dataclass(frozen=True, slots=True)
class XlsxSheet:
    """A sheet and its part of the file."""

    name: str
    part: str


@dataclass(frozen=True, slots=True)
class TableArea:
    """Where the table is."""

    heading_row: int
    last_row: int
    width: int
    # Formulas that no program has calculated: a reader finds nothing there.
    formulas_without_value: int = 0
    # The names of the columns where two rows make them: `2024` over `Q1` and `Q2`.
    names: tuple[str, ...] = ()

    @property
    def range(self) -> str:
        """Write it as spreadsheets do."""
        first = self.heading_row + (2 if self.names else 0)
        return f"A{first}:{make_column_letters(self.width)}{max(self.last_row, first)}"


def make_column_letters(number: int) -> str:
    """Name a column: 1 is A, 27 is AA."""
    name = ""
    while number:
        number, rest = divmod(number - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def list_sheets(path: str) -> list[XlsxSheet]:
    """List the sheets in the order of their tabs."""
    try:
        with zipfile.ZipFile(path) as book:
            links = _part(book, "xl/_rels/workbook.xml.rels")
            targets = {link.get("Id"): link.get("Target", "") for link in links}
            tabs = [
                node for node in _part(book, "xl/workbook.xml").iter() if is_element(node, "sheet")
            ]
            return [_sheet(tab, targets) for tab in tabs[:_SHEETS_MAX]]
    except (zipfile.BadZipFile, KeyError, ParseError, OSError) as error:
        raise QuestionError(
            "it is not a whole Excel workbook (.xlsx); save it again, and wait until it is copied"
        ) from error


def find_table_area(path: str, sheet: XlsxSheet) -> TableArea | None:
    """Find the table on a sheet; None when there is nothing on it."""
    try:
        with zipfile.ZipFile(path) as book:
            with book.open(sheet.part) as part:
                rows = _first_rows(part)
            with book.open(sheet.part) as part:
                seen = _scanned(part)
    except (zipfile.BadZipFile, KeyError, ParseError, OSError, EOFError) as error:
        raise QuestionError(f"its sheet {sheet.name!r} is damaged") from error
    filled = {number: cells for number, cells in rows.items() if cells}
    if not filled:
        return None
    width = max(max(cells) for cells in filled.values())
    heading = next(
        (number for number, cells in filled.items() if len(cells) > width / 2), min(filled)
    )
    last = max(seen.last_row, *filled)
    names = read_two_row_names(path, sheet.part, heading, width, seen.merged)
    return TableArea(heading, last, width, seen.formulas_without_value, names)


def _sheet(tab: Element, targets: dict[str | None, str]) -> XlsxSheet:
    link = next((value for key, value in tab.items() if key.endswith("}id")), None)
    target = targets[link]
    return XlsxSheet(
        tab.get("name", ""), target.lstrip("/") if target[:1] == "/" else f"xl/{target}"
    )


def _part(book: zipfile.ZipFile, name: str) -> Element:
    with book.open(name) as file:
        return fromstring(file.read(_PART_BYTES_MAX))  # noqa: S314 - inside a sandbox, bounded


def _first_rows(part: IO[bytes]) -> dict[int, set[int]]:
    """Read which columns are filled in each of the first rows."""
    rows: dict[int, set[int]] = {}
    number = 0
    for _, node in iterparse(part, events=("end",)):  # noqa: S314 - inside a sandbox, bounded
        if not is_element(node, "row"):
            continue
        number = int(node.get("r", number + 1))
        rows[number] = _filled(node)
        node.clear()
        if len(rows) >= _ROWS_LOOKED_AT:
            break
    return rows


def _filled(row: Element) -> set[int]:
    found: set[int] = set()
    position = 0
    for cell in row:
        place = _CELL.fullmatch(cell.get("r", ""))
        position = parse_column_number(place[1]) if place else position + 1
        if (
            any(is_element(child, "v") or is_element(child, "is") for child in cell)
            and position <= _COLUMNS_MAX
        ):
            found.add(position)
    return found


@dataclass(slots=True)
class _SheetScan:
    """What one pass over a sheet's text finds."""

    last_row: int = 0
    formulas_without_value: int = 0
    merged: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


def _scanned(part: IO[bytes]) -> _SheetScan:
    seen, rest = _SheetScan(), b""
    while data := part.read(_CHUNK_BYTES):
        text = rest + data
        # Whole elements only: what comes after the last one is looked at with the next part.
        end = text.rfind(b">") + 1
        cut = max(text.rfind(b"</c>", 0, end), text.rfind(b"/>", 0, end), 0)
        _scan(text[:cut], seen)
        rest = text[cut:]
    _scan(rest, seen)
    return seen


def _scan(text: bytes, seen: _SheetScan) -> None:
    for row in _ROW.finditer(text):
        seen.last_row = max(seen.last_row, int(row[1]))
    seen.formulas_without_value += len(_UNCALCULATED.findall(text))
    if len(seen.merged) < _MERGED_MAX:
        seen.merged += [(a.decode(), b.decode()) for a, b in _MERGED.findall(text)]
