"""Brace expansion: `a{b,c}` becomes `ab ac`, before anything else is expanded.

The braces and commas that count were marked while the word was read, since quoted ones do not.
"""

from itertools import pairwise
from typing import Final

from dataagent_core.config.limits import SHELL_BRACE_WORDS_MAX

OPEN: Final = "\x01"
COMMA: Final = "\x02"
CLOSE: Final = "\x03"

MARKS = str.maketrans({"{": OPEN, ",": COMMA, "}": CLOSE})
_UNMARKS = str.maketrans({OPEN: "{", COMMA: ",", CLOSE: "}"})


class TooManyWordsError(Exception):
    """The braces stand for more words than anybody would look at."""


def expanded(text: str) -> list[str]:
    """Give the words a marked text stands for."""
    words = _expand(text) if OPEN in text and COMMA in text else [text]
    return [word.translate(_UNMARKS) for word in words]


def _expand(text: str) -> list[str]:
    found = _first_group(text)
    if found is None:
        return [text]
    start, end, commas = found
    edges = [start, *commas, end]
    words = [
        text[:start] + middle + tail
        for left, right in pairwise(edges)
        for middle in _expand(text[left + 1 : right])
        for tail in _expand(text[end + 1 :])
    ]
    if len(words) > SHELL_BRACE_WORDS_MAX:
        raise TooManyWordsError
    return words


def _first_group(text: str) -> tuple[int, int, list[int]] | None:
    """Find the first braces that hold a comma of their own."""
    for start, character in enumerate(text):
        if character != OPEN:
            continue
        depth, commas = 0, list[int]()
        for place in range(start, len(text)):
            depth += {OPEN: 1, CLOSE: -1}.get(text[place], 0)
            if text[place] == COMMA and depth == 1:
                commas.append(place)
            if depth == 0:
                if commas:
                    return start, place, commas
                break
    return None
