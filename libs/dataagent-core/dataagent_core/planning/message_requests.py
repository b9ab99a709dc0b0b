"""Reads the requests of a message: sentences, their clauses, and the verbs that ask for work. Pure.

    "Load it, clean it and draw a chart."       three requests
    "Which region grew, and by how much?"       one: a question, whatever its clauses
    "My manager liked the report."              none: it states something
    "What is late? Also the returns."           two: "also", "plus", "还有" add one without a verb

A clause is a request if a verb of work begins it, behind polite and joining words. In Chinese the
verb may stand behind "把..." or "给...".
"""

import re
from typing import Final, NamedTuple

from dataagent_core.planning.planning_words import (
    ADDITIONS,
    CLAUSE_END,
    JOINTS,
    LEADS,
    NO_OBJECTS,
    OPENERS,
    TELL,
    VERB_PHRASES,
    VERBS,
    VERBS_BEFORE_OBJECT,
    ZH_LATER,
    ZH_PREPOSITION,
    ZH_VERB_FIRST,
    ZH_VERB_WITHIN,
)

# A mark within a word or between commas, as in an address or in SQL, ends none.
_SENTENCE_END = re.compile(
    r"[\n\u3002\uff01\uff1f\uff1b]|[.;](?=\s|\Z|[^\x00-\x7f])|[!?](?![\w,;&=./)!?])", re.ASCII
)
_LETTER = re.compile(r"[^\W\d_]")
_QUESTION_MARKS: Final = "?\uff1f"
# A question has no verb of work: so much of it is shown instead.
_QUESTION_CHARS_SHOWN: Final = 20
_WORD_PAIR = re.compile(r"([a-z]+)(?:\s+([a-z0-9]+))?")


class SentenceRequests(NamedTuple):
    """One sentence in lower case, with the words that open each of its requests."""

    text: str
    requests: tuple[str, ...]
    is_question: bool


def read_requests(text: str) -> list[SentenceRequests]:
    """List the sentences of a text in lower case, each with what it asks for."""
    sentences: list[SentenceRequests] = []
    start, asks = 0, False
    for end in (*_SENTENCE_END.finditer(text), None):
        sentence = text[start : end.start() if end else len(text)].strip()
        start = end.end() if end else len(text)
        if _LETTER.search(sentence):
            is_question = end is not None and end[0] in _QUESTION_MARKS
            found = _read_sentence(sentence, is_question=is_question, asks_before=asks)
            sentences.append(SentenceRequests(sentence, tuple(found), is_question))
            asks = asks or bool(found)
    return sentences


def _read_sentence(sentence: str, *, is_question: bool, asks_before: bool) -> list[str]:
    found: list[str] = []
    for clause in CLAUSE_END.split(sentence):
        first, *joined = [part for part in JOINTS.split(clause) if part.strip()] or [""]
        opener = _find_opener(first)
        if opener is None and (found or asks_before):
            addition = ADDITIONS.match(first.lstrip())
            opener = addition[0] if addition else None
        if opener is not None:
            # "Customers who order and return" asks for nothing: what is joined needs a request.
            openers = (opener, *map(_find_opener, joined))
            found += [one for one in openers if one is not None]
    return [sentence[:_QUESTION_CHARS_SHOWN]] if is_question and not found else found


def _find_opener(clause: str) -> str | None:
    """Return the word by which a clause asks for work."""
    lead = LEADS.match(clause)
    rest = clause[lead.end() :] if lead else clause
    opened = OPENERS.match(clause.lstrip()) or OPENERS.match(rest) or TELL.match(rest)
    if opened:
        return opened[0]
    pair = _WORD_PAIR.match(rest)
    return _find_english(pair[1], pair[2] or "") if pair else _find_chinese(rest)


def _find_english(word: str, following: str) -> str | None:
    if f"{word} {following}" in VERB_PHRASES:
        return f"{word} {following}"
    is_verb = word in VERBS or (word in VERBS_BEFORE_OBJECT and following)
    return word if is_verb and following not in NO_OBJECTS else None


def _find_chinese(rest: str) -> str | None:
    found = ZH_VERB_FIRST.match(rest)
    if found is None and ZH_PREPOSITION.match(rest):
        found = ZH_VERB_WITHIN.search(rest, 1)
    later = ZH_LATER.search(rest) if found is None else None
    if later:
        lead = LEADS.match(rest, later.end())
        found = ZH_VERB_FIRST.match(rest, lead.end() if lead else later.end())
    return found[0] if found else None
