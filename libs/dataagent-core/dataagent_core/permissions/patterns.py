r"""Patterns of rules for tools, hosts and paths, of which a part may be unknown.

    *   any characters; where parts are separated, none that separates
    **  any characters
    ?   one character; where parts are separated, not one that separates
    \   takes the next character as it is

In a path, parts are separated by `/`: `a/**/b` also fits `a/b`, and `a/**` also fits `a`. Patterns
for commands are in `command_patterns.py`.

Rules may come from strangers, so matching takes time that is linear in the text: the positions in
the pattern that the text may have reached are the bits of one number, and each character moves all
of them at once (the "shift-and" algorithm). Nothing is tried twice.
"""

import posixpath
import re
from collections.abc import Iterable
from enum import IntEnum
from functools import lru_cache
from typing import Final

from dataagent_core.config.limits import PERMISSION_PATTERNS_CACHED_MAX
from dataagent_core.permissions.shell.line import UNKNOWN

# Patterns that fit everything.
EVERYTHING: Final = frozenset({"*", "**", "/**"})
_TOKEN = re.compile(r"\\(.)|(\*\*+)|(\*)|(\?)|(.)", re.DOTALL)
_WILD = re.compile(r"[*?\\]")


class PatternMatch(IntEnum):
    """How surely a pattern fits; `MAYBE`: only running the command would tell."""

    NO = 0
    MAYBE = 1
    YES = 2


def fits_name(pattern: str, name: str) -> PatternMatch:
    """Fit a pattern to a tool or a host."""
    if UNKNOWN in name and pattern not in EVERYTHING:
        return PatternMatch.MAYBE
    return PatternMatch.YES if fits_text(pattern, name) else PatternMatch.NO


def fits_path(pattern: str, path: str) -> PatternMatch:
    """Fit a pattern to a path as `normalize_path` writes it; a relative one begins at the root."""
    if pattern in EVERYTHING:
        return PatternMatch.YES
    if UNKNOWN in path:
        # What is unknown may hold `..` and lead anywhere.
        return PatternMatch.MAYBE
    return (
        PatternMatch.YES
        if _compiled(normalize_pattern(pattern), "/").matches(path)
        else PatternMatch.NO
    )


@lru_cache(maxsize=PERMISSION_PATTERNS_CACHED_MAX)
def normalize_pattern(pattern: str) -> str:
    """Write a pattern for paths from the root, in one spelling; `/src/` is the whole folder."""
    names = [name for name in pattern.split("/") if name not in {"", "."}]
    if names and pattern.endswith("/"):
        names.append("**")
    floats = names[:1] == ["**"] and not pattern.startswith("/")
    return ("" if floats else "/") + "/".join(names)


def normalize_path(path: str, cwd: str = "/") -> str:
    """Write a path absolute from the root, without `.`, `..` and doubled slashes."""
    if UNKNOWN in path:
        return path if path.startswith(("/", UNKNOWN)) else posixpath.join(cwd, path)
    return "/" + posixpath.normpath(posixpath.join("/", cwd, path)).lstrip("/")


def escape_pattern(text: str) -> str:
    """Write a text as the pattern that fits only it."""
    return _WILD.sub(lambda found: "\\" + found[0], text)


def fits_text(pattern: str, text: str) -> bool:
    """Match a pattern against a whole text in which nothing separates parts."""
    return _compiled(pattern, None).matches(text)


class Glob:
    """A pattern, ready to be matched; bit n stands for "the first n parts are done"."""

    def __init__(self, pattern: str, separator: str | None) -> None:
        self._separator = separator
        parts = [
            ("**" if double else single or one, escaped or plain)
            for escaped, double, single, one, plain in _TOKEN.findall(pattern)
        ]
        self._exact = None if any(wild for wild, _ in parts) else "".join(c for _, c in parts)
        self._end = 1 << len(parts)
        self._loops = _make_bits(wild in {"*", "**"} for wild, _ in parts)
        self._loops_over_separator = _make_bits(
            wild == "**" or (wild == "*" and separator is None) for wild, _ in parts
        )
        self._ones = _make_bits(wild == "?" for wild, _ in parts)
        # One pass: a pattern of a stranger may have thousands of characters.
        places: dict[str, int] = {}
        if self._exact is None:
            for index, (_, character) in enumerate(parts):
                if character:
                    places[character] = places.get(character, 0) | 1 << index
        self._steps = {character: at | self._ones for character, at in places.items()}
        if separator is not None:
            self._steps[separator] = _make_bits(c == separator for _, c in parts)
        padded = [*parts, ("", separator or "")]
        self._jumps = _make_bits(
            padded[n : n + 3] == [("", separator), ("**", ""), ("", separator)]
            for n in range(len(parts))
        )

    def matches(self, text: str) -> bool:
        """Say whether the pattern fits the whole text."""
        if self._exact is not None:
            return text == self._exact
        reached = self._spread(1)
        for character in text:
            over = character == self._separator
            loops = self._loops_over_separator if over else self._loops
            steps = self._steps.get(character, self._ones)
            reached = self._spread(((reached & steps) << 1) | (reached & loops))
            if not reached:
                return False
        return bool(reached & self._end)

    def _spread(self, reached: int) -> int:
        """Add the positions that are reached without a character."""
        while True:
            further = reached | ((reached & self._loops) << 1) | ((reached & self._jumps) << 2)
            if further == reached:
                return reached
            reached = further


def _make_bits(flags: Iterable[bool]) -> int:
    return sum(1 << index for index, is_set in enumerate(flags) if is_set)


_compiled = lru_cache(maxsize=PERMISSION_PATTERNS_CACHED_MAX)(Glob)
