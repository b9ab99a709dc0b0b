"""Which relations are the same in other words, and which of them somebody has once. Pure."""

import re
from typing import Final

# By kind: how it is said. Of these a source has one at a time: a new one ends the old one.
_SINGLE: Final = {
    "lives in": "live lives living lived resides residing reside resident moved relocated based "
    "住在 居住 居住在 搬到 定居",
    "works at": "work works working worked employed employer joined job 工作于 任职 就职 供职 在职",
    "is named": "named called 名叫 叫做 名字",
    "has birthday": "birthday born 生日是 出生于 生日",
    "is married to": "married spouse wife husband 结婚 配偶",
    "reports to": "reports 汇报",
}
_BY_WORD: Final = {word: kind for kind, words in _SINGLE.items() for word in words.split()}
_WORDS: Final = re.compile(r"[a-z]+|[\u4e00-\u9fff]+")
# "the best" of something is one; so is what is called a favourite.
_SMALL: Final = frozenset({"is", "are", "was", "has", "at", "in", "to", "for", "with", "of", "the"})


def find_kind(name: str) -> str:
    """Return the kind of a relation: the same for "works at", "is employed by" and "工作于"."""
    words = _WORDS.findall(name.casefold())
    for word in words:
        if word in _BY_WORD:
            return _BY_WORD[word]
    return " ".join(word for word in words if word not in _SMALL) or name.casefold()


def is_single(kind: str) -> bool:
    """Say whether somebody has one of a kind at a time."""
    return kind in _SINGLE
