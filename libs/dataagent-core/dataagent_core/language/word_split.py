"""Splits text into words for search: by word in alphabetic scripts, by pairs of signs in Chinese.

The search of tools, of data and the match of skills share it. `stem_word` makes the forms of an
English word equal; what is searched decides whether it wants that.
"""

import re
from typing import Final

_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff"
_RUNS: Final = re.compile(rf"[{_HAN}]+|[^\W_{_HAN}]+")

# They stand in every description and tell nothing.
_EMPTY_WORDS: Final = frozenset(
    {"a", "an", "and", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"}
)


def split_words(text: str) -> list[str]:
    """List the words of a text in order, each once."""
    words: list[str] = []
    for run in split_runs(text):
        words += pair_signs(run) if is_han(run[0]) else [run]
    return [word for word in dict.fromkeys(words) if word not in _EMPTY_WORDS]


def split_runs(text: str) -> list[str]:
    """List words of alphabetic scripts, and runs of Chinese signs, as often as they stand there."""
    return _RUNS.findall(_CAMEL.sub(" ", text).lower())


def is_han(sign: str) -> bool:
    """Say whether a sign is a Chinese character."""
    return "\u3400" <= sign <= "\u9fff"


def pair_signs(run: str) -> list[str]:
    """List pairs of signs: Chinese does not mark its words, and pairs find most of them."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


# What is cut off, the longest first, and what takes its place.
_ENDINGS: Final = (
    ("izations", "ize"), ("ization", "ize"), ("ations", "ate"), ("ation", "ate"),
    ("ments", ""), ("ment", ""), ("ings", ""), ("ing", ""), ("ies", "y"), ("ied", "y"),
    ("ers", ""), ("ors", ""), ("ed", ""), ("er", ""), ("or", ""), ("es", ""), ("ly", ""),
    ("s", ""), ("e", ""),
)  # fmt: skip
_STEM_CHARS_MIN: Final = 3


def stem_word(word: str) -> str:
    """Cut the ending of an English word: "reviewing", "reviews" and "reviewer" become "review"."""
    if not word.isascii() or not word.isalpha() or word.endswith("ss"):
        return word
    for ending, kept in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM_CHARS_MIN:
            stem = word[: -len(ending)] + kept
            break
    else:
        stem = word
    stem = stem.removesuffix("e") if len(stem) > _STEM_CHARS_MIN else stem
    # "planning" and "plan"
    doubled = len(stem) > _STEM_CHARS_MIN and stem[-1] == stem[-2] and stem[-1] not in "ls"
    return stem[:-1] if doubled else stem
