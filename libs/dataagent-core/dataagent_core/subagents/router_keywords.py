"""What the keywords of sub-agents say about a message: for one of them, or against it. Pure.

A keyword that decides alone has several words, or four Chinese characters. Behind a negation
(`negation.py`) it decides nothing, and one that is surely refused takes its sub-agent out of the
choice: "don't do a code review, just format the file". "There was no code review" refuses nothing.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dataagent_core.config.limits.subagents import ROUTER_MESSAGE_CHARS_MAX
from dataagent_core.language.linear_regex import compile_linear, find_linear
from dataagent_core.language.text_ends import keep_ends
from dataagent_core.language.word_split import is_han
from dataagent_core.models.embeddings import WeightedPattern
from dataagent_core.subagents.negation import Reach, Span, find_reaches, fold_signs
from dataagent_core.subagents.subagent import SubAgent

_HAN_CHARS_MIN: Final = 4


@dataclass(frozen=True, slots=True)
class KeywordReadings:
    """What a message says with keywords that decide alone, by the names of their sub-agents."""

    # A keyword of each that the message wants.
    wanted: Mapping[str, str]
    # Of which it refuses a keyword and wants none.
    refused: Mapping[str, str]

    def find_only(self, names: Iterable[str]) -> tuple[str, str] | None:
        """Find the only one of these that is wanted, and the keyword."""
        found = [(name, self.wanted[name]) for name in names if name in self.wanted]
        return found[0] if len(found) == 1 else None


def read_keywords(message: str, subagents: Iterable[SubAgent]) -> KeywordReadings:
    """Read what a message says with the keywords of these sub-agents."""
    text = _Text(keep_ends(message, ROUTER_MESSAGE_CHARS_MAX))
    wanted: dict[str, str] = {}
    refused: dict[str, str] = {}
    for one in subagents:
        reaches = {
            keyword: of
            for keyword in one.trigger.keywords
            if _decides_alone(keyword) and (of := text.find_reaches(keyword))
        }
        for_it = [keyword for keyword, of in reaches.items() if "free" in of]
        against = [keyword for keyword, of in reaches.items() if "refused" in of]
        if for_it:
            wanted[one.name] = for_it[-1]
        elif against and not any(
            "free" in text.find_reaches(keyword)
            for keyword in one.trigger.keywords
            if keyword not in reaches
        ):
            refused[one.name] = against[0]
    return KeywordReadings(wanted, refused)


def _decides_alone(keyword: str) -> bool:
    return len(keyword.split()) > 1 or sum(map(is_han, keyword)) >= _HAN_CHARS_MIN


class _Text:
    """A message, prepared once for all keywords."""

    def __init__(self, message: str) -> None:
        self._message = message
        self._folded = " ".join(message.split()).casefold()

    def find_reaches(self, keyword: str) -> Sequence[Reach]:
        """Say for each place of a keyword whether a negation reaches it; none without a place."""
        spans = self._find_spans(keyword)
        return find_reaches(fold_signs(self._message), spans, of_names=False) if spans else ()

    def _find_spans(self, keyword: str) -> list[Span]:
        words = keyword.split()
        text = " ".join(words)
        if (regex := WeightedPattern(pattern=text).regex) is not None:
            place = find_linear(compile_linear(regex), self._message)
            return [] if place is None else [Span(*place)]
        if not words or text.casefold() not in self._folded:
            return []
        # Whole words, as `message_pattern.py` finds them; Chinese has no boundaries between them.
        start = r"(?<![A-Za-z0-9_])" if text[0].isascii() and text[0].isalnum() else ""
        end = r"(?![A-Za-z0-9_])" if text[-1].isascii() and text[-1].isalnum() else ""
        literal = start + r"\s+".join(map(re.escape, words)) + end
        found = re.finditer(literal, self._message, re.IGNORECASE)
        return [Span(*one.span()) for one in found]
