"""What the terminal can show. `detection.py` detects it; all other modules only read it."""

from dataclasses import dataclass
from typing import Literal

Images = Literal["kitty", "iterm2", "sixel", "none"]

WIDTH_CELLS_MIN = 20
# The cell of most terminals; the ratio is what matters.
CELL_PIXELS = (10, 20)


@dataclass(frozen=True, slots=True, kw_only=True)
class TerminalStyle:
    """The size of a terminal, and its symbols, colours, links and pictures."""

    width_cells: int = 80
    # Rows of the whole terminal: the live part uses fewer.
    height_rows: int = 24
    # With `NO_COLOR` bold and dim stay; no meaning depends on colour alone.
    colours: bool = True
    # No escape sequence at all: a dumb terminal, or none.
    plain: bool = False
    # False: our own symbols are ASCII. Text of others stays as it is.
    unicode: bool = True
    # Whether addresses may be clickable (OSC 8); they are always written out too.
    links: bool = False
    images: Images = "none"
    cell_pixels: tuple[int, int] = CELL_PIXELS
    # Whether shortened items can be unfolded by their number.
    unfolds: bool = True
    # False: sentences stay on one line, for a file or another program.
    breaks: bool = True

    @property
    def room_cells(self) -> int:
        """How many cells fit on a line."""
        return max(self.width_cells, WIDTH_CELLS_MIN)
