"""Compiles a pattern of a skill's author: words, or a regular expression written `/.../`."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from dataagent_core.errors import ValidationError
from dataagent_core.language.linear_regex import compile_linear, count_steps, find_linear
from dataagent_core.models.embeddings.match_document import WeightedPattern


@dataclass(frozen=True, slots=True)
class MessagePattern:
    """Says whether a pattern occurs in a message."""

    occurs_in: Callable[[str], bool]
    # What a search costs for each character of a message, at worst.
    steps: int = 1

    def __call__(self, message: str) -> bool:
        """Say whether it occurs."""
        return self.occurs_in(message)


def compile_pattern(pattern: WeightedPattern) -> MessagePattern:
    """Return a function that says whether the pattern occurs; raises where it cannot be used."""
    regex = pattern.regex
    if regex is not None:
        compiled = compile_linear(regex)
        return MessagePattern(
            lambda message: find_linear(compiled, message) is not None, count_steps(compiled)
        )
    words = pattern.pattern.strip()
    if not words:
        raise ValidationError("A trigger pattern is empty: give it words, or leave it out.")
    # Whole words; Chinese has no boundaries between them, and beside it an English word ends.
    start = r"\b" if words[0].isascii() and words[0].isalnum() else ""
    end = r"\b" if words[-1].isascii() and words[-1].isalnum() else ""
    literal = re.compile(start + re.escape(words) + end, re.IGNORECASE | re.ASCII)
    return MessagePattern(lambda message: literal.search(message) is not None)
