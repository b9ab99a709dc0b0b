"""Finds lines that are equal but for spaces and tabs at their beginning and end."""

from dataagent_core.config.limits import EDIT_FUZZY_LINES_MAX
from dataagent_core.tools.files.strategies.alignment import side_by_side
from dataagent_core.tools.files.strategies.lines import block_of, lines_in, places_of, trimmed
from dataagent_core.tools.files.strategies.merge import merged
from dataagent_core.tools.files.strategies.replacement import Place


def line_trimmed(text: str, old: str, new: str) -> list[Place]:
    """Compare line by line, trimmed."""
    wanted = block_of(old)
    if len(wanted.lines) > EDIT_FUZZY_LINES_MAX:
        return []
    source = lines_in(text)
    lines = [trimmed(line) for line in source.lines]
    return [
        merged(side_by_side(source, first, wanted, block_of(new)))
        for first in places_of([trimmed(line) for line in wanted.lines], lines)
    ]
