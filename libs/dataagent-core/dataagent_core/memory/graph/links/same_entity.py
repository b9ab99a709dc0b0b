"""Whether a name in a text is an entity of the graph; the reason is kept with the name. Pure.

Vectors of names are near for names that are alike and mean others: "Q1 report" and "Q2 report",
"Alice Chen" and "Alice Cheng". So nearness proposes, and the words decide.
"""

import re
from typing import Final

from dataagent_core.language.word_split import is_han, stem_word
from dataagent_core.memory.graph.extraction.extraction import (
    CONCEPT,
    DATE,
    NUMBER,
    ORGANISATION,
    PERSON,
    PLACE,
    ExtractedEntity,
)
from dataagent_core.memory.graph.graph_values import Entity
from dataagent_core.memory.text_digest import fold_text

_WORDS: Final = re.compile(r"[^\W_]+")
_DIGITS: Final = re.compile(r"\d+")
# Words of a name that tell nobody apart.
_GENERIC_TEXT: Final = """
inc ltd llc corp corporation company co gmbh ag sa plc the dr mr ms mrs prof sir group holding
"""
_GENERIC: Final = frozenset(_GENERIC_TEXT.split())
_GENERIC_END: Final = re.compile("(?:股份有限公司|有限公司|集团公司|公司|集团)$")
_PROPER: Final = frozenset({PERSON, ORGANISATION, PLACE})
_TYPO_CHARS_MIN: Final = 6


def types_fit(one: str, other: str) -> bool:
    """Say whether two types may be of one entity; `concept` is said of what is not known."""
    return one == other or CONCEPT in {one, other}


def explain_same(name: ExtractedEntity, known: Entity, similarity: float, threshold: float) -> str:
    """Return why a name is a known entity, or nothing if it is not."""
    if not types_fit(name.type, known.type):
        return ""
    names = {fold_text(each) for each in (known.name, *known.aliases)}
    if fold_text(name.name) in names or (name.value and fold_text(name.value) in names):
        return "same name"
    if {name.type, known.type} & {DATE, NUMBER} or similarity < threshold:
        return ""
    if any(_words_fit(name.name, each, name.type) for each in (known.name, *known.aliases)):
        return f"similar name ({similarity:.2f})"
    return ""


def is_part_of_name(name: ExtractedEntity, known: Entity) -> bool:
    """Say whether a single word is the first or the last word of a person's longer name."""
    words, longer = fold_text(name.name).split(), fold_text(known.name).split()
    return (
        known.type == PERSON
        and types_fit(name.type, PERSON)
        and len(words) == 1
        and len(longer) > 1
        and words[0] in {longer[0], longer[-1]}
    )


def _words_fit(one: str, other: str, type: str) -> bool:  # noqa: A002 (S2's name of the property)
    if sorted(_DIGITS.findall(one)) != sorted(_DIGITS.findall(other)):
        return False
    if any(map(is_han, one + other)):
        return _GENERIC_END.sub("", fold_text(one)) == _GENERIC_END.sub("", fold_text(other))
    ours, theirs = _read_words(one), _read_words(other)
    rest, missing = sorted(ours - theirs), sorted(theirs - ours)
    if not rest and not missing:
        return True
    if type not in _PROPER:
        return bool(ours & theirs) and (not rest or not missing)
    return len(rest) == len(missing) and all(map(_is_same_word, rest, missing))


def _read_words(name: str) -> set[str]:
    words = {stem_word(word) for word in _WORDS.findall(fold_text(name))}
    return words - _GENERIC or words


def _is_same_word(one: str, other: str) -> bool:
    """Say whether a word is an initial of another, or one letter was typed otherwise."""
    short, long = sorted((one, other), key=len)
    if len(short) == 1:
        return long.startswith(short)
    if len(short) < _TYPO_CHARS_MIN or short[0] != long[0]:
        return False
    return _differ_by_one(short, long)


def _differ_by_one(short: str, long: str) -> bool:
    for place, (one, other) in enumerate(zip(short, long, strict=False)):
        if one != other:
            return long[place + 1 :] in {short[place:], short[place + 1 :]}
    return len(long) - len(short) <= 1
