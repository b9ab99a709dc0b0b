"""Shortens a long text to its beginning and its end.

What a person wants stands above or below what they pasted.
"""

import re
from itertools import islice
from typing import Final

_GAP: Final = "\n…\n"
_SEPARATOR: Final = re.compile(r"[\s,;:\u3002\uff0c\uff1b\u3001]+")
# Behind the gap.
_WORDS_LEFT_OUT: Final = 5


def keep_ends(text: str, chars_max: int) -> str:
    """Return a text of at most so many characters; the middle of a longer one is left out."""
    return text if len(text) <= chars_max else _GAP.join(_split_ends(text, chars_max))


def keep_whole_ends(text: str, chars_max: int) -> str:
    """Return both ends of a text without the words beside the gap.

    They may be cut in two, and what they mean may stand in the gap: of a password, that it is one.
    """
    if len(text) <= chars_max:
        return text
    head, tail = _split_ends(text, chars_max)
    ends = [found.start() for found in _SEPARATOR.finditer(head)]
    begins = [found.end() for found in islice(_SEPARATOR.finditer(tail), _WORDS_LEFT_OUT)]
    kept = tail[begins[-1] :] if len(begins) == _WORDS_LEFT_OUT else ""
    return f"{head[: ends[-1]] if ends else ''}{_GAP}{kept}"


def _split_ends(text: str, chars_max: int) -> tuple[str, str]:
    tail = (chars_max - len(_GAP)) // 2
    head = chars_max - len(_GAP) - tail
    return text[:head], text[-tail:]
