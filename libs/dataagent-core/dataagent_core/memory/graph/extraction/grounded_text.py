"""Whether words stand in a text: what cannot be found there was not said. Pure."""

import re
import unicodedata
from typing import Final

_PLAIN: Final = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-"}
)
_EDGES: Final = (
    " \t\n.,;:!?\"'()[]{}<>*_`。、《》"
    "\uff0c\uff1b\uff1a\uff01\uff1f\u201c\u201d\u2018\u2019\uff08\uff09"
)


class GroundedText:
    """A text in which words are looked up, whatever their case, width, blanks and quotes."""

    def __init__(self, text: str) -> None:
        self._text = _fold(text)

    def holds(self, words: str) -> bool:
        """Say whether words stand in it, as words and not as a part of longer ones."""
        wanted = _fold(words).strip(_EDGES)
        if not wanted:
            return False
        start = self._text.find(wanted)
        while start >= 0:
            end = start + len(wanted)
            if not (_joins(self._text, start) or _joins(self._text, end)):
                return True
            start = self._text.find(wanted, start + 1)
        return False


def trim_words(words: str) -> str:
    """Take blanks and punctuation from both ends."""
    return re.sub(r"\s+", " ", words).strip(_EDGES)


def _joins(text: str, place: int) -> bool:
    """Say whether a word goes on over a place; signs of scripts without blanks do not join."""
    if not 0 < place < len(text):
        return False
    return _is_letter(text[place - 1]) and _is_letter(text[place])


def _is_letter(sign: str) -> bool:
    return sign.isalnum() and sign < "\u0e00"


def _fold(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).translate(_PLAIN).casefold().split())
