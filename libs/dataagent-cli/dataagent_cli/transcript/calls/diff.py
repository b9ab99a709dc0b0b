"""A unified diff as lines: coloured, or with line numbers. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from dataagent_cli.output.sanitize import sanitize_text
from dataagent_cli.transcript.terminal.line_breaks import fold_line
from dataagent_cli.transcript.terminal.symbols import BAR


@dataclass(frozen=True, slots=True)
class ScreenLine:
    """One line for the screen; `colour` is click's name of it."""

    text: str
    colour: str | None = None


_COLOURS = {"+": "green", "-": "red", "@": "cyan"}
_HEADER_LINES = 2  # the two lines that name the file, which is named above the diff


def diff_lines(diff: str) -> list[ScreenLine]:
    """Return the lines of a diff without its file header."""
    lines = diff.split("\n")[_HEADER_LINES:]
    return [ScreenLine(line, _COLOURS.get(line[:1])) for line in lines]


def shorten_lines(lines: Sequence[ScreenLine], lines_max: int) -> tuple[Sequence[ScreenLine], int]:
    """Return the first lines, and how many were left out."""
    return lines[:lines_max], max(0, len(lines) - lines_max)


_HUNK = re.compile(r"@@ -(\d{1,9})(?:,\d+)? \+(\d{1,9})(?:,\d+)? @@")
_STYLES = {"+": "green", "-": "red"}
_INDENT = "  "
_NUMBER_CELLS_MIN = 4


def render_numbered_diff(diff: str, width_cells: int) -> list[Text]:
    """Write a diff: the number of each line (the old one if removed), its sign, its text."""
    before = after = 0
    shown: list[Text] = []
    for line in diff_lines(diff):
        if hunk := _HUNK.match(line.text):
            before, after = int(hunk[1]), int(hunk[2])
            if shown:
                shown.append(Text(f"{_INDENT}{'…':>{_NUMBER_CELLS_MIN}}", style="dim"))
            continue
        sign = line.text[:1]
        if sign not in {"+", "-", " "}:
            continue  # the end of the diff, or "no newline at end of file"
        number = before if sign == "-" else after
        before += sign != "+"
        after += sign != "-"
        shown += _line(str(number), sign, line.text[1:], width_cells)
    return shown


def _line(number: str, sign: str, text: str, width_cells: int) -> list[Text]:
    number = number.rjust(_NUMBER_CELLS_MIN)
    room = width_cells - len(_INDENT) - len(number) - 3
    style = _STYLES.get(sign, "")
    found: list[Text] = []
    for part in fold_line(Text(sanitize_text(text).replace("\n", " ")), room):
        line = Text(_INDENT).append(f"{number} {BAR}", style="dim")
        found.append(line.append(sign, style=style).append(part.plain, style=style))
        number = " " * len(number)
    return found
