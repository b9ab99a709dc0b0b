"""Finds lines that are equal but for spaces and tabs at their beginning and end."""

from dataagent_core.config.limits import EDIT_FUZZY_LINES_MAX
from dataagent_core.tools.files.edits.strategies.alignment import align_lines
from dataagent_core.tools.files.edits.strategies.line_merge import merge_alignment
from dataagent_core.tools.files.edits.strategies.replacement import EditTarget
from dataagent_core.tools.files.edits.strategies.text_lines import (
    find_positions,
    split_block,
    split_text_lines,
    trim_line,
)


def find_line_trimmed(text: str, old: str, new: str) -> list[EditTarget]:
    """Compare line by line, trimmed."""
    wanted = split_block(old)
    if len(wanted.lines) > EDIT_FUZZY_LINES_MAX:
        return []
    source = split_text_lines(text)
    lines = [trim_line(line) for line in source.lines]
    return [
        merge_alignment(align_lines(source, first, wanted, split_block(new)))
        for first in find_positions([trim_line(line) for line in wanted.lines], lines)
    ]
