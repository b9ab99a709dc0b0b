"""A unified diff as lines with colours. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """One line for the screen; `colour` is click's name for it."""

    text: str
    colour: str | None = None


_COLOURS = {"+": "green", "-": "red", "@": "cyan"}
_HEADER_LINES = 2  # the two lines that name the file, which stands above the diff already


def diff_lines(diff: str) -> list[Line]:
    """Give the lines of a diff without its file header."""
    lines = diff.split("\n")[_HEADER_LINES:]
    return [Line(line, _COLOURS.get(line[:1])) for line in lines]


def shortened(lines: Sequence[Line], lines_max: int) -> tuple[Sequence[Line], int]:
    """Keep the first lines, and say how many were left out."""
    return lines[:lines_max], max(0, len(lines) - lines_max)
