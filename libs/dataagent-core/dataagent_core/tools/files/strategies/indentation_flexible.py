"""Finds a block with blank lines before or after it that the file has not, however deep it stands.

As few of these blank lines as possible are left out, and as many from the new string if it has the
same.
"""

from itertools import product

from dataagent_core.config.limits import EDIT_BLANK_LINES_MAX, EDIT_FUZZY_LINES_MAX
from dataagent_core.tools.files.strategies.alignment import side_by_side
from dataagent_core.tools.files.strategies.lines import Block, block_of, lines_in, places_of
from dataagent_core.tools.files.strategies.merge import merged
from dataagent_core.tools.files.strategies.replacement import Place


def indentation_flexible(text: str, old: str, new: str) -> list[Place]:
    """Compare trimmed lines, without blank ones at both ends."""
    old_block, new_block = block_of(old), block_of(new)
    above, below = _blank_edges(old_block.lines)
    if len(old_block.lines) > EDIT_FUZZY_LINES_MAX or max(above, below) > EDIT_BLANK_LINES_MAX:
        return []
    if new_block.lines and not new.strip():
        return []
    edges = list(zip((above, below), _blank_edges(new_block.lines), strict=True))
    source = lines_in(text)
    trimmed = [line.strip() for line in source.lines]
    for top, bottom in sorted(product(range(above + 1), range(below + 1)), key=sum):
        wanted = _cut(old_block, top, bottom)
        if found := places_of([line.strip() for line in wanted.lines], trimmed):
            # With other blank lines in the new string it is not known which of them are meant.
            if not all(_is_clear(*edge, cut) for edge, cut in zip(edges, (top, bottom), strict=True)):
                return []
            cuts = [min(cut, had) for (_, had), cut in zip(edges, (top, bottom), strict=True)]
            replacement = _cut(new_block, *cuts)
            return [merged(side_by_side(source, at, wanted, replacement)) for at in found]
    return []


def _is_clear(old: int, new: int, cut: int) -> bool:
    return new == old or (new == 0 and cut == old)


def _blank_edges(lines: list[str]) -> tuple[int, int]:
    filled = [index for index, line in enumerate(lines) if line.strip()]
    return (filled[0], len(lines) - 1 - filled[-1]) if filled else (0, 0)


def _cut(block: Block, above: int, below: int) -> Block:
    return Block(block.lines[above : len(block.lines) - below], block.closed)
