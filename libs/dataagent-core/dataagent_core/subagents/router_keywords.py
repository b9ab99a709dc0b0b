"""What the keywords of sub-agents say about a message: for one of them, or against it. Pure.

A keyword that decides alone has several words, or four Chinese characters. Behind a negation
(`negation.py`) it decides nothing, and one that is surely refused takes its sub-agent out of the
choice: "don't do a code review, just format the file".
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from dataagent_core.config.limits.subagents import ROUTER_MESSAGE_CHARS_MAX
from dataagent_core.language.linear_regex import compile_linear, find_linear
from dataagent_core.language.word_split import is_han
from dataagent_core.models.embeddings import WeightedPattern
from dataagent_core.models.embeddings.message_pattern import compile_pattern
from dataagent_core.subagents.negation import Reach, Span, find_reaches
from dataagent_core.subagents.subagent import SubAgent

_HAN_CHARS_MIN: Final = 4


def find_by_keyword(message: str, subagents: Iterable[SubAgent]) -> tuple[str, str] | None:
    """Find the only sub-agent with a keyword that decides, and the keyword."""
    message = message[:ROUTER_MESSAGE_CHARS_MAX]
    found = {
        one.name: keyword
        for one in subagents
        for keyword in one.trigger.keywords
        if _decides_alone(keyword) and "free" in _find_reaches(message, keyword)
    }
    return next(iter(found.items())) if len(found) == 1 else None


def find_refused_keywords(message: str, subagents: Iterable[SubAgent]) -> dict[str, str]:
    """Find the sub-agents of which the message refuses a keyword and says no other, with it."""
    message = message[:ROUTER_MESSAGE_CHARS_MAX]
    refused: dict[str, str] = {}
    for one in subagents:
        reaches = {word: _find_reaches(message, word) for word in one.trigger.keywords}
        against = [w for w, of in reaches.items() if "refused" in of and _decides_alone(w)]
        if against and not any("free" in of for of in reaches.values()):
            refused[one.name] = against[0]
    return refused


def _decides_alone(keyword: str) -> bool:
    return len(keyword.split()) > 1 or sum(map(is_han, keyword)) >= _HAN_CHARS_MIN


def _find_reaches(message: str, keyword: str) -> Sequence[Reach]:
    """Say for each place of a keyword whether a negation reaches it; none without a place."""
    pattern = WeightedPattern(pattern=" ".join(keyword.split()))
    if not compile_pattern(pattern)(" ".join(message.split())):
        return ()
    if (regex := pattern.regex) is not None:
        place = find_linear(compile_linear(regex), message)
        spans = [] if place is None else [Span(*place)]
    else:
        words = re.compile(r"\s+".join(map(re.escape, keyword.split())), re.IGNORECASE)
        spans = [Span(*found.span()) for found in words.finditer(message)]
    return find_reaches(message, spans)
