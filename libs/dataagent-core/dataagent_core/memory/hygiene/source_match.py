"""Checks that a memory says what its source says. Pure.

Every number and name of the memory must stand in the source, most of its words too, and what it
affirms or denies must be affirmed or denied there. That can be checked; "it is like it" cannot.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dataagent_core.language.word_split import is_han, stem_word
from dataagent_core.memory.text_digest import fold_text
from dataagent_core.memory.texts.clauses import split_clauses
from dataagent_core.memory.texts.text_marks import TextMarks, list_all_words, read_marks

# Of the words of a memory, those that must stand in its source: it may be put in other words.
_WORDS_SHARE_MIN: Final = 0.6


@dataclass(frozen=True, slots=True)
class _ReadClause:
    words: frozenset[str]
    marks: TextMarks


@dataclass(frozen=True, slots=True)
class ReadSource:
    """The statements of a source; questions and conditions are no source."""

    folded: str
    clauses: tuple[_ReadClause, ...]
    words: frozenset[str]
    numbers: frozenset[str]


def read_source(texts: Sequence[str]) -> ReadSource:
    """Read texts that a memory may rest on."""
    stated = [
        clause.text for text in texts for clause in split_clauses(text) if clause.is_statement
    ]
    clauses = tuple(_ReadClause(list_all_words(text), read_marks(text)) for text in stated)
    return ReadSource(
        folded=fold_text("\n".join(texts)),
        clauses=clauses,
        words=frozenset[str]().union(*(clause.words for clause in clauses)),
        numbers=frozenset[str]().union(*(clause.marks.numbers for clause in clauses)),
    )


def find_ungrounded(content: str, quote: str, source: ReadSource) -> str | None:
    """Return what of a memory its source does not say; None: it says all of it."""
    if quote.strip() and fold_text(quote) not in source.folded:
        return quote
    if not source.clauses:
        return content
    for clause in split_clauses(content):
        missing = _find_missing(clause.text, source)
        if missing is not None:
            return missing
    return None


def _find_missing(text: str, source: ReadSource) -> str | None:
    marks = read_marks(text)
    foreign = [
        *sorted(marks.numbers - source.numbers),
        *(name for name in sorted(marks.names) if not _stands_in(name, source)),
        *_find_new_han(marks.words, source.words),
    ]
    if foreign:
        return foreign[0]
    known = marks.words & source.words
    if len(known) < _WORDS_SHARE_MIN * len(marks.words):
        return next(iter(sorted(marks.words - source.words)), text)
    if not marks.words and not marks.numbers:
        # "The user likes it" says nothing that could be found.
        return None if fold_text(text) in source.folded else text
    return None if _is_said_alike(marks, source) else text


def _stands_in(name: str, source: ReadSource) -> bool:
    if name.endswith(("+", "#")):
        return name in source.folded
    parts = list_all_words(name)
    return name in source.words or stem_word(name) in source.words or parts <= source.words


def _find_new_han(words: frozenset[str], known: frozenset[str]) -> list[str]:
    """Find words of two Chinese signs neither of which the source has."""
    pairs = sorted(word for word in words if is_han(word[0]))
    return [pair for pair in pairs if not known.intersection(pair)]


def _is_said_alike(marks: TextMarks, source: ReadSource) -> bool:
    """Say whether the clauses that share most with it deny what it denies, and only that."""
    wanted = marks.words | marks.numbers
    shared = [len(wanted & (clause.words | clause.marks.numbers)) for clause in source.clauses]
    most = max(shared)
    return most > 0 and any(
        clause.marks.is_negated == marks.is_negated
        for clause, count in zip(source.clauses, shared, strict=True)
        if count == most
    )
