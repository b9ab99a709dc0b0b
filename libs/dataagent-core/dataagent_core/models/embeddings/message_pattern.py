"""Compiles a pattern of a skill's author: words, or a regular expression written `/.../`."""

import re
from collections.abc import Callable

from dataagent_core.errors import ValidationError
from dataagent_core.language.linear_regex import compile_linear, find_linear
from dataagent_core.models.embeddings.match_document import WeightedPattern

MessagePattern = Callable[[str], bool]


def compile_pattern(pattern: WeightedPattern) -> MessagePattern:
    """Return a function that says whether the pattern occurs; raises where it cannot be used."""
    regex = pattern.regex
    if regex is not None:
        compiled = compile_linear(regex)
        return lambda message: find_linear(compiled, message) is not None
    words = pattern.pattern.strip()
    if not words:
        raise ValidationError("A trigger pattern is empty: give it words, or leave it out.")
    # Whole words; Chinese has no boundaries between them, and beside it an English word ends.
    start = r"\b" if words[0].isascii() and words[0].isalnum() else ""
    end = r"\b" if words[-1].isascii() and words[-1].isalnum() else ""
    literal = re.compile(start + re.escape(words) + end, re.IGNORECASE | re.ASCII)
    return lambda message: literal.search(message) is not None
