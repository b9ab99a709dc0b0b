r"""What a person may send; checked here, far from the engine, so that a refusal is instant.

The files and folders that a message names with `@`. Pure.

`@report.md`, `@src/`, and with blanks `@"my report.md"` or `@my\ report.md`. An `@` within a word,
as in an address of mail, names nothing.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from dataagent_core.config.limits import PROMPT_CHARS_MAX
from dataagent_core.errors import ValidationError

_MENTION: Final = re.compile(
    r"""(?:^|(?<=[\s(\[]))@(?:"([^"\n]+)"|'([^'\n]+)'|((?:\\.|[^\s\\'"])+))"""
)
# What a sentence puts behind a name, in English and in Chinese.
_AFTER: Final = ".,;:!?)]}\u3002\uff0c\uff1b\uff1a\uff01\uff1f\uff09\u3011"
_CODE: Final = re.compile(
    r"""^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[ \t]*$|\Z)|`[^`\n]+`""", re.DOTALL | re.MULTILINE
)
# `@scope/package`, `@scope/package@1.2.3`: of npm, and most often not of the workspace.
_PACKAGE: Final = re.compile(r"[a-z0-9][\w.-]*/[\w-]+(?:@\S+)?", re.ASCII)


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


def sure_mentions_of(text: str) -> list[tuple[str, ...]]:
    """List what a person surely means as a name, so that they can be told that nothing has it.

    Others are looked up all the same. An `@` in code, before a package of npm, and before a plain
    word in several lines (a decorator, somebody's name in a mail) is most often no name.
    """
    one_line = "\n" not in text.strip()
    found = mentions_of(_CODE.sub("``", text))
    return [spellings for spellings in found if _is_sure(spellings[-1], one_line=one_line)]


def _is_sure(name: str, *, one_line: bool) -> bool:
    if _PACKAGE.fullmatch(name):
        return False
    return one_line or "/" in name or "." in name.strip(".")


def without_punctuation(word: str) -> str:
    """Take off what a sentence puts behind a name."""
    return word.rstrip(_AFTER)


def mention(name: str) -> str:
    """Write the name of a file so that it is read as one."""
    if '"' in name:
        return "@" + re.sub(r"([\s'\"\\])", r"\\\1", name)
    return f'@"{name}"' if re.search(r"[\s'\\]", name) or name[-1:] in _AFTER else f"@{name}"


# How many characters of a message, from its beginning, the person wrote; the rest was handed in
# with it, from a file or another program, and may be anybody's.
OWN_WORDS_KEY = "own_words_chars"
# Where the rest came from, in a few words for a person.
OTHERS_WORDS_KEY = "others_words_from"


def check_prompt(text: str) -> None:
    """Refuse what is not worth a model call."""
    if not text.strip():
        raise ValidationError("the message is empty. Say what you want done.")
    if len(text) > PROMPT_CHARS_MAX:
        raise ValidationError(
            f"the message is longer than {PROMPT_CHARS_MAX:,} characters. "
            "Put long text into a file in the workspace and name it."
        )


def own_words(text: str, metadata: Mapping[str, Any]) -> str:
    """Give the part of a message that the person wrote themselves."""
    chars = metadata.get(OWN_WORDS_KEY)
    if isinstance(chars, int) and chars >= 0:
        return text[:chars]
    return "" if OWN_WORDS_KEY in metadata else text
