"""Plain columns on stdout: fitted to the width of a terminal, unshortened elsewhere."""

from collections.abc import Sequence

from rich.cells import cell_len

from dataagent_cli.output.sanitize import one_line
from dataagent_cli.output.streams import Output
from dataagent_cli.output.text_width import cut

_GAP = "  "
# With less room than this beside the others, the last column gets a line of its own.
_LAST_CELLS_MIN = 20


def print_table(output: Output, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows below their heads, each row on one line, or on two where the terminal is narrow.

    The last column is often the longest: a description, a reason.
    """
    clean = [[one_line(cell) for cell in row] for row in (heads, *rows)]
    widths = [max(map(cell_len, column)) for column in zip(*clean, strict=True)]
    room = output.width_cells if output.out_is_terminal else sum(widths) + len(_GAP) * len(widths)
    others = sum(widths[:-1]) + len(_GAP) * (len(widths) - 1)
    is_split = room - others < min(widths[-1], _LAST_CELLS_MIN)
    for number, row in enumerate(clean):
        line = _GAP.join(map(_pad, row[:-1] if is_split else row, widths))
        output.line(cut(line.rstrip(), room), bold=number == 0)
        if is_split and row[-1]:
            output.line(cut(f"{_GAP}{row[-1]}", room), bold=number == 0)


def _pad(cell: str, width_cells: int) -> str:
    return cell + " " * (width_cells - cell_len(cell))
