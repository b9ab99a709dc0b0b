r"""Reads `@name` in a message: a person asks for a sub-agent by name, or forbids one.

    @code-reviewer look at this                     asks for it
    do it without @web-researcher                   forbids it
    I do not know what to ask @code-reviewer about  neither: see `negation.py`

Who is asked for works without an approval, so a name that a negation may reach is not asked for.
Who is forbidden cannot work at all, so only a negation of the name itself, or its list, forbids.
Code and quoted lines are not the person's words. A name that no sub-agent has is left to the files
that a message attaches.
"""

import re
from collections.abc import Collection
from typing import Final, NamedTuple

from dataagent_core.session.prompt import without_code
from dataagent_core.subagents.negation import Span, find_reaches, fold_signs, is_addressed

# A text with more of them was not written for this.
_MENTIONS_MAX: Final = 1_000
_NAME: Final = r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*"
# One or several with `/` between them; within a word, as in a mail address, it is none.
_MENTIONS = re.compile(
    rf"(?<![^\W\u3400-\u9fff])(?<![@/.])@{_NAME}(?:/@{_NAME})*(?![A-Za-z0-9_/-]|\.[A-Za-z0-9])"
)
_ONE = re.compile(rf"@({_NAME})")
_QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
# What stands between the names of a list.
_CONNECTOR = re.compile(
    r"""(?: [^\S\n]* | \s*(?=(?:and|or|nor)\s) ) [`*'"(]* [^\S\n]* (?:[,\uff0c、/&+]\s*)?
    (?:(?:and|or|nor|the|as\s+well\s+as|和|或者?|与|以?及|跟)\s*){0,2} [`*'"()]*
    | \s*\n\s*(?:[-*\u2022]|\d{1,2}[.)])\s*""",
    re.IGNORECASE | re.VERBOSE,
)
_CONNECTOR_CHARS_MAX: Final = 24
# What stands behind a name, or a list, and says that it is not wanted: a statement about it
# ("is not needed"), or a refusal that is all of its clause. An order to it is none of both: "@one
# don't change the tests", "@one turn it off".
_LEAD: Final = r"""[`*'",?\uff0c\uff1f\s\u2014\u2013-]{0,9} (?:(?:please|just)\s+)?"""
_CLAUSE_END: Final = r"(?=\s*+(?:[,.;!?)\uff0c\u3002\uff1b\uff01、]|\Z)|[^\S\n]*+\n)"
_LATER: Final = (
    r"(?:\s+(?:please|again|today|now|here|longer|needed|you|(?:of|from|for)\s+(?:it|this|that)))*+"
)
_AWAY: Final = r"(?:out|away|off)"
_UNWANTED: Final = r"(?:unnecessary|forbidden|excluded|overkill|a\s+bad\s+(?:idea|choice|fit))"
_ADVERBS: Final = r"""(?:(?:[a-z]+ly|[a-z]+ed|left|kept|taken|all|also|both|just|still|now|too|quite
    |so|far|way|rather|very|like|complete|total|a\s+(?:bit|little))\s+){0,2}"""
_MODAL: Final = r"""(?:(?:should|must|may|might|shall|can|could|will|would|needs?|ought|has|have
    |had)\s+(?:to\s+)?)?"""
