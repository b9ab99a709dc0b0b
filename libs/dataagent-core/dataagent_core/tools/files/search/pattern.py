"""A pattern ready to search with: compiled for our own engine, written for ripgrep.

`regex` is used and not `re`, because its searches take a time limit: some patterns need ages on
some lines.
"""

from dataclasses import dataclass

import regex

from dataagent_core.errors import ValidationError
from dataagent_core.tools.files.search.deadline import Deadline, too_slow
from dataagent_core.tools.files.search.dialect import for_ripgrep


@dataclass(frozen=True, slots=True)
class SearchPattern:
    """One pattern in the two forms it is needed."""

    compiled: "regex.Pattern[str]"
    ripgrep: str
    ignore_case: bool

    def found_in(self, text: str, deadline: Deadline) -> bool:
        """Say whether it occurs in a text, in the time that is left."""
        try:
            found = self.compiled.search(text, timeout=deadline.left_s(), concurrent=True)
        except TimeoutError as error:
            raise too_slow() from error
        return found is not None


def search_pattern(text: str, *, ignore_case: bool) -> SearchPattern:
    """Read a pattern, or raise `ValidationError` saying what is wrong with it."""
    ripgrep = for_ripgrep(text, ignore_case=ignore_case)
    # A line is searched alone, and before that the whole text at once: ^ and $ mean lines in both.
    flags = regex.MULTILINE | (regex.IGNORECASE if ignore_case else 0)
    try:
        compiled = regex.compile(text, flags | regex.VERSION0)
    except regex.error as error:
        raise ValidationError(
            f"The pattern {text!r} is no regular expression: {error}. Put a backslash before "
            "characters that are meant as they are."
        ) from error
    return SearchPattern(compiled, ripgrep, ignore_case)
