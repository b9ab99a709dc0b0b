"""Tables fitted to a width: wide columns shrink, long cells wrap. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rich.cells import cell_len
from rich.text import Text

from dataagent_cli.transcript.terminal.line_breaks import wrap_text
from dataagent_cli.transcript.terminal.symbols import BAR, RULE

Side = Literal["left", "right", "center"]
_GAP = f" {BAR} "
_CROSS = f"{RULE}┼{RULE}"
_COLUMN_CELLS_MIN = 4
_HEAD = "bold"
_BORDER = "dim"


@dataclass(frozen=True, slots=True)
class Column:
    """A column's head and the alignment of its cells."""

    head: Text
    side: Side


def table_lines(
    columns: Sequence[Column], rows: Sequence[Sequence[Text]], width_cells: int
) -> list[Text]:
    """Lay out a table; if even narrow columns do not fit, each row becomes a list."""
    if not columns:
        return []
    room = width_cells - len(_GAP) * (len(columns) - 1)
    if room < _COLUMN_CELLS_MIN * len(columns):
        return _render_as_list(columns, rows, width_cells)
    natural = [
        max(_widest_line(cell) for cell in (column.head, *(row[at] for row in rows)))
        for at, column in enumerate(columns)
    ]
    widths = share_width(natural, room)
    for column in columns:
        column.head.stylize(_HEAD)
    lines = _row([column.head for column in columns], columns, widths)
    lines.append(Text(_CROSS.join(RULE * width for width in widths), style=_BORDER))
    for row in rows:
        lines += _row(row, columns, widths)
    return lines


def share_width(natural: Sequence[int], room: int) -> list[int]:
    """Divide the width: narrow columns get what they need, wide ones equal shares."""
    widths = [0] * len(natural)
    left, waiting = room, sorted(range(len(natural)), key=lambda at: natural[at])
    while waiting:
        fair = left // len(waiting)
        at = waiting.pop(0)
        widths[at] = max(1, min(natural[at], fair))
        left -= widths[at]
    return widths


def _row(cells: Sequence[Text], columns: Sequence[Column], widths: Sequence[int]) -> list[Text]:
    pieces = [wrap_text(cell, width) for cell, width in zip(cells, widths, strict=True)]
    lines: list[Text] = []
    for number in range(max(map(len, pieces))):
        line = Text()
        for at, width in enumerate(widths):
            if at:
                line.append(_GAP, style=_BORDER)
            piece = pieces[at][number] if number < len(pieces[at]) else Text()
            line.append_text(_align(piece, width, columns[at].side))
        line.rstrip()
        lines.append(line)
    return lines


def _align(piece: Text, width: int, side: Side) -> Text:
    free = max(0, width - cell_len(piece.plain))
    before = {"left": 0, "right": free, "center": free // 2}[side]
    return Text(" " * before) + piece + Text(" " * (free - before))


def _render_as_list(
    columns: Sequence[Column], rows: Sequence[Sequence[Text]], width_cells: int
) -> list[Text]:
    lines: list[Text] = []
    for row in rows:
        if lines:
            lines.append(Text(RULE * min(width_cells, 8), style=_BORDER))
        for column, cell in zip(columns, row, strict=True):
            head = column.head.copy()
            head.stylize(_HEAD)
            lines += wrap_text(head + Text(": ") + cell, width_cells)
    return lines


def _widest_line(cell: Text) -> int:
    return max(cell_len(line) for line in cell.plain.split("\n"))
