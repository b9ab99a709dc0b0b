"""An application whose prompt is taken away whole when the terminal is made narrower.

Terminals break their lines anew then, so what was drawn stands on more rows than it was drawn on;
taking away only those would leave pieces of the prompt among what was printed.
"""

import os
from collections.abc import Mapping

from prompt_toolkit.application import Application
from prompt_toolkit.layout.screen import Screen


class InlineApplication(Application[None]):
    """Knows how wide the terminal was when it last drew."""

    _drawn_cells = 0

    def _on_resize(self) -> None:
        drawn = self.renderer.last_rendered_screen
        columns = self.output.get_size().columns
        if drawn is not None and columns < self._drawn_cells and breaks_lines_anew(os.environ):
            cursor = drawn.get_cursor_position(self.layout.current_window)
            self.output.cursor_up(rows_added(drawn, cursor.x, cursor.y, columns))
        super()._on_resize()

    def remembers_width(self, _: object = None) -> None:
        """Note, after each drawing, how wide it was."""
        self._drawn_cells = self.output.get_size().columns


def rows_added(drawn: Screen, x: int, y: int, columns: int) -> int:
    """Count the rows that what stands above the cursor takes in addition, once it is broken."""
    above = sum(max(0, _width(drawn, row) - 1) // columns for row in range(y))
    return above + x // columns


def breaks_lines_anew(environment: Mapping[str, str]) -> bool:
    """Say whether the terminal does so; the oldest two cut lines off instead."""
    return "XTERM_VERSION" not in environment and environment.get("TERM") != "linux"


def _width(drawn: Screen, row: int) -> int:
    cells = drawn.data_buffer[row]
    return max((x + 1 for x, cell in cells.items() if cell.char.strip()), default=0)
