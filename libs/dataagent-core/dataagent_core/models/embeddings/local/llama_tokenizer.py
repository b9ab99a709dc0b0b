"""Splits text into the tokens of Llama 2, whose embeddings the local model has.

Byte-pair encoding as the package `tokenizers` does it, with the vocabulary alone: pieces are
merged in the order of their numbers, which is the order of the merges. White space is reduced to
single spaces first, where the two agree on every line of our documents. A word is encoded once and
kept.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

_SPACE: Final = "\u2581"
# A longer run is cut: the work grows with the square of its length.
_RUN: Final = re.compile(f"{_SPACE}?[^{_SPACE}]{{1,32}}")
# The bytes of what has no piece of its own follow three special tokens.
_FIRST_BYTE_ID: Final = 3
_WORDS_KEPT_MAX: Final = 16_384


class LlamaTokenizer:
    """Turns text into numbers of the vocabulary."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self._vocabulary = vocabulary
        self._encode_word = lru_cache(_WORDS_KEPT_MAX)(self._merge)

    def encode(self, text: str) -> list[int]:
        """List the tokens of a text."""
        joined = _SPACE + _SPACE.join(text.split())
        return [token for word in _RUN.findall(joined) for token in self._encode_word(word)]

    def _merge(self, word: str) -> tuple[int, ...]:
        pieces, known = list(word), self._vocabulary
        while len(pieces) > 1:
            ranks = [
                (known[pair], place)
                for place, pair in enumerate(map(str.__add__, pieces, pieces[1:]))
                if pair in known
            ]
            if not ranks:
                break
            place = min(ranks)[1]
            pieces[place : place + 2] = [pieces[place] + pieces[place + 1]]
        return tuple(token for piece in pieces for token in self._number(piece))

    def _number(self, piece: str) -> list[int]:
        if piece in self._vocabulary:
            return [self._vocabulary[piece]]
        return [_FIRST_BYTE_ID + byte for byte in piece.encode("utf-8", "replace")]
