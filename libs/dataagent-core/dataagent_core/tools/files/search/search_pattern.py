"""A pattern to search with: a regular expression of ripgrep, for one line of text. Pure."""

import re
from dataclasses import dataclass

from dataagent_core.config.limits import GREP_COMPILED_BYTES_MAX, GREP_PATTERN_CHARS_MAX
from dataagent_core.errors import ValidationError

# What stands for characters that it does not name: `.`, `[^a]`, `\W`, or names U+FFFD itself.
_OPEN = re.compile(r"\.|\[:?\^|\\[A-Zpux]|\ufffd")


@dataclass(frozen=True, slots=True)
class SearchPattern:
    """A pattern of allowed length; whether it is well formed ripgrep says at its first search."""

    text: str
    ignore_case: bool

    @property
    def arguments(self) -> tuple[str, ...]:
        """Give what ripgrep is told about it."""
        case = "--ignore-case" if self.ignore_case else "--case-sensitive"
        size = f"--regex-size-limit={GREP_COMPILED_BYTES_MAX}"
        return (case, "--crlf", size, f"--regexp={self.text}")

    @property
    def may_match_replaced_bytes(self) -> bool:
        """Say whether it may match U+FFFD, which stands for a byte that is no UTF-8."""
        return _OPEN.search(self.text) is not None

    def make_error(self, reason: str) -> ValidationError:
        """Say what is wrong with it."""
        return ValidationError(
            f"The pattern {self.text!r:.1100} is no regular expression: {reason}. Put a backslash "
            "before characters that are meant as they are."
        )


def make_search_pattern(text: str, *, ignore_case: bool) -> SearchPattern:
    """Take a pattern, or raise `ValidationError` saying what is wrong with it."""
    pattern = SearchPattern(text, ignore_case)
    if not text or len(text) > GREP_PATTERN_CHARS_MAX:
        raise pattern.make_error(f"a pattern has 1 to {GREP_PATTERN_CHARS_MAX} characters")
    if any(char in "\n\0" or "\ud800" <= char <= "\udfff" for char in text):
        raise pattern.make_error(
            "grep looks at one line of text at a time; this is no part of a line"
        )
    return pattern