_REFUSED = re.compile(
    rf"""{_LEAD} (?:
    (?: (?:should|must|may|might|shall|needs?|can|could|will|would|is|are|was|were|does|did|has
        |have|had|do(?=\s+not\s+(?:need|have)))
        (?:\s+(?:to|of|also|both))? (?:\s+(?:not?|never)|n'?t)
      | cannot | won'?t | can'?t | shan'?t | don'?t\s+(?:need|have)
      | {_ADVERBS} {_MODAL} {_ADVERBS} (?:
          (?: be(?:en)? | is | are | was | were | seems | looks | feels | sounds )
          \s+{_ADVERBS} (?:{_AWAY}|{_UNWANTED})
        | (?:stay|remain)s?\s+{_ADVERBS} (?:{_AWAY}|alone|{_UNWANTED})
        | keeps?\s+{_AWAY}\s+(?:of|from) ) )\b
    | (?: {_MODAL} (?:keep|sit|opt|bow|butt|back|step|go|get)(?:e?s)?\s+
        (?:(?:this|it|that)\s+(?:one\s+)?)? )? (?:{_AWAY}|{_UNWANTED})\b {_LATER} {_CLAUSE_END}
    | not\b(?!\s*@) | 以外 | 之外 | 除外 | 排除在外 | 替?换[成为]\s*@ | 改[成用]\s*@
    | 没有?必要(?!的) | 可以休息 )
    | (?:{_LEAD} | \s*[:\uff1a]\s*(?:please\s+)?) (?:
      (?:not?|never|don'?t|do\s+not|stop|no,?\s+thanks?) {_LATER}
    | (?:先|就|也|都|可以|这次|今天)*+
      (?: [不别](?:要|用|需要|必|能|许|行|参与|参加)? | 禁[止用]|取消|排除|算|免|关|停(?:一下|着)?
        | [歇休](?:一下|着|息) )
      (?:使用|用|参与|参加|插手|来|管|动|了|掉|再|吧|就[好行])*+ )
    {_CLAUSE_END}""",
    re.IGNORECASE | re.VERBOSE,
)
# "Keep @one out of this": behind these, it goes on behind the name.
_REMOVES = re.compile(
    r"""\b(?:keep|leav|turn|switch|shut|tak|kick|rul|call|cut|lock|pull|mov|throw|phas)(?:e|ing)?\s++
    (?:(?:the|both)\s++)?[`*'"(]*\Z""",
    re.IGNORECASE | re.VERBOSE,
)
_REMOVES_CHARS_MAX: Final = 40
_REMOVED = re.compile(rf"[`*'\")]*\s+(?:{_AWAY}|aside|alone)\b", re.IGNORECASE)
# Something of it is meant, or it is not the only one: "without @one's consent".
_OF_IT = re.compile(r"[`*\"]*(?:'s\b|\s*的)")
_NOT_ALONE = re.compile(
    r"除了?\s*+@[\w-]++\s*+(?:[以之]?外\s*+)?(?:[,\uff0c]\s*+)?(?:还|也(?![不别]))"
)


class Mentions(NamedTuple):
    """The sub-agents that a message asks for and forbids, in its order."""

    use: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()


def read_mentions(message: str, names: Collection[str]) -> Mentions:
    """Find the mentions of these sub-agents; who is also forbidden is not asked for."""
    if "@" not in message:
        return Mentions()
    text = fold_signs(_QUOTED_LINE.sub(";", without_code(message)))
    known = {name.casefold(): name for name in names}
    found = [
        (known[one[1].casefold()], Span(*one.span()))
        for several in _MENTIONS.finditer(text)
        for one in _ONE.finditer(text, *several.span())
        if one[1].casefold() in known
    ]
    if len(found) > _MENTIONS_MAX:
        return Mentions()
    lists = _group(text, found)
    spans = [Span(one[0][1].start, one[-1][1].end) for one in lists]
    use: dict[str, None] = {}
    forbid: dict[str, None] = {}
    for one, span, reach in zip(lists, spans, find_reaches(text, spans), strict=True):
        if _OF_IT.match(text, span.end):
            continue
        if reach == "refused" and not _NOT_ALONE.match(text, max(0, span.start - 2)):
            forbid |= dict.fromkeys(name for name, _ in one)
        elif reach == "free" and not _is_refused_behind(text, span):
            use |= dict.fromkeys(name for name, _ in one)
    return Mentions(tuple(name for name in use if name not in forbid), tuple(forbid))


def _is_refused_behind(text: str, span: Span) -> bool:
    if _REFUSED.match(text, span.end):
        return True
    before = max(0, span.start - _REMOVES_CHARS_MAX)
    is_removal = _REMOVES.search(text, before, span.start) is not None
    return is_removal and _REMOVED.match(text, span.end) is not None


_Named = tuple[str, Span]


def _group(text: str, found: list[_Named]) -> list[list[_Named]]:
    """Put names into lists; one behind a comma that something is said to begins a new sentence."""
    lists: list[list[_Named]] = []
    for named in found:
        start, end = named[1]
        between = text[lists[-1][-1][1].end : start] if lists else ""
        is_listed = 0 < len(between) <= _CONNECTOR_CHARS_MAX and _CONNECTOR.fullmatch(between)
        if is_listed and not (between.strip() in {",", "\uff0c"} and is_addressed(text, end)):
            lists[-1].append(named)
        else:
            lists.append([named])
    return lists
