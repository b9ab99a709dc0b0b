"""Reads `@name` in a message: a person asks for a sub-agent by name, or forbids one.

    @code-reviewer look at this                     asks for it
    do it without @web-researcher                   forbids it
    I do not know what to ask @code-reviewer about  neither: see `negation.py`

Who is asked for works without an approval, so a name that a negation may reach is not asked for.
Who is forbidden cannot work at all, so only a negation of the name itself, or its list, forbids.
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
# What follows a name and may refuse it: "@one is not needed". An order to it does not: "@one don't
# change the tests". Behind a colon is what it is told.
_LEAD: Final = r"[\s`*'\",:?\uff0c\uff1a\uff1f\u2014\u2013-]{0,24}+"
_NO_COLON: Final = r"(?<!:)(?<!: )"
_REFUSED_ENGLISH: Final = (
    rf"{_NO_COLON}(?:should|must|may|might|shall|needs?|can|could|will|would|is|are|was|were|ought"
    r"|do(?=\s+not\s+(?:need|have))|does|did|has|have|had)"
    r"(?:\s+(?:to|really|also|just|both|all|simply))?(?:\s+(?:not?|never)|n'?t)\b"
    r"|(?:cannot|won'?t|can'?t|shan'?t|don'?t\s+(?:need|have)\s+to)\b"
    r"|(?:(?:is|are|stays?|be|keeps?|remains?)\s+)?(?:forbidden|banned|excluded|unnecessary"
    r"|unneeded|unwanted|redundant|superfluous|irrelevant|useless|overkill|disabled|off|out)\b"
    r"|(?:(?:has|have|needs?|ought)\s+to|should|must|can|may|could|will)?\s*"
    r"(?:stays?|keeps?|remains?|sits?|rests?|waits?)"
    r"(?:\s+(?:out|away|off|put|home|back|silent|quiet|idle)\b|\s*(?=[,.;!?)\n]|\Z))"
    r"|(?:is|are|was|were|would\s+be|seems?)\s+(?:(?:an?|the|too|of|really|just)\s+)*"
    r"(?:no|bad|wrong|poor|slow|expensive|overkill|mistake|waste)\b"
    r"|(?:not|no\s+longer)\s+"
    r"(?:needed|necessary|required|wanted|involved|allowed|now|today|here|this\s+time)\b"
    # "@one, not @two" refuses the other one.
    rf"|{_NO_COLON}no(?:t|ne|pe)?\b(?!\s+(?:only|just|merely|less)\b"
    r"|[^.;!?\n\uff0c\u3002]{0,80}@)"
)
_REFUSED_CHINESE: Final = (
    "以外|之外|除外|禁用|排除|剔除|去掉|换掉|撤掉|撤下"
    r"|(?:换成|换为|替换成|替换为|替换|改成|改为|改用)\s*[`*'\"]*@"
    "|(?:这次|今天|暂时|先|请|就|也|都|可以)*(?:不参与|不参加|不介入|算了|免了|罢了|停|暂停|歇|休息"
    "|退下|退出|闭嘴|没必要|没有必要"
    "|(?:不要|不用|不需要?|不必|不能|不许|不得|不该|不应该?|禁止|别)再?"
    "(?:动|管|来|参与|参加|插手|出手|介入|出现))"
)
_REFUSED_AFTER = re.compile(
    rf"{_LEAD}(?:please\s+)?(?:{_REFUSED_ENGLISH}|{_REFUSED_CHINESE})", re.IGNORECASE
)
_CLOSED_AFTER = re.compile(
    rf"{_LEAD}(?:(?:please\s+|just\s+)?"
    r"(?:not?|never|don'?t|do\s+not|stop|no,?\s+thanks?(?:\s+you)?)"
    r"(?:,?\s+(?:please|again|today|now|here|thanks))?"
    "|(?:这次|今天|暂时|先|请|也|都|就|可以)*(?:不要|不用|不需要?|不必|别|不能|不许|不得|禁止|不可以?"
    "|取消|关掉|关了|关闭|停用|不行)"
    "(?:使用|用|参与|参加|插手|出现|来|管|了|再|动){0,3})"
    r"[^\S\n]*(?=[,.;!?)\n\uff0c\u3002\uff1b\uff01、]|\Z)",
    re.IGNORECASE,
)
# Where something of a sub-agent is negated, or it is not the only one: "without @one's consent".
_NOT_REFUSED = re.compile(
    rf"@{_NAME}[`*\"]*(?:'s\b|\s*的)"
    rf"|(?:(?<=除了)|(?<=除了 ))@{_NAME}\s*(?:[以之]?外)?\s*[,\uff0c]?\s*(?:还|也(?![不别]))",
    re.IGNORECASE,
)


class Mentions(NamedTuple):
    """The sub-agents that a message asks for and forbids, in its order."""

    use: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()


def read_mentions(message: str, names: Collection[str]) -> Mentions:
    """Find the mentions of these sub-agents; who is also forbidden is not asked for."""
    if "@" not in message:
        return Mentions()
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
    for (name, span), reach, is_refused in zip(found, reaches, later, strict=True):
        if reach == "refused" and not _NOT_REFUSED.match(message, span.start):
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
