"""Finds in what a person says what is worth remembering, by rules. Pure.

What is proposed stands in the text, letter by letter (`ProposedMemory.quote`). Questions, requests
of the moment and sentences about somebody who is only a pronoun are not proposed.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from dataagent_core.memory.graph.extraction.clauses import SpokenClause, is_question, split_clauses
from dataagent_core.memory.graph.extraction.grounded_text import trim_words
from dataagent_core.memory.graph.extraction.proposed_memory import ProposedMemory
from dataagent_core.memory.graph.extraction.relation_rules import find_relations
from dataagent_core.memory.graph.extraction.start_of_truth import find_start
from dataagent_core.memory.memory import MemoryType

# Said to be remembered: what follows is a fact, whatever it says.
_REMEMBER: Final = re.compile(
    r"^(?:please )?(?:remember|note|keep in mind|don't forget)(?: that|:)\s*(?P<what>.{3,})"
    r"|^(?:请)?(?:记住|记一下|记得)[\s\uff0c,:\uff1a]*(?P<zh>.{2,})",
    re.IGNORECASE | re.DOTALL,
)
_PREFERENCE: Final = re.compile(
    r"\b(?:I|we) (?:really |much |would |'d )*(?:prefer|like|love|enjoy|hate|dislike)\b"
    r"|\bI(?:'d| would) rather\b|\bI (?:do not|don't) (?:like|want|need)\b"
    r"|\b[Mm]y favou?rite\b|^(?:[Pp]lease )?(?:[Aa]lways|[Nn]ever|[Dd]on't ever) \w+"
    r"|\b(?:[Ff]rom now on|[Ii]n the future|[Cc]all me)\b"
    r"|我(?:们)?(?:很|更|比较|非常|最|也|不|还是)*(?:喜欢|偏好|偏爱|讨厌|习惯|想要|倾向)|我最爱"
    r"|^(?:请)?(?:以后|今后|从现在起|总是|始终|永远不要|叫我)"
)
_DECISION: Final = re.compile(
    r"\b(?:I|[Ww]e)(?:'ve| have)? (?:decided|agreed|chose|settled|opted|picked)\b"
    r"|\b[Ll]et's (?:go with|use|stick with)\b|\b[Ww]e(?:'ll| will) (?:use|go with|switch to)\b"
    r"|\b(?:[Tt]he|[Oo]ur) decision(?: is| was)\b"
    r"|(?:我|我们|团队|咱们)(?:已经|最终|最后)?(?:决定|商定|选定|敲定)|(?:就|还是)(?:用|选)\S|定下来"
)
# A hope or a condition is no fact.
_UNSURE: Final = re.compile(
    r"\b(?:if|maybe|perhaps|might|could|wonder|wish|hope|suppose|imagine|would)\b|如果|可能|也许|"
    r"假如|要是|或许|希望|大概",
    re.IGNORECASE,
)
_PRONOUN: Final = re.compile(
    r"^(?:and |but |so |also )?(?:he|she|it|they|this|that|these|those|there)\b|^[他她它这那]",
    re.IGNORECASE,
)
_CONTENT_CHARS_MIN: Final = 4
_PROPOSALS_MAX: Final = 50
# What rules find is not as sure as what a person wrote down.
_CONFIDENCE: Final = 0.8
_ASKED: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What one side said in a conversation."""

    text: str
    at: datetime
    # Empty when the person of the memory speaks.
    speaker: str = ""


def extract_memories(turn: Turn) -> list[ProposedMemory]:
    """Propose what is worth remembering of what a person said."""
    proposed: dict[str, ProposedMemory] = {}
    for clause in split_clauses(turn.text):
        found = _propose(clause, turn)
        if found is not None and len(proposed) < _PROPOSALS_MAX:
            proposed.setdefault(found.content, found)
    return list(proposed.values())


def _propose(clause: SpokenClause, turn: Turn) -> ProposedMemory | None:
    asked = _REMEMBER.match(clause.text)
    words = trim_words((asked["what"] or asked["zh"]) if asked else clause.text)
    if len(words) < _CONTENT_CHARS_MIN or is_question(clause.text) or _PRONOUN.match(words):
        return None
    kind = _find_type(words, is_asked=asked is not None)
    if kind is None or words not in turn.text:
        return None
    speaker = clause.speaker or turn.speaker
    return ProposedMemory(
        type=kind,
        content=f"{speaker}: {words}" if speaker else words,
        quote=words,
        confidence=_ASKED if asked else _CONFIDENCE,
        valid_from=find_start(clause.text, turn.at),
    )


def _find_type(words: str, *, is_asked: bool) -> MemoryType | None:
    if _DECISION.search(words):
        return "decision"
    if _PREFERENCE.search(words):
        return "preference"
    if is_asked:
        return "fact"
    if _UNSURE.search(words):
        return None
    return "fact" if find_relations(words) else None
