"""The parts of a message, and how they follow each other: what the router's mode is chosen by.

    "review the code, then deploy it"               in order: sequential
    "research prices; at the same time fix the bug" independent: parallel
    "@coder-agent leads, with @code-reviewer"       one leads: hierarchical

The rules are words that people use for this; a message without them has one part.
"""

import re
from typing import Literal, NamedTuple

from dataagent_core.config.limits.subagents import ROUTER_MESSAGE_CHARS_MAX
from dataagent_core.language.text_ends import keep_ends

PartOrder = Literal["sequential", "parallel"]

# Commas, semicolons and full stops of both languages.
_PAUSES = ",;.\uff0c\uff1b\u3002"
_THEN = re.compile(
    r"(?:\b(?:and\s+then|after\s+that|afterwards|and\s+finally|finally|then|"
    r"once\s+(?:that|it)(?:.s|\s+is)\s+done)\b|然后|接着|之后再|之后|随后|最后)"
    rf"[{_PAUSES}]?\s*",
    re.IGNORECASE,
)
_MEANWHILE = re.compile(
    r"(?:\b(?:and\s+)?(?:at\s+the\s+same\s+time|in\s+parallel|meanwhile|"
    rf"simultaneously)\b|与此同时|同时|并行地?)[{_PAUSES}]?\s*",
    re.IGNORECASE,
)
_ITEM = re.compile(r"(?m)^[^\S\n]*+(?:\d{1,2}[.)、]|[-*•])\s*")
_LEADS = re.compile(
    r"\b(?:lead|leads|led\s+by|coordinate|coordinates|coordinated\s+by|in\s+charge|supervise|"
    r"supervises)\b|带领|负责协调|牵头|统筹|主导",
    re.IGNORECASE,
)
# A shorter piece is no task of its own: "First, ...".
_PART_CHARS_MIN = 4
_ENDS = " \t\r\n,;.\uff0c\uff1b\u3002"


class MessageParts(NamedTuple):
    """The parts in their order; `order` is `None` for a message of one part."""

    parts: tuple[str, ...]
    order: PartOrder | None


def split_message(message: str) -> MessageParts:
    """Split a message at the words that join tasks."""
    text = keep_ends(message, ROUTER_MESSAGE_CHARS_MAX)
    for separator, order in ((_THEN, "sequential"), (_MEANWHILE, "parallel"), (_ITEM, "parallel")):
        parts = _clean(separator.split(text))
        if len(parts) > 1:
            return MessageParts(parts, "sequential" if order == "sequential" else "parallel")
    return MessageParts((text.strip(),), None)


def names_a_leader(message: str) -> bool:
    """Say whether a message wants one sub-agent to lead the others."""
    return _LEADS.search(message) is not None


def _clean(parts: list[str]) -> tuple[str, ...]:
    stripped = (part.strip(_ENDS) for part in parts)
    return tuple(part for part in stripped if len(part) >= _PART_CHARS_MIN)
