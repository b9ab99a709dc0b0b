"""Says whether a negation of a message reaches a name or a phrase in it. Pure.

    don't use @one or @two          both are refused
    don't use @one, ask @two        @one is refused, @two is free
    I don't know what to ask @one   unclear: the negation before it may be about something else
    I haven't asked @one            unclear: a fact is no order

A negation ends with its sentence, at "but", and at a comma when what it negates is complete. The
words are in `negation_words.py`; what is done about a name is in `mentions.py` and `router.py`.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, NamedTuple

from dataagent_core.subagents.negation_words import NegationWord, fold_signs, read_words

Reach = Literal["free", "refused", "unclear"]

# A negation further away is about something else.
_BEFORE_CHARS_MAX: Final = 400
_PARENTHESES_MAX: Final = 8
_NEGATIONS: Final = frozenset(
    {
        NegationWord.NOT,
        NegationWord.NO,
        NegationWord.WITHOUT,
        NegationWord.SKIP,
        NegationWord.NOR,
        NegationWord.DOUBT,
    }
)
# A line that ends with one of them goes on in the next line.
_OPEN_ENDS: Final = frozenset(
    {
        NegationWord.COMMA,
        NegationWord.COLON,
        NegationWord.AND,
        NegationWord.OR,
        NegationWord.REQUEST,
        NegationWord.ARTICLE,
        NegationWord.LINK,
        *_NEGATIONS,
    }
)
# A line that begins with one of them goes on from the line before.
_OPEN_STARTS: Final = frozenset(
    {NegationWord.AND, NegationWord.OR, NegationWord.NOR, NegationWord.BULLET}
)
_REST_OF_LINE = re.compile(r"[^\S\n]*(?:\n|\Z)")
# "@one write it": a sentence that is said to somebody, and not the end of a list.
_ADDRESSED = re.compile(
    r"\s*(?!(?:for|in|on|at|here|now|today|this|any|again|either|too|as|please|and|or|nor|with|to|is"
    r"|are)\b)[A-Za-z0-9]",
    re.IGNORECASE | re.ASCII,
)
_HAN_ADDRESSED = re.compile(
    r"\s*(?![来去也都了等和与及或以还这跟同别不]|参与|参加|帮忙|插手|动手)[\u4e00-\u9fff]"
)


class Span(NamedTuple):
    """Where a name or a phrase stands."""

    start: int
    end: int


@dataclass(slots=True)
class _Clause:
    """What the words of a clause so far say about the next name."""

    reach: Reach = "free"
    kind: NegationWord = NegationWord.NOT
    # Whether it negates a verb for giving work, and whether what that is about has come.
    has_verb: bool = False
    has_object: bool = False
    # Whether a name was refused; then it goes on to the names that follow.
    has_refused: bool = False
    after_comma: bool = False
    # Whether something comes between it and what it negates: "do not, ever, use @one".
    is_interrupted: bool = False
    # Whether `or` joins what follows to it.
    is_joined: bool = False
    # Whether a negation of the same sentence has ended at a comma, and no name has come since.
    has_lapsed: bool = False
    # Whether the last words may be a whole sentence in front of a name: "don't use tables, @one".
    may_address: bool = False
    after_newline: bool = False
    last: NegationWord | None = None
    outer: list["_Clause"] = field(default_factory=list["_Clause"])


def find_reaches(
    text: str, spans: Sequence[Span], *, unclear: Collection[NegationWord] = ()
) -> list[Reach]:
    """Say for each span whether a negation before it reaches it; they are in order and apart.

    What is behind one of `unclear` is never refused.
    """
    folded = fold_signs(text)
    clause, end, found = _Clause(), 0, list[Reach]()
    for span in spans:
        start = max(end, span.start - _BEFORE_CHARS_MAX)
        if start > end:
            clause = _Clause()
        for word, _ in read_words(folded, start, span.start):
            clause = _add_word(clause, word)
            if word in unclear:
                clause.reach = "unclear"
        clause, reach = _add_name(clause, folded, span)
        found.append(reach)
        end = span.end
    return found


def _add_name(clause: _Clause, text: str, span: Span) -> tuple[_Clause, Reach]:
    if clause.after_newline and not _REST_OF_LINE.match(text, span.end):
        clause = _Clause()
    is_address = _ADDRESSED.match(text, span.end) or _HAN_ADDRESSED.match(text, span.end)
    if clause.may_address and clause.last is NegationWord.COMMA and is_address:
        clause = _Clause()
    elif clause.has_refused and clause.last is NegationWord.COMMA and is_address:
        clause.reach = "unclear"
    reach = clause.reach
    clause.has_refused = clause.has_refused or reach != "free"
    clause.has_object = True
    clause.after_comma = clause.has_lapsed = clause.may_address = clause.after_newline = False
    clause.is_joined = clause.is_interrupted = False
    clause.last = None
    return clause, reach


def _add_word(clause: _Clause, word: NegationWord) -> _Clause:
    is_new_line = clause.after_newline and word not in {
        NegationWord.NEWLINE,
        NegationWord.OPEN,
        *_OPEN_STARTS,
    }
    if is_new_line or word in {NegationWord.BORDER, NegationWord.BUT}:
        clause = _Clause(outer=clause.outer)
    if word in _NEGATIONS:
        clause = _add_negation(clause, word)
    elif word in _SIGN_STEPS:
        clause = _SIGN_STEPS[word](clause, word)
    elif clause.reach != "free" and word in _WORD_STEPS:
        clause = _WORD_STEPS[word](clause, word)
    if word is not NegationWord.BULLET:
        clause.last = word
    return clause


def _add_negation(clause: _Clause, word: NegationWord) -> _Clause:
    if clause.reach != "free" and word is NegationWord.NOR:
        clause.is_joined = True
        return clause
    # "don't start without @one" wants it.
    is_double = (
        clause.reach != "free"
        and not clause.after_comma
        and not clause.has_refused
        and clause.last not in {NegationWord.OR, NegationWord.AND}
    )
    is_unclear = is_double or word is NegationWord.DOUBT
    return _Clause(
        reach="unclear" if is_unclear else "refused",
        kind=NegationWord.NOT if word in {NegationWord.NOR, NegationWord.DOUBT} else word,
        is_joined=clause.is_joined,
        outer=clause.outer,
    )


def _add_newline(clause: _Clause, _: NegationWord) -> _Clause:
    if clause.reach == "free":
        return _Clause()
    goes_on = clause.last in _OPEN_ENDS or (
        clause.last is NegationWord.DO and not clause.has_object
    )
    if not goes_on and clause.last is not NegationWord.NEWLINE:
        clause.after_newline = True
    clause.outer = []
    return clause


def _open(clause: _Clause, _: NegationWord) -> _Clause:
    return replace(clause, outer=[*clause.outer, replace(clause)][-_PARENTHESES_MAX:])


def _close(clause: _Clause, _: NegationWord) -> _Clause:
    """Go on with what stood before a parenthesis; a list in it may have been what was refused."""
    if not clause.outer:
        return clause
    outer = clause.outer[-1]
    if outer.reach != "free" and clause.has_refused:
        outer.has_object = outer.has_refused = True
    return outer


def _add_or(clause: _Clause, _: NegationWord) -> _Clause:
    if clause.reach != "free":
        clause.is_joined = True
    elif clause.has_lapsed:
        clause.reach, clause.is_joined = "unclear", True
    return clause


def _add_comma(clause: _Clause, word: NegationWord) -> _Clause:
    clause.after_comma = True
    if clause.has_refused or clause.is_interrupted:
        return clause
    if not clause.has_object and not clause.has_verb:
        # "No, @one does it", but "no: @one".
        if clause.last is NegationWord.NO and word is NegationWord.COMMA:
            return _Clause(outer=clause.outer)
        if clause.last not in {NegationWord.THIS, NegationWord.DO}:
            if word is NegationWord.COMMA:
                clause.reach, clause.is_interrupted = "unclear", True
            return clause
        if clause.kind is NegationWord.NO:
            clause.reach, clause.may_address = "unclear", True
            return clause
    if not clause.has_verb:
        return _Clause(has_lapsed=True, outer=clause.outer)
    if clause.has_object:
        clause.reach, clause.may_address = "unclear", True
    return clause


def _add_request(clause: _Clause, word: NegationWord) -> _Clause:
    begins_anew = clause.after_comma or (
        clause.kind is not NegationWord.NOT and clause.has_refused and not clause.has_verb
    )
    is_open = clause.is_joined or clause.is_interrupted
    if begins_anew and clause.has_object and not is_open:
        return _Clause(has_lapsed=True, outer=clause.outer)
    if clause.has_refused:
        clause.reach = "unclear"
    elif word is NegationWord.REQUEST:
        clause.has_verb = True
    return clause


def _add_other(clause: _Clause, word: NegationWord) -> _Clause:
    is_other = word is not NegationWord.THIS
    if clause.kind is NegationWord.SKIP and not clause.has_verb and not clause.has_refused:
        return _Clause(outer=clause.outer)
    if clause.has_refused or is_other:
        clause.reach = "unclear"
    clause.has_object = clause.has_object or is_other
    return clause


def _add_link(clause: _Clause, _: NegationWord) -> _Clause:
    """End the list that is refused; before it, the word means nothing."""
    if clause.has_refused and clause.last is None:
        clause.reach = "unclear"
    return clause


def _add_and(clause: _Clause, _: NegationWord) -> _Clause:
    """Doubt what follows a verb that needs nothing: "stop and ask @one"."""
    if clause.kind is NegationWord.SKIP and not clause.has_verb and not clause.has_refused:
        clause.reach = "unclear"
    return clause


def _add_person(clause: _Clause, word: NegationWord) -> _Clause:
    """Take it for the object, so that a comma ends the negation: "don't ask me, ask @one"."""
    if clause.has_refused or clause.kind is NegationWord.SKIP:
        return _add_other(clause, word)
    clause.has_object = True
    return clause


_Step = Callable[[_Clause, NegationWord], _Clause]
_SIGN_STEPS: Final[dict[NegationWord, _Step]] = {
    NegationWord.NEWLINE: _add_newline,
    NegationWord.OPEN: _open,
    NegationWord.CLOSE: _close,
    NegationWord.OR: _add_or,
}
# What they do to a negation; where there is none, they do nothing.
_WORD_STEPS: Final[dict[NegationWord, _Step]] = {
    NegationWord.COMMA: _add_comma,
    NegationWord.COLON: _add_comma,
    NegationWord.REQUEST: _add_request,
    NegationWord.DO: _add_request,
    NegationWord.THEN: _add_request,
    NegationWord.AND: _add_and,
    NegationWord.LINK: _add_link,
    NegationWord.PERSON: _add_person,
    NegationWord.THIS: _add_other,
    NegationWord.OTHER: _add_other,
    NegationWord.NEUTRAL: _add_other,
}
