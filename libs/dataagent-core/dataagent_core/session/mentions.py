r"""The files and folders that a message names with `@`. Pure.

`@report.md`, `@src/`, and with blanks `@"my report.md"` or `@my\ report.md`. An `@` within a word,
as in an address of mail, names nothing.
"""

import re
from typing import Final

_MENTION: Final = re.compile(
    r"""(?:^|(?<=[\s(\[]))@(?:"([^"\n]+)"|'([^'\n]+)'|((?:\\.|[^\s\\'"])+))"""
)
# What a sentence puts behind a name, in English and in Chinese.
_AFTER: Final = ".,;:!?)]}\u3002\uff0c\uff1b\uff1a\uff01\uff1f\uff09\u3011"


def mentions_of(text: str) -> list[tuple[str, ...]]:
    """List what is named, each with the spellings it may be meant by, the likeliest first."""
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


def without_punctuation(word: str) -> str:
    """Take off what a sentence puts behind a name."""
    return word.rstrip(_AFTER)


def mention(name: str) -> str:
    """Write the name of a file so that it is read as one."""
    if '"' in name:
        return "@" + re.sub(r"([\s'\"\\])", r"\\\1", name)
    return f'@"{name}"' if re.search(r"[\s'\\]", name) or name[-1:] in _AFTER else f"@{name}"
