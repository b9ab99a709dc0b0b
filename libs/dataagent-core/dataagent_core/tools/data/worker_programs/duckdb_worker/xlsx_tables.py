"""Lists the sheets of a workbook and finds the table on a sheet: its heading, width and end.

DuckDB's reader takes the first row as the heading and its width as the table's width; a title above
or a merged cell would hide columns. A heading may have two rows: a merged cell, as `2024`, over the
names of the columns below it.
"""

import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import IO
from xml.etree.ElementTree import Element, ParseError, fromstring, iterparse

from ..question_server import QuestionError

_SHEETS_MAX = 200
_ROWS_LOOKED_AT = 200
_PART_BYTES_MAX = 10_000_000
_CHUNK_BYTES = 1 << 20
_ROW = re.compile(rb'<(?:\w+:)?row\b[^>]*?\br="(\d+)"')
_UNCALCULATED = re.compile(
    rb"<(?:\w+:)?f\b[^>]*(?:/>|>[^<]*</(?:\w+:)?f>)\s*(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v></(?:\w+:)?v>)?\s*(?=</(?:\w+:)?c>|$)"
)
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\b[^>]*?\bref="([A-Z]+\d+):([A-Z]+\d+)"')
_MERGED_MAX = 1_000
_COLUMNS_MAX = 16_384
_CELL_REFERENCE = re.compile(r"([A-Z]{1,3})(\d+)")
_TEXTS = frozenset({"s", "str", "inlineStr"})


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
    # Formulas without a stored value: a reader finds nothing there.
    formulas_without_value: int = 0
    # The column names of a heading of two rows: `2024` over `Q1` and `Q2`.
    names: tuple[str, ...] = ()

    @property
    def range(self) -> str:
        """The cell range as spreadsheets write it."""
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
        with zipfile.ZipFile(path) as archive:
            links = _read_part(archive, "xl/_rels/workbook.xml.rels")
            targets = {link.get("Id"): link.get("Target", "") for link in links}
            tabs = [
                node
                for node in _read_part(archive, "xl/workbook.xml").iter()
                if is_element(node, "sheet")
            ]
            return [_make_sheet(tab, targets) for tab in tabs[:_SHEETS_MAX]]
    except (zipfile.BadZipFile, KeyError, ParseError, OSError) as error:
        raise QuestionError(
            "it is not a whole Excel workbook (.xlsx); save it again, and wait until it is copied"
        ) from error


def find_table_area(path: str, sheet: XlsxSheet) -> TableArea | None:
    """Find the table on a sheet; None if the sheet is empty."""
    try:
        with zipfile.ZipFile(path) as archive:
            with archive.open(sheet.part) as part:
                rows = _read_filled_columns(part)
            with archive.open(sheet.part) as part:
                seen = _scan_sheet(part)
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


def _make_sheet(tab: Element, targets: dict[str | None, str]) -> XlsxSheet:
    link = next((value for key, value in tab.items() if key.endswith("}id")), None)
    target = targets[link]
    return XlsxSheet(
        tab.get("name", ""), target.lstrip("/") if target[:1] == "/" else f"xl/{target}"
    )


def _read_part(archive: zipfile.ZipFile, name: str) -> Element:
    with archive.open(name) as file:
        return fromstring(file.read(_PART_BYTES_MAX))  # noqa: S314 - inside a sandbox, bounded


def _read_filled_columns(part: IO[bytes]) -> dict[int, set[int]]:
    """Read which columns are filled in each of the first rows."""
    rows: dict[int, set[int]] = {}
    number = 0
    for _, node in iterparse(part, events=("end",)):  # noqa: S314 - inside a sandbox, bounded
        if not is_element(node, "row"):
            continue
        number = int(node.get("r", number + 1))
        rows[number] = _find_filled_columns(node)
        node.clear()
        if len(rows) >= _ROWS_LOOKED_AT:
            break
    return rows


def _find_filled_columns(row: Element) -> set[int]:
    found: set[int] = set()
    position = 0
    for cell in row:
        reference = _CELL_REFERENCE.fullmatch(cell.get("r", ""))
        position = parse_column_number(reference[1]) if reference else position + 1
        if (
            any(is_element(child, "v") or is_element(child, "is") for child in cell)
            and position <= _COLUMNS_MAX
        ):
            found.add(position)
    return found


