"""Reads what is searched: the words that say what it is about, and the text to embed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dataagent_core.config.limits.match import MATCH_MESSAGE_CHARS_MAX
from dataagent_core.language.common_words import is_common
from dataagent_core.language.text_ends import keep_ends
from dataagent_core.language.unicode_text import storable
from dataagent_core.language.word_split import is_han, split_runs
from dataagent_core.memory.search.index_text import list_terms, read_meaning

# Of a long query the first ones; a question has fewer.
QUERY_WORDS_MAX: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadQuery:
    """A query as the legs want it."""

    # As the index keeps them; one that counts twice is listed twice.
    words: tuple[str, ...]
    # To be embedded; empty where nothing has a meaning.
    meaning: str
    # Words of the query in small letters, as names of people and things are looked up.
    names: frozenset[str]


def read_query(query: str) -> ReadQuery:
    """Read a query of any length and language; one without words finds nothing."""
    text = storable(keep_ends(query, MATCH_MESSAGE_CHARS_MAX))
    runs = split_runs(text)
    words = _weigh(list_terms(" ".join(_leave_out_common(runs))))
    return ReadQuery(
        words=words[:QUERY_WORDS_MAX],
        meaning=read_meaning(text) if runs else "",
        names=frozenset(runs),
    )


def _leave_out_common(runs: Sequence[str]) -> list[str]:
    """Leave out words of any question, unless there are no others."""
    return [run for run in runs if is_han(run[0]) or not is_common(run)] or list(runs)


def _weigh(terms: Sequence[str]) -> tuple[str, ...]:
    """Count a pair of Chinese signs twice and one sign once; one of grammar does not count."""
    kept = dict.fromkeys(terms)
    telling = [term for term in kept if not (is_han(term[0]) and is_common(term))] or list(kept)
    return tuple(term for term in telling for _ in range(2 if len(term) > 1 else 1))
