"""Turns paths of pictures and PDF documents in a message into `@` names the agent can open.

A path may be dragged, pasted or typed: quoted, with escaped blanks, as `file://`, or bare. A name
that has `@` already stays as it is, unless the agent cannot see the file.
"""

import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import unquote

from dataagent_cli.conversation.attachments import ATTACHED_ENDINGS
from dataagent_core.session.prompt import mention, without_punctuation

# A quotation mark starts a name only at the start of a word: an apostrophe does not.
_PATH = re.compile(
    r"""(?<![^\s(\[@])@?(?:'([^'\n]+)'|"([^"\n]+)"|((?:\\.|[^\s'"\\@(\[])(?:\\.|[^\s"\\])*))"""
)
_FILE_URL = "file://"

Attach = Callable[[str], Awaitable[str]]


async def with_pictures(text: str, here: Path, attach: Attach) -> str:
    """Replace every existing picture's path by its `@` name; `here` resolves relative paths."""
    result: list[str] = []
    end = 0
    for found in _PATH.finditer(text):
        named = found[0].startswith("@")
        for path, chars_after in _candidate_paths(found):
            if _is_there(path, here) and not (named and _is_inside(path, here)):
                result += [text[end : found.start()], mention(await attach(path))]
                end = found.end() - chars_after
                break
    return "".join([*result, text[end:]])


def _candidate_paths(found: re.Match[str]) -> list[tuple[str, int]]:
    """Return possible paths, each with the number of characters after it."""
    bare: str | None = found[3]
    if bare is None:
        return [(_path_from_url(found[1] or found[2]), 0)]
    short = without_punctuation(bare)
    return [(_unescape(bare), 0), (_unescape(short), len(bare) - len(short))]


def _unescape(text: str) -> str:
    return _path_from_url(re.sub(r"\\(.)", r"\1", text))


def _path_from_url(text: str) -> str:
    if not text.startswith(_FILE_URL):
        return text
    return unquote(text.removeprefix(_FILE_URL).removeprefix("localhost"))


def _is_there(path: str, here: Path) -> bool:
    if Path(path).suffix.lower() not in ATTACHED_ENDINGS:
        return False
    try:
        return (here / Path(path).expanduser()).is_file()
    except (OSError, RuntimeError, ValueError):  # no such user, a name too long, a zero byte
        return False


def _is_inside(path: str, here: Path) -> bool:
    """Say whether the agent can read `path` as it is: `~` means nothing to it."""
    return not path.startswith("~") and (here / path).resolve().is_relative_to(here.resolve())
