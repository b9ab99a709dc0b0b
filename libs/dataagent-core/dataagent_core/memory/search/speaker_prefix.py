"""The speaker whose name stands before a line of conversation: 'Alice: I moved to Lyon'."""

import re
from typing import Final

# A name of at most four words before a colon and a text; no address ("https://"), no time ("9:30").
_PREFIX: Final = re.compile(
    r"\s*(?:\[[^\]\n]{1,40}\]\s*)?"
    r"(?P<name>[^\W\d_][^\s:\uff1a,.!?]{0,29}(?: [^\s:\uff1a,.!?]{1,30}){0,3})"
    r"\s?(?::\s+|\uff1a\s*)(?=\S)"
)


def split_speaker(text: str) -> tuple[str, str]:
    """Return who says a text, or nothing, and the text without it."""
    found = _PREFIX.match(text)
    return (found["name"], text[found.end() :]) if found else ("", text)
