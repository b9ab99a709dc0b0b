r"""A text as lines, and the old and new strings of an edit as blocks of lines.

A string that ends in `\n` names whole lines, their line ends included.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from dataagent_core.config.limits import EDIT_PLACES_MAX
from dataagent_core.tools.files.edits.strategies.indents import find_indent_unit

_GAP = re.compile(r"[ \t]+")


@dataclass(frozen=True, slots=True)
class LineBlock:
    """Some lines; `closed` says that the last of them ends in a line end too."""

    lines: list[str]
    closed: bool


@dataclass(frozen=True, slots=True)
class TextLines:
    """A text, its lines, and where each of them starts."""

    text: str
    lines: list[str]
    starts: list[int]

    @property
    def indent_unit(self) -> str:
        """The step by which the file indents."""
        return find_indent_unit(self.lines)

    def span(self, first: int, after: int, *, closed: bool) -> tuple[int, int]:
        """Find the characters of the lines from `first` up to `after`."""
        end = self.starts[after - 1] + len(self.lines[after - 1])
        return self.starts[first], min(end + closed, len(self.text))

    def line_after(self, after: int) -> str:
        """Give the line at `after`, empty at the end of the text."""
        return self.lines[after] if after < len(self.lines) else ""

    def ends_at_line_end(self, after: int) -> bool:
        """Say whether the line before `after` has a line end: the file's last one may not."""
        return self.starts[after - 1] + len(self.lines[after - 1]) < len(self.text)


def trim_line(line: str) -> str:
    """Give a line without the spaces and tabs around it; other white space is part of the text."""
    return line.strip(" \t")


def split_line(line: str) -> list[str]:
    """Split a line at its spaces and tabs."""
    return [word for word in _GAP.split(line) if word]


def split_block(text: str) -> LineBlock:
    """Split an old or new string."""
    lines = text.split("\n")
    return LineBlock(lines[:-1], closed=True) if lines[-1] == "" else LineBlock(lines, closed=False)


def count_blank_edges(lines: list[str]) -> tuple[int, int]:
    """Count the blank lines before and after the others."""
    filled = [index for index, line in enumerate(lines) if line.strip()]
    return (filled[0], len(lines) - 1 - filled[-1]) if filled else (0, 0)


def split_text_lines(text: str) -> TextLines:
    """Split a file's text; the last line is empty where the text ends in a line end."""
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    return TextLines(text, lines, starts[:-1])


def find_positions(wanted: Sequence[object], lines: Sequence[object]) -> list[int]:
    """Find every index at which `wanted` stands among `lines`."""
    found: list[int] = []
    last = len(lines) - len(wanted)
    index = -1
    while wanted and len(found) <= EDIT_PLACES_MAX:
        try:
            index = lines.index(wanted[0], index + 1, last + 1)
        except ValueError:
            break
        if lines[index : index + len(wanted)] == wanted:
            found.append(index)
    return found
