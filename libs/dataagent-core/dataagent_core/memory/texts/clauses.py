"""Splits a text into clauses, each of which says one thing. Pure.

A question and a condition say nothing: "is the deadline Friday?", "if I lived in Paris". A comma in
a list splits nothing: what is denied in "no tea, coffee or milk" is denied of each.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from dataagent_core.language.unicode_text import storable

_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+|(?<=[。;!?])|\n+")
_SUBJECT: Final = (
    r"(?:i|i'm|i've|we|you|he|she|they|it|my|our|his|her|their|the|this|that|there|not|never|no|"
    r"don't|doesn't|isn't|aren't|am|is|are|was|do|does|have|has)\b"
)
_CLAUSE: Final = re.compile(
    rf"\s*,\s*(?=(?:and |so |then )?{_SUBJECT})"
    rf"|\s+(?:and|so|then)\s+(?={_SUBJECT})"
    r"|,?\s+(?:but|however|although|though|whereas|while|instead of|rather than)\s+"
    r"|:\s+|\s[\u2013\u2014-]+\s"
    r"|,?(?:但是?|不过|可是|然而|而且|而是?|并且|虽然|尽管)(?=\S)"
    r"|,(?=我|你|他|她|它|不|没|别|这|那|也|就|所以|因此|并)",
    re.IGNORECASE,
)
# "could you always answer in French?" asks for something, and says what is wanted.
_REQUEST: Final = re.compile(
    r"(?i)\b(?:can|could|would|will) (?:you|we)\b|\bplease\b|请|能不能|能否|可以.{0,12}吗|麻烦"
)
_QUESTION: Final = re.compile(r"\?\W*$|(?:吗|呢|么)\W*$")
_CONDITION: Final = re.compile(
    r"(?i)^\W*(?:if|unless|suppose|supposing|assuming|imagine|what if)\b"
    r"|^\W*(?:如果|假如|假设|要是|倘若|除非)"
)
_AROUND: Final = " \t.!。;,\"'()[]\u201c\u201d\u300c\u300d"

_BLANKS: Final = str.maketrans("", "", "\t\n")


@dataclass(frozen=True, slots=True)
class SaidClause:
    """A part of a sentence; one that states nothing is kept, so that no word is lost."""

    text: str
    is_statement: bool = True


def split_clauses(text: str) -> list[SaidClause]:
    """List the clauses of a text in order."""
    clauses: list[SaidClause] = []
    for sentence in _SENTENCE_END.split(make_plain(text)):
        asks = _QUESTION.search(sentence) and not _REQUEST.search(sentence)
        is_statement = not asks and not _CONDITION.search(sentence)
        parts = (part.strip(_AROUND) for part in _CLAUSE.split(sentence))
        clauses += (SaidClause(part, is_statement) for part in parts if part)
    return clauses


def make_plain(text: str) -> str:
    """Give each sign its plain form, without those that cannot be seen."""
    plain = unicodedata.normalize("NFKC", storable(text)).replace("\u2019", "'")
    if plain.translate(_BLANKS).isprintable():
        return plain
    return "".join(sign for sign in plain if sign in "\t\n" or unicodedata.category(sign)[0] != "C")
