"""Reads what is searched: the words that say what it is about, and the text to embed. Pure."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from dataagent_core.config.limits.match import MATCH_MESSAGE_CHARS_MAX
from dataagent_core.language.common_words import is_common
from dataagent_core.language.text_ends import keep_ends
from dataagent_core.language.unicode_text import storable
from dataagent_core.language.word_split import is_han
from dataagent_core.memory.search.index_text import list_terms

# Of a long query the first ones; a question has fewer.
_WORDS_MAX: Final = 64
_WORD: Final = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")
_APOSTROPHE: Final = re.compile("['\u2019]")
_QUESTION_WORDS: Final = re.compile(
    "什么时候|什么|怎么样|怎样|怎么|为什么|多少|多久|哪里|哪儿|哪个|哪些|哪|谁|吗|呢|的|了|是|在|有"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryText:
    """A query as the legs want it; one without words finds nothing."""

    text: str
    # As the index keeps them; one that counts twice is listed twice.
    words: tuple[str, ...]


def read_query(query: str) -> QueryText:
    """Read a query of any length and language."""
    text = storable(keep_ends(query, MATCH_MESSAGE_CHARS_MAX))
    return QueryText(text=text, words=_weigh(list_terms(text))[:_WORDS_MAX])


def read_asked(query: QueryText, names: Collection[str], *, only_telling: bool) -> str:
    """Return what of a query is embedded: without the names of people who speak.

    Embeddings that are the mean of their words want telling words only: those of any question pull
    every query to the same place. Others read a question as it is.
    """
    text = query.text
    for name in names:
        edge = "" if is_han(name[0]) else r"\b"
        pattern = rf"{edge}{re.escape(name)}{edge}(?:['\u2019]s\b)?"
        text = re.sub(pattern, " ", text, flags=re.IGNORECASE)
    if only_telling:
        words = [word for word in _WORD.findall(text) if not _is_common(word)]
        text = _QUESTION_WORDS.sub("", " ".join(words))
    return " ".join(text.split()) or query.text.strip()


def _is_common(word: str) -> bool:
    # A run of Chinese is a sentence; what is common in it goes by `_QUESTION_WORDS`.
    return not is_han(word[0]) and is_common(_APOSTROPHE.split(word.lower())[0])


def _weigh(terms: Sequence[str]) -> tuple[str, ...]:
    """Count a word or a pair of signs twice, a single Chinese sign once."""
    return tuple(
        term
        for term in dict.fromkeys(terms)
        for _ in range(1 if len(term) == 1 and is_han(term) else 2)
    )
