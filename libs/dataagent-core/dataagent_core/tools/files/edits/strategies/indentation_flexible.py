"""Finds a block with blank lines before or after it that the file has not, however deep it stands.

As few of these blank lines as possible are left out, and as many from the new string if it has the
same.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from dataagent_core.config.limits import EDIT_BLANK_LINES_MAX, EDIT_FUZZY_LINES_MAX
from dataagent_core.tools.files.edits.strategies.alignment import Alignment, align_lines
from dataagent_core.tools.files.edits.strategies.line_merge import compare_lines, merge_alignment
from dataagent_core.tools.files.edits.strategies.replacement import EditTarget
from dataagent_core.tools.files.edits.strategies.text_lines import (
    LineBlock,
    count_blank_edges,
    find_positions,
    split_block,
    split_text_lines,
    trim_line,
)

# So many lines away a blank line of the file may be the one that the old string means.
_NEAR = 3


def find_indentation_flexible(text: str, old: str, new: str) -> list[EditTarget]:
    """Compare trimmed lines, without blank ones at both ends."""
    old_block, new_block = split_block(old), split_block(new)
    if len(old_block.lines) > EDIT_FUZZY_LINES_MAX or (new_block.lines and not new.strip()):
        return []
    source = split_text_lines(text)
    lines = [trim_line(line) for line in source.lines]
    for cut in _cuts(old_block, new_block):
        wanted = _drop_outer_lines(old_block, cut.old_above, cut.old_below)
        if found := find_positions([trim_line(line) for line in wanted.lines], lines):
            closed = new_block.closed or (cut.alone and old_block.closed)
            instead = _drop_outer_lines(
                LineBlock(new_block.lines, closed), cut.new_above, cut.new_below
            )
            aligned = [align_lines(source, first, wanted, instead) for first in found]
            if not cut.clear or any(_adds_near_blank(one, cut) for one in aligned):
                return []
            return [merge_alignment(one) for one in aligned]
    return []


@dataclass(frozen=True, slots=True)
class _BlankLineCut:
    """How many blank lines are left out of both strings. `alone`: the old one alone has them."""

    old_above: int
    old_below: int
    new_above: int
    new_below: int
    clear: bool
    alone: bool


def _cuts(old: LineBlock, new: LineBlock) -> Iterator[_BlankLineCut]:
    """Give every cut, the least first; `clear` if the new string shows what is meant."""
    above, below = count_blank_edges(old.lines)
    new_above, new_below = count_blank_edges(new.lines)
    if max(above, below) > EDIT_BLANK_LINES_MAX:
        return
    both = (above, below) == (new_above, new_below)
    for top, bottom in sorted(product(range(above + 1), range(below + 1)), key=sum):
        alone = (new_above, new_below) == (0, 0) and (top, bottom) == (above, below)
        alone &= not (old.closed and new.closed)
        cut = min(top, new_above), min(bottom, new_below)
        yield _BlankLineCut(top, bottom, *cut, clear=both or alone, alone=alone)


def _adds_near_blank(aligned: Alignment, cut: _BlankLineCut) -> bool:
    """Say whether lines are added where blank lines were not found, but others are near."""
    changes = compare_lines(aligned.old.lines, aligned.new.lines)
    lines = aligned.source.lines
    above = lines[max(aligned.first - _NEAR, 0) : aligned.first]
    below = lines[aligned.after : aligned.after + _NEAR]
    return any(
        left_out and i2 - i1 != j2 - j1 and not all(line.strip() for line in near)
        for left_out, (_, i1, i2, j1, j2), near in (
            (cut.old_above, changes[0], above),
            (cut.old_below, changes[-1], below),
        )
    )


def _drop_outer_lines(block: LineBlock, above: int, below: int) -> LineBlock:
    return LineBlock(block.lines[above : len(block.lines) - below], block.closed)
