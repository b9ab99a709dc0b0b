"""What rules find in one clause: which relation, between what. Pure.

The rules are one table for each language. What a pronoun stands for is not known, so `he`, `it` and
`那` are never an end.
"""

import re
from dataclasses import dataclass
from typing import Final

from dataagent_core.language.word_split import is_han
from dataagent_core.memory.graph.extraction.chinese_rules import CHINESE_HINT, CHINESE_RULES
from dataagent_core.memory.graph.extraction.english_rules import ENGLISH_HINT, ENGLISH_RULES
from dataagent_core.memory.graph.extraction.grounded_text import trim_words
from dataagent_core.memory.graph.extraction.relation_rule import RelationRule


@dataclass(frozen=True, slots=True)
class FoundRelation:
    """A relation as it stands in a clause."""

    rule: RelationRule
    source: str
    target: str


_UNKNOWN_TEXT: Final = """
he she it they this that there these those here what who which everyone everybody nobody something
anything nothing someone one some all most both how him her them then yes no not 他 她 它 他们 她们
它们 这 那 这个 那个 这里 那里 这些 那些 谁 什么 大家 有人 怎么 不 还 就 可能 要 应该 这样 那样
如果 而 但 因为 所以 您 你 你们 咱们
"""
_UNKNOWN: Final = frozenset(_UNKNOWN_TEXT.split())
# At the start of an object they say that it is none: "is not", "喜欢上".
_NO_OBJECT: Final = re.compile(
    r"(?:not|n't|never|going|trying|about|very|too|so|just|really|when|how|why|to be|it|this|that|"
    r"them|him|her|you|me|us)\b|[不没吗呢吧]",
    re.IGNORECASE,
)
_ARTICLE: Final = re.compile(r"^(?:an?|the|some|in|at) ", re.IGNORECASE)
_SECOND_VERB: Final = re.compile(
    r",? and (?=(?:live|work|like|love|prefer|hate|use|manage|own|study|enjoy|dislike)s?\b)"
)
_SUBJECT: Final = re.compile(r"(?:I|[Ww]e|[A-Z][\w-]*(?: [A-Z][\w-]*)?)\b")
_WORDS_MAX: Final = 8
_OBJECT_CHARS_MAX: Final = 80


def find_relations(clause: str) -> list[FoundRelation]:
    """Find what a clause relates; the first rule that fits two ends counts."""
    rules: tuple[RelationRule, ...] = ()
    if ENGLISH_HINT.search(clause):
        rules += ENGLISH_RULES
    if CHINESE_HINT.search(clause):
        rules += CHINESE_RULES
    found: dict[tuple[str, str], FoundRelation] = {}
    for part in _repeat_subject(clause):
        for rule in rules:
            for match in rule.pattern.finditer(part):
                source, target = trim_words(match["s"]), _clean_object(match["o"])
                if _is_end(source) and _is_end(target) and not _NO_OBJECT.match(target):
                    found.setdefault((source, target), FoundRelation(rule, source, target))
    return _drop_contained(list(found.values()))


def _repeat_subject(clause: str) -> list[str]:
    """Write a sentence of two verbs as two: "I work at A and live in B"."""
    first, *others = _SECOND_VERB.split(clause)
    subject = _SUBJECT.match(first) if others else None
    return [first, *(f"{subject[0]} {other}" for other in others)] if subject else [clause]


def _clean_object(words: str) -> str:
    return trim_words(_ARTICLE.sub("", trim_words(words), count=1))


def _is_end(words: str) -> bool:
    return (
        bool(words)
        and len(words) <= _OBJECT_CHARS_MAX
        and words.count(" ") < _WORDS_MAX
        and words.casefold() not in _UNKNOWN
        and words.casefold().split()[0] not in _UNKNOWN
        and not (is_han(words[0]) and words[0] in "你您他她它这那谁")
    )


def _drop_contained(found: list[FoundRelation]) -> list[FoundRelation]:
    """Of two rules that found nearly the same, keep the first."""
    kept: list[FoundRelation] = []
    for one in found:
        if not any(
            (one.source in other.source or other.source in one.source)
            and (one.target in other.target or other.target in one.target)
            for other in kept
        ):
            kept.append(one)
    return kept
