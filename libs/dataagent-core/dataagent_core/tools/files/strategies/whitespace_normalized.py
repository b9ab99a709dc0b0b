"""Finds lines with the same words in the same order, whatever white space is between them."""

from dataagent_core.config.limits import EDIT_FUZZY_WORDS_MAX
from dataagent_core.tools.files.strategies.alignment import side_by_side
from dataagent_core.tools.files.strategies.lines import block_of, lines_in, places_of, words_of
from dataagent_core.tools.files.strategies.merge import merged
from dataagent_core.tools.files.strategies.replacement import Place

_WORDS_MIN = 2


def whitespace_normalized(text: str, old: str, new: str) -> list[Place]:
    """Compare line by line, with every run of white space taken for one space."""
    # One word alone has no white space to differ in.
    if not _WORDS_MIN <= len(old.split()) <= EDIT_FUZZY_WORDS_MAX:
        return []
    source, wanted = lines_in(text), block_of(old)
    words = [words_of(line) for line in source.lines]
    return [
        merged(side_by_side(source, first, wanted, block_of(new)))
        for first in places_of([words_of(line) for line in wanted.lines], words)
    ]
