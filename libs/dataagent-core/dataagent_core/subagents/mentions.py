"""Reads `@name` in a message: a person asks for a sub-agent by name, or forbids one.

    @code-reviewer look at this     asks for it
    do it without @web-researcher   forbids it

A name that no sub-agent has is left to the files that a message attaches.
"""

import re
from collections.abc import Collection
from typing import NamedTuple

_MENTION = re.compile(
    r"(?<![A-Za-z0-9_@/.])@(?P<name>[a-z0-9]+(?:-[a-z0-9]+)*)(?![A-Za-z0-9_/-]|\.[A-Za-z0-9])"
)
# What stands right before a mention that forbids.
_FORBIDDING = re.compile(
    r"(?:\b(?:without|not\s+use|don.?t\s+use|never\s+use|not\s+ask|don.?t\s+ask|except|no)"
    r"(?:\s+(?:the|for))?|不要用|不要使用|不要让|不要找|别用|别让|别找|不用|不使用|除了)\s*\Z",
    re.IGNORECASE,
)
_BEFORE_CHARS_MAX = 40


class Mentions(NamedTuple):
    """The sub-agents that a message asks for and forbids, in its order."""

    use: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()


def read_mentions(message: str, names: Collection[str]) -> Mentions:
    """Find the mentions of these sub-agents; who is also forbidden is not asked for."""
    use: dict[str, None] = {}
    forbid: dict[str, None] = {}
    for found in _MENTION.finditer(message):
        if found["name"] in names:
            before = message[max(0, found.start() - _BEFORE_CHARS_MAX) : found.start()]
            (forbid if _FORBIDDING.search(before) else use)[found["name"]] = None
    return Mentions(tuple(name for name in use if name not in forbid), tuple(forbid))
