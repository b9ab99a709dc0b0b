"""Wraps styled text into lines that fit. Pure.

Rich treats a Chinese sentence as one long word. Here a line may end at a space or between wide
characters, but a closing sign never begins a line and an opening one never ends it.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

from rich.cells import cell_len, split_graphemes
from rich.text import Text

_TAB_CELLS = 4
# The wide forms of , . : ; ! ? ) ] } % are written as escapes: they look like the narrow ones.
_NOT_FIRST = frozenset(
    ",.:;!?)]}%。、】》」』〉…—·\uff0c\uff0e\uff1a\uff1b\uff01\uff1f\uff09\uff3d\uff5d\uff05"
    "\u3015\u201d\u2019"
)
_NOT_LAST = frozenset("([{【《「『〈\uff08\uff3b\uff5b\u3014\u201c\u2018")
_WIDE_CELLS = 2
# Where a line may end: anywhere ("cells"), between words and within one that is too long ("lines"),
# or between words only ("words").
_Breaks = Literal["cells", "lines", "words"]


def wrap_text(text: Text, width_cells: int) -> list[Text]:
    """Wrap a text, which may contain line breaks, into lines of a width."""
    found: list[Text] = []
    text.expand_tabs(_TAB_CELLS)
    for line in text.split("\n", allow_blank=True):
        found += _break_line(line, max(width_cells, _WIDE_CELLS), "lines")
    return found


def word_lines(text: str, width_cells: int) -> list[str]:
    """Wrap a plain text between words; a word longer than a line stays whole, to be copied.

    The indent of a line is repeated on the lines it is split into.
    """
    found: list[str] = []
    for line in text.split("\n"):
        indent = line[: len(line) - len(line.lstrip(" "))]
        bare = line[len(indent) :]
        ends = _line_ends(bare, max(width_cells - len(indent), _WIDE_CELLS), "words")
        parts = zip([0, *ends], [*ends, len(bare)], strict=True)
        found += [(indent + bare[start:end]).rstrip(" " if ends else "") for start, end in parts]
    return found


def fold_line(line: Text, width_cells: int) -> list[Text]:
    """Split a line of code wherever it is full: every space counts."""
    line.expand_tabs(_TAB_CELLS)
    return _break_line(line, max(width_cells, _WIDE_CELLS), "cells")


def cut_to(line: Text, width_cells: int) -> Text:
    """Shorten a line to a width, with a mark where text is missing."""
    if cell_len(line.plain) <= width_cells:
        return line
    kept = fold_line(line, max(width_cells - 1, 1))[0] if width_cells > _WIDE_CELLS else Text()
    return kept.append("…")


def prefix_lines(first: Text, others: Text, lines: Iterable[Text]) -> list[Text]:
    """Put one prefix before the first line and another before the others."""
    # Appended to an empty text, so that the prefix keeps its own colour.
    return [
        Text().append_text(others if number else first).append_text(line)
        for number, line in enumerate(lines)
    ]


def _break_line(line: Text, width_cells: int, how: _Breaks) -> list[Text]:
    plain = line.plain
    if cell_len(plain) <= width_cells:
        return [line]
    offsets = _line_ends(plain, width_cells, how)
    parts = list(line.divide(offsets))
    if how != "cells":
        for part in parts:
            part.rstrip()
    return parts


def _line_ends(plain: str, width_cells: int, how: _Breaks) -> list[int]:
    """Find the ends of the lines in one pass."""
    words = how != "cells"
    spans, _ = split_graphemes(plain)
    ends: list[int] = []
    used = 0
    # The last possible end of the line, and the cells after it.
    possible, left_over = 0, 0
    before = ""
    for number, (start, end, cells) in enumerate(spans):
        here = plain[start:end]
        if words and start > (ends[-1] if ends else 0) and _may_break(before, here, cells):
            possible, left_over = start, 0
        # A space that does not fit hangs over the edge, and is removed.
        if used + cells > width_cells and not (words and here == " "):
            parts = possible > (ends[-1] if ends else 0)
            # No line can hold such a word: it begins where it is.
            if parts and how == "words":
                parts = left_over + _cells_to_break(plain, spans[number:], before) <= width_cells
            if parts:
                ends.append(possible)
                used = left_over
            if used + cells > width_cells and how != "words":
                ends.append(start)
                used, left_over = 0, 0
        used += cells
        left_over += cells
        before = here
    return ends


def _cells_to_break(plain: str, spans: Sequence[tuple[int, int, int]], before: str) -> int:
    """Count the cells to the next possible end of a line."""
    found = 0
    for start, end, cells in spans:
        here = plain[start:end]
        if here == " " or (found and _may_break(before, here, cells)):
            break
        found += cells
        before = here
    return found


def _may_break(before: str, here: str, cells: int) -> bool:
    if here == " " or here[0] in _NOT_FIRST or before[-1:] in _NOT_LAST:
        return False
    return before == " " or cells == _WIDE_CELLS or cell_len(before) == _WIDE_CELLS