def read_two_row_names(
    path: str, part: str, heading: int, width: int, merged: Sequence[tuple[str, str]]
) -> tuple[str, ...]:
    """Return the column names of a heading of two rows; () if the heading is one row."""
    spans = _find_merged_spans(heading, merged)
    if not spans:
        return ()
    with zipfile.ZipFile(path) as archive:
        upper, lower = _read_heading_rows(archive, part, heading)
        below = {column for first, last in spans for column in range(first, last + 1)}
        # A row of values under a merged heading is the table's first row.
        if not all(lower.get(column, ("", ""))[0] in _TEXTS for column in below):
            return ()
        shared = _read_shared_strings(archive, [*upper.values(), *lower.values()])
    top = {column: _get_cell_text(cell, shared) for column, cell in upper.items()}
    for first, last in spans:
        top |= dict.fromkeys(range(first, last + 1), top.get(first, ""))
    bottom = {column: _get_cell_text(cell, shared) for column, cell in lower.items()}
    return tuple(
        f"{top.get(column, '')} {bottom.get(column, '')}".strip() for column in range(1, width + 1)
    )


def _find_merged_spans(heading: int, merged: Sequence[tuple[str, str]]) -> list[tuple[int, int]]:
    """Return the first and last column of each cell merged across the heading's row."""
    found: list[tuple[int, int]] = []
    for first, last in merged:
        a, b = _CELL_REFERENCE.fullmatch(first), _CELL_REFERENCE.fullmatch(last)
        if a and b and int(a[2]) == int(b[2]) == heading and a[1] != b[1]:
            found.append((parse_column_number(a[1]), parse_column_number(b[1])))
    return found


def _read_heading_rows(
    archive: zipfile.ZipFile, part: str, heading: int
) -> list[dict[int, tuple[str, str]]]:
    """Read two rows: each cell's type, and its text or the index of its shared string."""
    found: dict[int, dict[int, tuple[str, str]]] = {heading: {}, heading + 1: {}}
    number = 0
    with archive.open(part) as file:
        for _, node in iterparse(file, events=("end",)):  # noqa: S314 - inside a sandbox, bounded
            if not is_element(node, "row"):
                continue
            number = int(node.get("r", number + 1))
            if number in found:
                found[number] = dict(map(_parse_cell, node))
            node.clear()
            if number > heading:
                break
    return [found[heading], found[heading + 1]]


def _parse_cell(cell: Element) -> tuple[int, tuple[str, str]]:
    reference = _CELL_REFERENCE.fullmatch(cell.get("r", ""))
    text = "".join(
        node.text or "" for node in cell.iter() if is_element(node, "v") or is_element(node, "t")
    )
    return parse_column_number(reference[1]) if reference else 0, (cell.get("t", "n"), text)


def _read_shared_strings(
    archive: zipfile.ZipFile, cells: Sequence[tuple[str, str]]
) -> dict[int, str]:
    wanted = {int(text) for kind, text in cells if kind == "s" and text.isdigit()}
    found: dict[int, str] = {}
    if not wanted:
        return found
    with archive.open("xl/sharedStrings.xml") as file:
        number = 0
        for _, node in iterparse(file, events=("end",)):  # noqa: S314 - inside a sandbox, bounded
            if not is_element(node, "si"):
                continue
            if number in wanted:
                found[number] = "".join(t.text or "" for t in node.iter() if is_element(t, "t"))
            node.clear()
            number += 1
            if number > max(wanted):
                break
    return found


def _get_cell_text(cell: tuple[str, str], shared: dict[int, str]) -> str:
    kind, text = cell
    return shared.get(int(text), "") if kind == "s" and text.isdigit() else text


def is_element(node: Element, name: str) -> bool:
    """Say whether an element has a name, whatever its namespace."""
    return node.tag.rpartition("}")[2] == name


def parse_column_number(name: str) -> int:
    """Return the number of a column: A is 1, AA is 27."""
    number = 0
    for letter in name:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


@dataclass(slots=True)
class _SheetScan:
    """The result of one pass over a sheet's text."""

    last_row: int = 0
    formulas_without_value: int = 0
    merged: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


def _scan_sheet(part: IO[bytes]) -> _SheetScan:
    seen, rest = _SheetScan(), b""
    while data := part.read(_CHUNK_BYTES):
        text = rest + data
        # Whole elements only: the rest is scanned with the next chunk.
        end = text.rfind(b">") + 1
        cut = max(text.rfind(b"</c>", 0, end), text.rfind(b"/>", 0, end), 0)
        _scan_text(text[:cut], seen)
        rest = text[cut:]
    _scan_text(rest, seen)
    return seen


def _scan_text(text: bytes, seen: _SheetScan) -> None:
    for row in _ROW.finditer(text):
        seen.last_row = max(seen.last_row, int(row[1]))
    seen.formulas_without_value += len(_UNCALCULATED.findall(text))
    if len(seen.merged) < _MERGED_MAX:
        seen.merged += [(a.decode(), b.decode()) for a, b in _MERGED.findall(text)]
