"""JSON as VS Code and opencode write it: with comments and trailing commas. Pure."""

import re

# What is not closed goes on to the end: looking for its close again and again would take for ever.
_TEXT = r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)'
_COMMENT = r"//[^\n]*|/\*.*?(?:\*/|\Z)"
# A string is matched first, so that what looks like a comment inside it stays.
_TOKEN = re.compile(f"(?P<text>{_TEXT})|(?P<comment>{_COMMENT})|(?P<comma>,)", re.DOTALL)
_ENDS = re.compile(rf"(?:\s|{_COMMENT})*+[\]}}]", re.DOTALL)


def without_comments(text: str) -> str:
    """Take out comments and trailing commas; line numbers stay as they are."""

    def kept(found: re.Match[str]) -> str:
        if found["comment"] is not None:
            return "\n" * found[0].count("\n") or " "
        if found["comma"] is not None:
            return "" if _ENDS.match(text, found.end()) else ","
        return found[0]

    return _TOKEN.sub(kept, text)
