"""Finds whole lines with the same words in the same order, whatever white space is between them."""

from functools import partial

from dataagent_core.config.limits import EDIT_FUZZY_WORDS_MAX, EDIT_PLACES_MAX
from dataagent_core.tools.files.strategies.alignment import side_by_side
from dataagent_core.tools.files.strategies.lines import Lines, block_of, lines_in, places_of
from dataagent_core.tools.files.strategies.merge import merged
from dataagent_core.tools.files.strategies.replacement import Place
from dataagent_core.tools.files.strategies.spacing import merged_words

_WORDS_MIN = 2


def whitespace_normalized(text: str, old: str, new: str) -> list[Place]:
    """Compare with every run of white space taken for one space."""
    words = old.split()
    # One word alone has no white space to differ in.
    if not _WORDS_MIN <= len(words) <= EDIT_FUZZY_WORDS_MAX:
        return []
    source, wanted = lines_in(text), block_of(old)
    split = [line.split() for line in source.lines]
    if same_lines := places_of([line.split() for line in wanted.lines], split):
        return [merged(side_by_side(source, at, wanted, block_of(new))) for at in same_lines]
    return [_place(source, span, old, new) for span in _broken_elsewhere(split, words)]


def _broken_elsewhere(split: list[list[str]], words: list[str]) -> list[tuple[int, int]]:
    """Find runs of lines that hold exactly these words, however they are broken into lines."""
    found: list[tuple[int, int]] = []
    for first, line in enumerate(split):
        if not line or words[: len(line)] != line:
            continue
        after, met = first + 1, len(line)
        while after < len(split) and met < len(words):
            if words[met : met + len(split[after])] != split[after]:
                break
            met += len(split[after])
            after += 1
        if met == len(words):
            found.append((first, after))
        if len(found) > EDIT_PLACES_MAX:
            break
    return found


def _place(source: Lines, span: tuple[int, int], old: str, new: str) -> Place:
    """Make a place in which only words can be exchanged: new lines would be a guess."""
    first, last = source.lines[span[0]], source.lines[span[1] - 1]
    start, end = source.span(*span, closed=False)
    start += len(first) - len(first.lstrip())
    end -= len(last) - len(last.rstrip())
    return Place(start, end, partial(merged_words, old, new, source.text[start:end]))
