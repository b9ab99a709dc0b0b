r"""Wildcards, matched in time that grows only with the text: rules may come from strangers.

    *   any characters; where parts are separated, none that separates
    **  any characters
    ?   one character; where parts are separated, not one that separates
    \   takes the next character as it is

Where parts are separated by `/`, `a/**/b` also fits `a/b`, and `a/**` also fits `a`.

All positions in the pattern that the text may have reached are the bits of one number; each
character moves them all at once (the "shift-and" way), so nothing is ever tried twice.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from dataagent_core.config.limits import PERMISSION_PATTERNS_CACHED_MAX

_TOKEN = re.compile(r"\\(.)|(\*\*+)|(\*)|(\?)|(.)", re.DOTALL)


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
        self._loops = _bits(wild in {"*", "**"} for wild, _ in parts)
        self._loops_over_separator = _bits(
            wild == "**" or (wild == "*" and separator is None) for wild, _ in parts
        )
        self._ones = _bits(wild == "?" for wild, _ in parts)
        self._steps = {
            character: _bits(c == character or wild == "?" for wild, c in parts)
            for _, character in parts
            if character
        }
        if separator is not None:
            self._steps[separator] = _bits(c == separator for _, c in parts)
        padded = [*parts, ("", separator or "")]
        self._jumps = _bits(
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


def _bits(places: Iterable[bool]) -> int:
    return sum(1 << place for place, is_set in enumerate(places) if is_set)


@lru_cache(maxsize=PERMISSION_PATTERNS_CACHED_MAX)
def _compiled(pattern: str, separator: str | None) -> Glob:
    return Glob(pattern, separator)


def fits_text(pattern: str, text: str) -> bool:
    """Match a pattern for a tool, a host or a word."""
    return _compiled(pattern, None).matches(text)


def fits_separated(pattern: str, text: str) -> bool:
    """Match a pattern for a path."""
    return _compiled(pattern, "/").matches(text)
