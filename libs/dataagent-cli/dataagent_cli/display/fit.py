"""Text cut or folded to a width in terminal cells, where a Chinese character takes two. Pure."""

from rich.cells import cell_len, chop_cells


def cut(text: str, width_cells: int) -> str:
    """Shorten a line to a width, marking that something is missing."""
    if cell_len(text) <= width_cells:
        return text
    kept = chop_cells(text, width_cells - 1)[0] if width_cells > 1 else ""
    return kept + "…"


def fold(text: str, width_cells: int) -> list[str]:
    """Break a line into pieces of a width.

    The terminal would break it too, but the continuation would begin at the very left, where a
    hostile text could pass for ours.
    """
    return chop_cells(text.expandtabs(4), width_cells) or [""]
