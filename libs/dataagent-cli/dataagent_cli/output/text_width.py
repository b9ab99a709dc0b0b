"""Cuts or folds text to a width in terminal cells; a Chinese character takes two. Pure."""

from rich.cells import cell_len, chop_cells

# How many characters to look at per cell: combining marks take no cell of their own.
_CHARS_PER_CELL_MAX = 4


def cut(text: str, width_cells: int) -> str:
    """Shorten a line to a width, with a mark where text is missing."""
    if cell_len(text) <= width_cells:
        return text
    kept = chop_cells(text, width_cells - 1)[0] if width_cells > 1 else ""
    return kept + "…"


def fold(text: str, width_cells: int) -> list[str]:
    """Split a text into lines of a width, after a space if one is near.

    The terminal would wrap too, but the continuation would begin at the left edge, where hostile
    text could look like ours.
    """
    return [piece for line in text.split("\n") for piece in _fold_line(line, width_cells)]


def _fold_line(text: str, width_cells: int) -> list[str]:
    line = text.expandtabs(4)
    pieces: list[str] = []
    start = 0
    while True:
        ahead = line[start : start + width_cells * _CHARS_PER_CELL_MAX]
        # A piece without any cell is taken whole.
        piece = next(iter(chop_cells(ahead, width_cells)), ahead)
        if start + len(piece) == len(line):
            return [*pieces, piece]
        # A space far to the left is an indent, or precedes a word that must be split.
        after_space = piece.rfind(" ") + 1
        if after_space > len(piece) // 2:
            piece = piece[:after_space]
        pieces.append(piece)
        start += len(piece)
