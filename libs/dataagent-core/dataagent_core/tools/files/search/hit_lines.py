"""The lines of files that match, with the lines around them."""

import codecs
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from dataagent_core.tools.files.search.deadline import SearchDeadline
from dataagent_core.tools.files.search.ripgrep import find_line_numbers
from dataagent_core.tools.files.search.search_pattern import SearchPattern
from dataagent_core.tools.files.text_codec import is_binary
from dataagent_core.tools.output.output_bounds import split_lines

_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


@dataclass(frozen=True, slots=True)
class HitLine:
    """A line to show: one that matched, or one beside it."""

    number: int
    text: str
    matched: bool


def searchable_lines(data: bytes) -> list[str] | None:
    """Read a file's bytes as lines; `None` if they are no text."""
    if is_binary(data):
        return None
    for bom, encoding in _UTF16.items():
        if data.startswith(bom):
            return split_lines(data[len(bom) :].decode(encoding, "replace"))
    return split_lines(data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace"))


def find_matching_lines(
    files: Sequence[list[str]], pattern: SearchPattern, deadline: SearchDeadline, lines_max: int
) -> list[list[int]]:
    """Give for each file, read as lines, the indices of those that match: `lines_max` in all."""
    text = "".join(f"{line}\n" for lines in files for line in lines)
    first_lines = [0, *accumulate(len(lines) for lines in files)]
    matched: list[list[int]] = [[] for _ in files]
    for number in find_line_numbers(text.encode("utf-8", "replace"), pattern, deadline, lines_max):
        # The last of those that begin at a line: files without lines begin there too.
        file = bisect_right(first_lines, number - 1) - 1
        matched[file].append(number - 1 - first_lines[file])
    return matched


def group_with_context(lines: list[str], matched: list[int], around: int) -> list[list[HitLine]]:
    """Group matching lines with those around them; groups that touch are one."""
    groups: list[list[HitLine]] = []
    shown_to = -1
    hits = set(matched)
    for index in matched:
        first, last = max(index - around, 0), min(index + around, len(lines) - 1)
        if first > shown_to + (around > 0) or not groups:
            groups.append([])
        start = max(first, shown_to + 1)
        groups[-1] += [HitLine(i + 1, lines[i], i in hits) for i in range(start, last + 1)]
        shown_to = max(shown_to, last)
    return groups
