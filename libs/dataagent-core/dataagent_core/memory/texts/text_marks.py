"""Reads what of a text must not be lost or changed: numbers, names, words, and a negation. Pure."""

import re
from dataclasses import dataclass
from typing import Final

from dataagent_core.language.common_words import is_common
from dataagent_core.language.word_split import is_han, pair_signs, split_runs, stem_word
from dataagent_core.memory.texts.clauses import make_plain
from dataagent_core.memory.texts.number_words import is_number, read_numbers

_TOKEN: Final = re.compile(r"[^\W\d_][\w']*(?:[.+#/@-]+\w+)*[+#]*", re.ASCII)
_NEGATION: Final = re.compile(
    r"(?i)\b(?:not|no|never|none|nobody|nothing|neither|nor|cannot|without|stopped|quit|dislikes?|"
    r"hates?|avoids?|refuses?)\b|n't\b|[不没未勿别非无]|讨厌|拒绝|停止"
)
# They hold such a sign, and deny nothing.
_NO_NEGATION: Final = re.compile(
    r"不错|不过|不仅|不但|不同|不断|差不多|非常|特别|别人|别的|区别|类别|分别|级别|性别|无论|未来|没关系"
    r"|(?i:\bno problem\b|\bnot only\b)"
)
# Of whom it is said, and that they say so: words that whoever writes a memory down adds.
_ADDED_TEXT: Final = """
user users person people speaker customer client prefer prefers preferred preference like likes love
loves enjoy want wish need live lives living work works working use uses using decide decided
decision choose chose plan plans own owns have call called named name say said says tell told
mention mentioned state stated ask asked request requested believe think currently usually dislike
hate avoid
"""
_ADDED: Final = frozenset(map(stem_word, _ADDED_TEXT.split()))
_ADDED_CHINESE: Final = re.compile(
    r"(?:该|此|本)?用户|对方|本人|我们|他们|她们|[我你您他她它]|[的了是在于着过地得也都就]|说过?|表示|提到|"
    r"希望|想要|偏好|偏爱|喜欢|喜爱|爱|居住|住|使用|决定|选择|打算|计划|目前|现在"
)


@dataclass(frozen=True, slots=True)
class TextMarks:
    """What of a text must be the same in another one that says the same."""

    numbers: frozenset[str]
    # In small letters.
    names: frozenset[str]
    # Stems of words, and pairs of Chinese signs, that say something.
    words: frozenset[str]
    is_negated: bool

    @property
    def says_anything(self) -> bool:
        """Whether anything of it could be found elsewhere; "as I said before" has nothing."""
        return bool(self.numbers or self.names or self.words)


def read_marks(text: str) -> TextMarks:
    """Read the marks of a clause, or of a whole text."""
    plain = make_plain(text)
    return TextMarks(
        numbers=read_numbers(plain),
        names=frozenset(_find_names(plain)),
        words=frozenset(list_words(plain)),
        is_negated=is_negated(plain),
    )


def is_negated(text: str) -> bool:
    """Say whether a text denies something."""
    return _NEGATION.search(_NO_NEGATION.sub(" ", text)) is not None


def list_words(text: str) -> list[str]:
    """List the words of a text that say something, as stems and as pairs of Chinese signs."""
    words: list[str] = []
    for run in split_runs(_ADDED_CHINESE.sub(" ", text).lower()):
        if is_han(run[0]):
            words += pair_signs(run)
        elif not is_number(run) and not is_common(run) and stem_word(run) not in _ADDED:
            words.append(stem_word(run))
    return words


def list_all_words(text: str) -> frozenset[str]:
    """List every word of a text: its stems, single Chinese signs, and pairs of them."""
    words: set[str] = set()
    # In small letters too: "PostgreSQL" is one word and two.
    for run in (*split_runs(text), *split_runs(text.lower())):
        words |= {*run, *pair_signs(run)} if is_han(run[0]) else {stem_word(run), run}
    return frozenset(words)


def _find_names(text: str) -> list[str]:
    names: list[str] = []
    for found in _TOKEN.finditer(text):
        token = found[0].removesuffix("'s")
        is_name = not token.islower() or any(sign.isdigit() or sign in "+#" for sign in token)
        lower = token.lower()
        if is_name and not is_common(lower) and stem_word(lower) not in _ADDED:
            names.append(lower)
    return names
