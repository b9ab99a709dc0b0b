"""The speaker whose name stands before a line of conversation: 'Alice: I moved to Lyon'."""

import re
from typing import Final

from dataagent_core.language.common_words import is_common

# A name of at most four words before a colon and a text; no address ("https://"), no time ("9:30").
_PREFIX: Final = re.compile(
    r"\s*(?:\[[^\]\n]{1,40}\]\s*)?"
    r"(?P<name>[^\W\d_][^\s:\uff1a,.!?]{0,29}(?: [^\s:\uff1a,.!?]{1,30}){0,3})"
    r"\s?(?::\s+|\uff1a\s*)(?=\S)"
)


def split_speaker(text: str) -> tuple[str, str]:
    """Return who says a text, or nothing, and the text without it."""
    found = _PREFIX.match(text)
    if found is None or _is_clause(found["name"]):
        return "", text
    return found["name"], text[found.end() :]


def _is_clause(name: str) -> bool:
    """Say whether it is no name: "he said: ..."."""
    words = name.split()
    return len(words) > 1 and any(map(is_common, words))
