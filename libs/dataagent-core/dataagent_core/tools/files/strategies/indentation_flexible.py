"""Finds a block whose lines are indented alike among themselves, however deep the block stands.

It also forgives blank lines before and after the block, which is how it differs from comparing
trimmed lines: those blank lines are dropped from both strings.
"""

from dataagent_core.config.limits import EDIT_FUZZY_LINES_MAX
from dataagent_core.tools.files.strategies.lines import Block, block_of, lines_in, places_of
from dataagent_core.tools.files.strategies.merge import merged
from dataagent_core.tools.files.strategies.replacement import Replacement


def indentation_flexible(text: str, old: str, new: str) -> list[Replacement]:
    """Compare blocks with their common indentation taken away."""
    wanted = _without_blank_edges(block_of(old))
    count = len(wanted.lines)
    if not count or count > EDIT_FUZZY_LINES_MAX:
        return []
    source = lines_in(text)
    trimmed = [line.strip() for line in source.lines]
    dedented = _dedented(wanted.lines)
    replacement = _without_blank_edges(block_of(new))
    return [
        merged(source, first, first + count, wanted, replacement)
        # Trimmed lines are quick to compare and miss nothing; of those, the dedented ones count.
        for first in places_of([line.strip() for line in wanted.lines], trimmed)
        if _dedented(source.lines[first : first + count]) == dedented
    ]


def _dedented(lines: list[str]) -> list[str]:
    depths = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    depth = min(depths, default=0)
    return [line[depth:].rstrip() for line in lines]


def _without_blank_edges(block: Block) -> Block:
    filled = [index for index, line in enumerate(block.lines) if line.strip()]
    if not filled:
        return Block([], block.closed)
    return Block(block.lines[filled[0] : filled[-1] + 1], block.closed)
