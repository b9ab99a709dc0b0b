"""The lines of one file that match, with the lines around them."""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass

from dataagent_core.tools.bounds import lines_of
from dataagent_core.tools.files.encoding import is_binary
from dataagent_core.tools.files.search.deadline import Deadline
from dataagent_core.tools.files.search.pattern import SearchPattern

_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


@dataclass(frozen=True, slots=True)
class Line:
    """A line to show: one that matched, or one beside it."""

    number: int
    text: str
    matched: bool


def searchable(data: bytes) -> str | None:
    """Read a file's bytes for searching; `None` if they are no text."""
    if is_binary(data):
        return None
    for bom, encoding in _UTF16.items():
        if data.startswith(bom):
            return data[len(bom) :].decode(encoding, "replace")
    # Bytes that are no UTF-8 stay one character each, as they are one byte for ripgrep.
    return data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "surrogateescape")


def matching_lines(text: str, pattern: SearchPattern, deadline: Deadline) -> Iterator[int]:
    """Give the indices of matching lines."""
    text = text.replace("\r\n", "\n")
    # Most files do not match at all, and one search of the whole text is the quickest way to know.
    if pattern.found_in(text, deadline):
        for index, line in enumerate(lines_of(text)):
            if pattern.found_in(line, deadline):
                yield index


def with_context(lines: list[str], matched: list[int], around: int) -> list[list[Line]]:
    """Group matching lines with those around them; groups that touch are one."""
    groups: list[list[Line]] = []
    shown_to = -1
    hits = set(matched)
    for index in matched:
        first, last = max(index - around, 0), min(index + around, len(lines) - 1)
        if first > shown_to + (around > 0) or not groups:
            groups.append([])
        start = max(first, shown_to + 1)
        groups[-1] += [Line(i + 1, lines[i], i in hits) for i in range(start, last + 1)]
        shown_to = max(shown_to, last)
    return groups
