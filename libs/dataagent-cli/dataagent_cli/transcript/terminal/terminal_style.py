"""What the terminal can show. `detection.py` finds it out; everything else only reads it."""

from dataclasses import dataclass
from typing import Literal

Images = Literal["kitty", "iterm2", "sixel", "none"]

WIDTH_CELLS_MIN = 20
# Most terminals' cell; the ratio is what matters.
CELL_PIXELS = (10, 20)


@dataclass(frozen=True, slots=True, kw_only=True)
class TerminalStyle:
    """How wide, with what signs, and whether colours, links and pictures are to be had."""

    width_cells: int = 80
    # Rows of the whole terminal: the live part keeps well below.
    height_rows: int = 24
    # With `NO_COLOR` bold and dim stay; nothing is told by a colour alone.
    colours: bool = True
    # No escape sequence at all: a dumb terminal, or none.
    plain: bool = False
    # False: our own signs are ASCII. What others wrote keeps its letters.
    unicode: bool = True
    # Whether addresses may be made clickable (OSC 8); they are always written out too.
    links: bool = False
    images: Images = "none"
    cell_pixels: tuple[int, int] = CELL_PIXELS
    # Whether what is shown in short can be asked for in full, by the number beside it.
    unfolds: bool = True
    # False: sentences stay on one line, however long, for a file or another program.
    breaks: bool = True

    @property
    def room_cells(self) -> int:
        """How much fits on a line."""
        return max(self.width_cells, WIDTH_CELLS_MIN)
