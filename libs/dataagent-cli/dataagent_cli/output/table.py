"""Plain columns on stdout: cut to the width of a terminal, unshortened elsewhere."""

from collections.abc import Sequence

from rich.cells import cell_len

from dataagent_cli.output.sanitize import one_line
from dataagent_cli.output.streams import Output
from dataagent_cli.output.text_width import cut

_GAP = "  "


def print_table(output: Output, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows below their heads, each row on one line."""
    clean = [[one_line(cell) for cell in row] for row in (heads, *rows)]
    widths = [max(map(cell_len, column)) for column in zip(*clean, strict=True)]
    for number, row in enumerate(clean):
        line = _GAP.join(map(_pad, row, widths)).rstrip()
        if output.out_is_terminal:
            line = cut(line, output.width_cells)
        output.line(line, bold=number == 0)


def _pad(cell: str, width_cells: int) -> str:
    return cell + " " * (width_cells - cell_len(cell))
