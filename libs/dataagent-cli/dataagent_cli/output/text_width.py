"""Text cut or folded to a width in terminal cells, where a Chinese character takes two. Pure."""

from rich.cells import cell_len, chop_cells

# How far ahead is looked for the end of a piece: marks above a letter take no cell of their own.
_CHARS_PER_CELL_MAX = 4


def cut(text: str, width_cells: int) -> str:
    """Shorten a line to a width, marking that something is missing."""
    if cell_len(text) <= width_cells:
        return text
    kept = chop_cells(text, width_cells - 1)[0] if width_cells > 1 else ""
    return kept + "…"


def fold(text: str, width_cells: int) -> list[str]:
    """Break a text into lines, and those to a width, after a space where one is near.

    The terminal would break it too, but the continuation would begin at the very left, where a
    hostile text could pass for ours.
    """
    return [piece for line in text.split("\n") for piece in _fold_line(line, width_cells)]


def _fold_line(text: str, width_cells: int) -> list[str]:
    line = text.expandtabs(4)
    pieces: list[str] = []
    start = 0
    while True:
        ahead = line[start : start + width_cells * _CHARS_PER_CELL_MAX]
        # Nothing is chopped from what takes no cells at all.
        piece = next(iter(chop_cells(ahead, width_cells)), ahead)
        if start + len(piece) == len(line):
            return [*pieces, piece]
        # A space far to the left is an indent, or stands before a word that has to be broken.
        after_space = piece.rfind(" ") + 1
        if after_space > len(piece) // 2:
            piece = piece[:after_space]
        pieces.append(piece)
        start += len(piece)
