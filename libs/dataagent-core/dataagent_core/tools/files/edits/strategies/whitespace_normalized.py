"""Finds lines with the same words in the same order, whatever white space is between them."""

from dataagent_core.config.limits import EDIT_FUZZY_WORDS_MAX
from dataagent_core.tools.files.edits.strategies.alignment import align_lines
from dataagent_core.tools.files.edits.strategies.line_merge import merge_alignment
from dataagent_core.tools.files.edits.strategies.replacement import EditTarget
from dataagent_core.tools.files.edits.strategies.text_lines import (
    find_positions,
    split_block,
    split_line,
    split_text_lines,
)

_WORDS_MIN = 2


def find_whitespace_normalized(text: str, old: str, new: str) -> list[EditTarget]:
    """Compare line by line, with every run of white space taken for one space."""
    # One word alone has no white space to differ in.
    if not _WORDS_MIN <= len(old.split()) <= EDIT_FUZZY_WORDS_MAX:
        return []
    source, wanted = split_text_lines(text), split_block(old)
    words = [split_line(line) for line in source.lines]
    return [
        merge_alignment(align_lines(source, first, wanted, split_block(new)))
        for first in find_positions([split_line(line) for line in wanted.lines], words)
    ]
