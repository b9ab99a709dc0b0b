"""Reads `@name` in a message: a person asks for a sub-agent by name, or forbids one.

    @code-reviewer look at this                     asks for it
    do it without @web-researcher                   forbids it
    I do not know what to ask @code-reviewer about  neither: see `negation.py`

Who is asked for works without an approval, so a name that a negation may reach is not asked for.
A name that no sub-agent has is left to the files that a message attaches.
"""

import re
from collections.abc import Collection
from typing import Final, NamedTuple

from dataagent_core.subagents.negation import Span, find_reaches
from dataagent_core.subagents.negation_words import fold_signs

_NAME: Final = r"[a-z0-9]+(?:-[a-z0-9]+)*"
# A text with more of them was not written for this.
_MENTIONS_MAX: Final = 1_000
# One or several with `/` between them.
_MENTIONS = re.compile(
    rf"(?<![A-Za-z0-9_@/.])@{_NAME}(?:/@{_NAME})*(?![A-Za-z0-9_/-]|\.[A-Za-z0-9])"
)
_ONE = re.compile(rf"@(?P<name>{_NAME})")
# What stands between the names of a list.
_CONNECTOR = re.compile(
    r"[\s,\uff0c、/&+`*'\"]*(?:(?:and|or|nor|the|和|或者?|与|以?及)[\s`*'\"]*){0,2}", re.IGNORECASE
)
_CONNECTOR_CHARS_MAX: Final = 24
# What follows a name and refuses it: "@one should not be used"; whole clauses are "@one: no".
_REFUSED_AFTER = re.compile(
    r"[\s`*'\"]*(?:(?:(?:should|must|may|shall|need|can|is|are|ought)(?:\s+not|n'?t)|cannot)\b"
    r"|(?:is|are|stays?|be)\s+(?:forbidden|banned|excluded|out|off)\b|out\b|以外|之外|除外|禁用|排除|剔除|去掉)",
    re.IGNORECASE,
)
_CLOSED_AFTER = re.compile(
    r"[\s`*'\":]*(?:not?|never|(?:也|都|就)?(?:不要|不用|不需要|不必|别|不能|不许|不得|禁止|不可以?)"
    r"(?:使用|用|参与|参加|插手|出现|来|管|了|再|动){0,3})[^\S\n]*(?=[,.;!?)\n\uff0c\u3002\uff1b\uff01、]|\Z)",
    re.IGNORECASE,
)


class Mentions(NamedTuple):
    """The sub-agents that a message asks for and forbids, in its order."""

    use: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()


def read_mentions(message: str, names: Collection[str]) -> Mentions:
    """Find the mentions of these sub-agents; who is also forbidden is not asked for."""
    message = fold_signs(message)
    found = [
        (one["name"], Span(one.start(), one.end()))
        for several in _MENTIONS.finditer(message)
        for one in _ONE.finditer(message, several.start(), several.end())
        if one["name"] in names
    ]
    if len(found) > _MENTIONS_MAX:
        return Mentions()
    spans = [span for _, span in found]
    later = _find_later_refusals(message, spans)
    reaches = find_reaches(message, [_extend(message, span) for span in spans])
    use: dict[str, None] = {}
    forbid: dict[str, None] = {}
    for (name, _), reach, is_refused in zip(found, reaches, later, strict=True):
        if reach == "refused":
            forbid[name] = None
        elif reach == "free" and not is_refused:
            use[name] = None
    return Mentions(tuple(name for name in use if name not in forbid), tuple(forbid))


def _extend(message: str, span: Span) -> Span:
    """Add a clause that is only about this name, so that it says nothing about the next one."""
    closed = _CLOSED_AFTER.match(message, span.end)
    return Span(span.start, closed.end()) if closed else span


def _find_later_refusals(message: str, spans: list[Span]) -> list[bool]:
    """Say which names are refused by what stands behind their list; it is about all of them."""
    found: list[bool] = []
    next_start = len(message)
    for span in reversed(spans):
        between = message[span.end : next_start]
        is_list = len(between) <= _CONNECTOR_CHARS_MAX and _CONNECTOR.fullmatch(between)
        found.append(
            bool(is_list and found and found[-1])
            or any(one.match(message, span.end) for one in (_REFUSED_AFTER, _CLOSED_AFTER))
        )
        next_start = span.start
    return found[::-1]
