"""Columns on a terminal of any width: no cell of the last column is lost."""

import io

import pytest
from rich.cells import cell_len

from dataagent_cli.output.streams import Output
from dataagent_cli.output.table import print_table

HEADS = ["SKILL", "STATE", "DESCRIPTION"]
ROWS = [["memory-graph", "needs memory_search", "Finds what is 记住 about people"], ["a", "", "b"]]


class Terminal(Output):
    """A terminal of a width."""

    def __init__(self, width_cells: int) -> None:
        self.written = io.StringIO()
        super().__init__(self.written, io.StringIO(), {"NO_COLOR": "1"})
        self.out_is_terminal = True
        self._wide = width_cells

    @property
    def width_cells(self) -> int:
        return self._wide


@pytest.mark.parametrize("width_cells", [20, 40, 56, 80])
def test_a_table_fits_its_terminal_and_keeps_the_beginning_of_every_cell(width_cells: int):
    terminal = Terminal(width_cells)
    print_table(terminal, HEADS, ROWS)
    lines = terminal.written.getvalue().splitlines()
    assert max(map(cell_len, lines)) <= width_cells
    assert any("Finds what" in line for line in lines)
    assert (len(lines) == len(ROWS) + 1) is (width_cells >= 56)


def test_a_short_last_column_is_never_cut():
    terminal = Terminal(30)
    print_table(terminal, ["SKILL", "FIRES", "RECALL"], [["x" * 18, "12", "100%"]])
    assert terminal.written.getvalue().splitlines()[2:] == ["x" * 18 + "  12", "  100%"]
