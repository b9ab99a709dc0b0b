"""The words by which a message is read (`planning_words.json`), as sets and patterns.

English words are compared whole and in lower case. Chinese does not mark its words: they are found
by a pattern of all of them, the longest first. Every repetition of words is possessive, so that no
text takes long.
"""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

_FILE: Final = Path(__file__).with_name("planning_words.json")
_WORDS: Final[dict[str, Any]] = json.loads(_FILE.read_bytes())


def _any_of(words: Iterable[str]) -> str:
    """Write a pattern of these words, the longest first; of none, one that is never found."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return "|".join(re.escape(word).replace(r"\ ", " ") for word in ordered) or "(?!)"


def _in_both(words: Mapping[str, list[str]]) -> str:
    """Write a pattern of English words, whole, and of Chinese ones.

    It is for `re.ASCII`, where an English word may stand between Chinese signs.
    """
    return rf"\b(?:{_any_of(words['en'])})\b|{_any_of(words['zh'])}"


class WordGroups:
    """Words of several groups in two languages; finds which groups a text names."""

    def __init__(self, groups: Mapping[str, Mapping[str, list[str]]]) -> None:
        self._groups = {
            word: name for name, both in groups.items() for word in (*both["en"], *both["zh"])
        }
        languages = {
            language: [word for both in groups.values() for word in both[language]]
            for language in ("en", "zh")
        }
        # "release/report-2024" is a name.
        english = rf"(?<![\w/-])(?:{_any_of(languages['en'])})(?![\w/-])"
        self.pattern: Final = re.compile(f"{english}|{_any_of(languages['zh'])}", re.ASCII)

    def find(self, text: str) -> dict[str, str]:
        """Give the groups named in a text of lower case, each with the first word of it."""
        found: dict[str, str] = {}
        for word in self.pattern.findall(text):
            found.setdefault(self._groups[word], word)
        return found


# English words that begin a request: alone, with the next word, or before an object.
_verbs: Final = _WORDS["verbs"]
VERBS: Final[frozenset[str]] = frozenset(_verbs["en"])
VERB_PHRASES: Final[frozenset[str]] = frozenset(_verbs["en_phrases"])
VERBS_BEFORE_OBJECT: Final[frozenset[str]] = frozenset(_verbs["en_before_object"])
# A word before one of these is no verb: "test is red".
NO_OBJECTS: Final[frozenset[str]] = frozenset(_verbs["en_no_objects"])
# Chinese ones: at the beginning of a clause one sign is enough; within it, it needs an object.
_signs: Final = f"[{_verbs['zh_signs']}]"
_zh_verb: Final = f"(?!{_any_of(_verbs['zh_no_verbs'])})(?:{_any_of(_verbs['zh'])}"
ZH_VERB_FIRST: Final = re.compile(f"{_zh_verb}|{_signs})")
ZH_VERB_WITHIN: Final = re.compile(f"{_zh_verb}|{_signs}[{_verbs['zh_sign_objects']}])")
ZH_PREPOSITION: Final = re.compile(
    f"(?!{_any_of(_verbs['zh_no_prepositions'])})(?:{_any_of(_verbs['zh_prepositions'])})"
)
# What a verb follows that stands later: "the tests need", "help me".
ZH_LATER: Final = re.compile(_any_of(_verbs["zh_later"]))
# "Tell me what changed" is a request; "tell me" alone says only where the answer goes.
TELL: Final = re.compile(
    rf"(?:{_any_of(_verbs['en_before_question'])}) (?:{_any_of(_WORDS['questions']['en'])})\b"
    rf"|(?:{_any_of(_verbs['zh_before_question'])})[^\n]{{0,40}}?"
    rf"(?:{_any_of(_WORDS['questions']['zh'])})"
)
# What may stand before a verb: signs, numbers of a list, adverbs, polite and joining words.
LEADS: Final = re.compile(
    r"(?:[\s,:*()\x22\-\u2022\uff0c\uff1a\uff08\uff09]|\d{1,2}[.)、]"
    rf"|(?!(?:{_any_of(_WORDS['not_adverbs'])})\b)[a-z]{{2,20}}ly\b"
    rf"|{_in_both(_WORDS['leads'])})*+",
    re.ASCII,
)
OPENERS: Final = re.compile(_in_both(_WORDS["openers"]), re.ASCII)
ADDITIONS: Final = re.compile(_in_both(_WORDS["additions"]), re.ASCII)
NEGATIONS: Final = re.compile(_in_both(_WORDS["negations"]), re.ASCII)
# Where a clause ends. A number of a list within a line begins one: "1) load 2) clean".
CLAUSE_END: Final = re.compile(
    r"[,:\uff0c\uff1a]|\s-\s|\s\u2014\s|\u2014\u2014|\s(?=\(?\d{1,2}[.)、])"
    rf"|{_in_both(_WORDS['clause_joints'])}|(?={_any_of(_WORDS['additions']['zh'])})",
    re.ASCII,
)
# Words that join two requests, or two things: what follows them tells.
JOINTS: Final = re.compile(rf"\band\b|[并和且再、](?={ZH_VERB_FIRST.pattern})", re.ASCII)
ANALYSIS: Final = WordGroups(_WORDS["analysis"])
DOMAINS: Final = WordGroups(_WORDS["domains"])

_times: Final = _WORDS["times"]
_zh_digits: Final = _times["numbers"]["zh_signs"]
_months: Final = _any_of(_times["months"]["en"])
# One stretch of several periods: "the last six months", "since Monday".
TIME_STRETCH: Final = re.compile(
    rf"\b(?:{_any_of(_times['before_number']['en'])})"
    rf" (?:\d{{1,3}}|{_any_of(_times['numbers']['en'])}) (?:{_any_of(_times['units']['en'])})\b"
    rf"|\b(?:{_any_of(_times['before_start']['en'])})"
    rf" (?:{_any_of(_times['starts']['en'])}|{_months}|(?:19|20)\d\d|q[1-4])\b"
    rf"|(?:{_any_of(_times['before_number']['zh'])})\s?"
    rf"(?:\d{{1,3}}|[{_zh_digits}]{{1,3}})\s?(?:{_any_of(_times['units']['zh'])})(?!级)"
    rf"|{_in_both(_times['series'])}",
    re.ASCII,
)
# Each kind of period by itself: quarters, years, months, and those named by their place.
TIME_PERIODS: Final = (
    re.compile(r"(?<![a-z0-9])q[1-4](?![0-9a-z])|[一二三四]季度"),
    re.compile(r"(?<![0-9])(?:19|20)\d\d(?![0-9])"),
    re.compile(
        rf"\b(?:{_months})\b|(?<![0-9])(?:1[0-2]|[1-9])\s?月"
        rf"|[{_times['months']['zh_signs']}]{{1,2}}月",
        re.ASCII,
    ),
    *(re.compile(_in_both(both), re.ASCII) for both in _times["relative"]),
)

# What only looks vague is read first, and is in no group.
VAGUE: Final = re.compile(
    f"{_any_of(_WORDS['vague']['zh_not'])}|({_in_both(_WORDS['vague'])})", re.ASCII
)
