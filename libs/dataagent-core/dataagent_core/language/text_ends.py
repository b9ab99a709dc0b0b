"""Shortens a long text to its beginning and its end.

What a person wants stands above or below what they pasted.
"""

from typing import Final

_GAP: Final = "\n…\n"


def keep_ends(text: str, chars_max: int) -> str:
    """Return a text of at most so many characters; the middle of a longer one is left out."""
    if len(text) <= chars_max:
        return text
    tail = (chars_max - len(_GAP)) // 2
    head = chars_max - len(_GAP) - tail
    return f"{text[:head]}{_GAP}{text[-tail:]}"
