"""The words of a text, for searching: English and other alphabets by word, Chinese by two signs."""

import re

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_RUNS = re.compile(rf"[{_HAN}]+|[^\W_{_HAN}]+")

# They stand in every description and tell nothing.
_EMPTY_WORDS = frozenset(
    {"a", "an", "and", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"}
)


def words_of(text: str) -> list[str]:
    """List the words of a text in order, each once."""
    words: list[str] = []
    for run in _RUNS.findall(_CAMEL.sub(" ", text).lower()):
        words += _pairs(run) if "\u3400" <= run[0] <= "\u9fff" else [run]
    return [word for word in dict.fromkeys(words) if word not in _EMPTY_WORDS]


def _pairs(run: str) -> list[str]:
    # Chinese does not mark its words; pairs of signs find most of them.
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]
