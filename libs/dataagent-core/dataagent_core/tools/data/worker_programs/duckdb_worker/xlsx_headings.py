"""Headings of two rows: a merged cell, as `2024`, over the names of the columns below it."""

import re
import zipfile
from collections.abc import Sequence
from xml.etree.ElementTree import Element, iterparse

_CELL = re.compile(r"([A-Z]{1,3})(\d+)")
_TEXTS = frozenset({"s", "str", "inlineStr"})


def read_two_row_names(
    path: str, part: str, heading: int, width: int, merged: Sequence[tuple[str, str]]
) -> tuple[str, ...]:
    """Give the names that two rows make together; nothing where one row is the heading."""
    spans = _spans(heading, merged)
    if not spans:
        return ()
    with zipfile.ZipFile(path) as book:
        upper, lower = _rows(book, part, heading)
        below = {column for first, last in spans for column in range(first, last + 1)}
        # A row of values under a merged heading is the table's first.
        if not all(lower.get(column, ("", ""))[0] in _TEXTS for column in below):
            return ()
        shared = _shared(book, [*upper.values(), *lower.values()])
    top = {column: _text(cell, shared) for column, cell in upper.items()}
    for first, last in spans:
        top |= dict.fromkeys(range(first, last + 1), top.get(first, ""))
    bottom = {column: _text(cell, shared) for column, cell in lower.items()}
    return tuple(
        f"{top.get(column, '')} {bottom.get(column, '')}".strip() for column in range(1, width + 1)
    )


def _spans(heading: int, merged: Sequence[tuple[str, str]]) -> list[tuple[int, int]]:
    """Give the columns of the cells that were merged across within the heading's row."""
    found: list[tuple[int, int]] = []
    for first, last in merged:
        a, b = _CELL.fullmatch(first), _CELL.fullmatch(last)
        if a and b and int(a[2]) == int(b[2]) == heading and a[1] != b[1]:
            found.append((parse_column_number(a[1]), parse_column_number(b[1])))
    return found


def _rows(book: zipfile.ZipFile, part: str, heading: int) -> list[dict[int, tuple[str, str]]]:
    """Read two rows: each cell's type, and its text or the number of its text."""
    found: dict[int, dict[int, tuple[str, str]]] = {heading: {}, heading + 1: {}}
    number = 0
    with book.open(part) as file:
        for _, node in iterparse(file, events=("end",)):  # noqa: S314 - inside a sandbox, bounded
            if not is_element(node, "row"):
                continue
            number = int(node.get("r", number + 1))
            if number in found:
                found[number] = dict(map(_cell, node))
            node.clear()
            if number > heading:
                break
    return [found[heading], found[heading + 1]]


def _cell(cell: Element) -> tuple[int, tuple[str, str]]:
    place = _CELL.fullmatch(cell.get("r", ""))
    text = "".join(
        node.text or "" for node in cell.iter() if is_element(node, "v") or is_element(node, "t")
    )
    return parse_column_number(place[1]) if place else 0, (cell.get("t", "n"), text)


def _shared(book: zipfile.ZipFile, cells: Sequence[tuple[str, str]]) -> dict[int, str]:
    wanted = {int(text) for kind, text in cells if kind == "s" and text.isdigit()}
    found: dict[int, str] = {}
    if not wanted:
        return found
    with book.open("xl/sharedStrings.xml") as file:
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


def _text(cell: tuple[str, str], shared: dict[int, str]) -> str:
    kind, text = cell
    return shared.get(int(text), "") if kind == "s" and text.isdigit() else text


def is_element(node: Element, name: str) -> bool:
    """Say whether an element has a name, whatever its namespace."""
    return node.tag.rpartition("}")[2] == name


def parse_column_number(name: str) -> int:
    """Give the number of a column: A is 1, AA is 27."""
    number = 0
    for letter in name:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number
