r"""Checks a user's message, and finds the files and folders that it names with `@`. Pure.

`@report.md`, `@src/`, and with blanks `@"my report.md"` or `@my\ report.md`. An `@` within a word,
as in a mail address, names nothing.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from dataagent_core.config.limits import PROMPT_CHARS_MAX
from dataagent_core.errors import ValidationError

# The number of characters, from the beginning of a message, that the user wrote; the rest came from
# a file or another program and is foreign content.
OWN_WORDS_KEY = "own_words_chars"
# A short description of where the rest came from, or a list of them.
OTHERS_WORDS_KEY = "others_words_from"
# The sub-agents that the user chose, under `use`, and those they do not want, under `forbid`.
SUBAGENTS_KEY = "subagents"

_UNNAMED: Final = "standard input"
_MENTION: Final = re.compile(
    r"""(?:^|(?<=[\s(\[]))@(?:"([^"\n]+)"|'([^'\n]+)'|((?:\\.|[^\s\\'"])+))"""
)
# Punctuation that may follow a name, in English and in Chinese.
_PUNCTUATION: Final = ".,;:!?)]}\u3002\uff0c\uff1b\uff1a\uff01\uff1f\uff09\u3011"
_CODE: Final = re.compile(
    r"""^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[ \t]*$|\Z)|`[^`\n]+`""", re.DOTALL | re.MULTILINE
)
# An npm package, `@scope/package` or `@scope/package@1.2.3`, most often not in the workspace.
_PACKAGE: Final = re.compile(r"[a-z0-9][\w.-]*/[\w-]+(?:@\S+)?", re.ASCII)


def mentions_of(text: str) -> list[tuple[str, ...]]:
    """List the mentions, each with its possible spellings, the likeliest first."""
    found: dict[tuple[str, ...], None] = {}
    for match in _MENTION.finditer(text):
        quoted = match[1] or match[2]
        if quoted:
            found[quoted,] = None
            continue
        bare = re.sub(r"\\(.)", r"\1", match[3])
        stripped = without_punctuation(bare)
        if stripped:
            found[tuple(dict.fromkeys((bare, stripped)))] = None
    return list(found)


def sure_mentions_of(text: str) -> list[tuple[str, ...]]:
    """List the mentions that surely mean a file, so that a missing one can be reported.

    The others are looked up too. An `@` in code, before an npm package, and before a plain word in
    a text of several lines (a decorator, a name in a mail) is most often no mention.
    """
    one_line = "\n" not in text.strip()
    found = mentions_of(without_code(text))
    return [spellings for spellings in found if _is_sure(spellings[-1], one_line=one_line)]


def without_code(text: str) -> str:
    """Remove blocks of code, and code in a line."""
    return _CODE.sub("``", text)


def _is_sure(name: str, *, one_line: bool) -> bool:
    if _PACKAGE.fullmatch(name):
        return False
    return one_line or "/" in name or "." in name.strip(".")


def without_punctuation(word: str) -> str:
    """Remove the punctuation after a name."""
    return word.rstrip(_PUNCTUATION)


def mention(name: str) -> str:
    """Write the mention of a file."""
    if '"' in name:
        return "@" + re.sub(r"([\s'\"\\])", r"\\\1", name)
    return f'@"{name}"' if re.search(r"[\s'\\]", name) or name[-1:] in _PUNCTUATION else f"@{name}"


def check_prompt(text: str) -> None:
    """Raise if a message is empty or too long."""
    if not text.strip():
        raise ValidationError("the message is empty. Say what you want done.")
    if len(text) > PROMPT_CHARS_MAX:
        raise ValidationError(
            f"the message is longer than {PROMPT_CHARS_MAX:,} characters. "
            "Put long text into a file in the workspace and name it."
        )


def own_words(text: str, metadata: Mapping[str, Any]) -> str:
    """Return the part of a message that the user wrote themselves."""
    chars = metadata.get(OWN_WORDS_KEY)
    if isinstance(chars, int) and chars >= 0:
        return text[:chars]
    return "" if OWN_WORDS_KEY in metadata else text


def sources_of_others(metadata: Mapping[str, Any]) -> list[str]:
    """List where the part of a message came from that the user did not write."""
    if OWN_WORDS_KEY not in metadata:
        return []
    named = metadata.get(OTHERS_WORDS_KEY)
    return [str(one) for one in named] if isinstance(named, list) else [str(named or _UNNAMED)]
