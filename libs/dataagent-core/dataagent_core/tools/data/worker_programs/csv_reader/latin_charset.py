"""Finds the single-byte encoding of a text in Latin letters by the letters of its words.

Every byte is valid in each encoding, so the words decide: in the right encoding they have the
letters of one language, about as often as it uses them; in a wrong one they have letters of several
languages, or signs between letters (`Wa³êsa`). The result names a second encoding that explains
the text about equally well.
"""

import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from .letter_frequencies import LETTERS_PER_THOUSAND

_WEST: Final = (
    *("French", "German", "Spanish", "Portuguese", "Italian"),
    *("Dutch", "Swedish", "Danish", "Finnish"),
)
_CENTRE: Final = (
    *("Polish", "Czech", "Slovak", "Hungarian"),
    *("Romanian", "Croatian", "Slovenian", "German"),
)
_LANGUAGES: Final = {
    "cp1252": _WEST,
    "cp1250": _CENTRE,
    "iso8859-2": _CENTRE,
    "cp1254": ("Turkish", "German"),
}
_WORD: Final = re.compile(rb"[A-Za-z\x80-\xff]*[\x80-\xff][A-Za-z\x80-\xff]*")
_WORDS_MAX: Final = 20_000
_DISTINCT_MAX: Final = 1_000
# In ISO 8859 these are control characters.
_CONTROLS: Final = bytes(range(0x80, 0xA0))
# Signs beside words, and units that look like words (`m²`, `ft³`).
_BESIDE: Final = "“”‘’„‚«»‹›–—…€£¥§©®°¡¿¹²³ªº¼½¾´·"  # noqa: RUF001
_UNITS: Final = frozenset(
    unit + power
    for unit in (b"mm", b"cm", b"dm", b"km", b"ft", b"in", b"yd")
    for power in (b"\xb2", b"\xb3")
)
# A shorter word is often a sign: `£`, `Nº`, `°C`.
_WORD_BYTES_MIN: Final = 3
# Logarithms of probabilities in a correctly decoded text.
_FOREIGN_LETTER: Final = math.log(0.00005)
_SIGN_INSIDE: Final = math.log(0.00001)
_SIGN_BESIDE: Final = math.log(0.01)
_CAPITAL_INSIDE: Final = math.log(0.05)
# How much more frequent files in the Western encoding are.
_WEST_FIRST: Final = math.log(2)
# Within this distance another encoding explains a text about as well.
_DOUBT: Final = math.log(150)
_LETTERS: Final = {
    language: {letter: math.log(count / 1000) for letter, count in letters.items()}
    for language, letters in LETTERS_PER_THOUSAND.items()
}


@dataclass(frozen=True, slots=True)
class LatinCharset:
    """An encoding; `other` explains the text about as well and differs in `word`."""

    name: str
    other: str | None = None
    word: bytes = b""


def find_latin_charset(data: bytes) -> LatinCharset:
    """Find the encoding whose languages explain the words best."""
    found = Counter(filter(_is_word, _WORD.findall(data)[:_WORDS_MAX]))
    words = dict(found.most_common(_DISTINCT_MAX))
    has_controls = any(code in _CONTROLS for code in set(data))
    scores = {
        name: _score(words, name) + (_WEST_FIRST if name == "cp1252" else 0.0)
        for name in _LANGUAGES
        if not (has_controls and name.startswith("iso"))
    }
    best = max(scores, key=lambda name: scores[name])
    near = sorted(
        (n for n in scores if scores[best] - scores[n] < _DOUBT), key=lambda n: -scores[n]
    )
    for other in near:
        for word in words:
            if _decode_as(word, other) != _decode_as(word, best):
                return LatinCharset(best, other, word)
    return LatinCharset(best)


def _is_word(run: bytes) -> bool:
    has_ascii = min(run) < _CONTROLS[0]
    return len(run) >= _WORD_BYTES_MIN and has_ascii and run.lower() not in _UNITS


def _decode_as(word: bytes, encoding: str) -> str:
    return word.decode(encoding, errors="replace")


def _score(words: dict[bytes, int], encoding: str) -> float:
    texts = [(_decode_as(word, encoding), count) for word, count in words.items()]
    return max(
        sum(_word_score(text, _LETTERS[language]) * count for text, count in texts)
        for language in _LANGUAGES[encoding]
    )


def _word_score(text: str, letters: dict[str, float]) -> float:
    word = text.strip(_BESIDE)
    score = _SIGN_BESIDE * (len(text) - len(word))
    before = ""
    for char in word:
        if char.isalpha():
            # The Turkish capital of i is two characters in lower case.
            score += letters.get(char.lower()[0], _FOREIGN_LETTER)
            if char.isupper() and before.islower():
                score += _CAPITAL_INSIDE
        else:
            score += _SIGN_INSIDE
        before = char
    return score
