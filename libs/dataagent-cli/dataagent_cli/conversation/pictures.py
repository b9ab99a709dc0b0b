"""Paths of pictures and PDF documents in a message become `@` names that the agent can open.

Dragged, pasted or typed: quoted, with escaped blanks, as `file://`, or bare. One that is named with
`@` already is left as it is, unless it lies where the agent cannot see it.
"""

import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import unquote

from dataagent_cli.conversation.attachments import ATTACHED_ENDINGS
from dataagent_core.session.prompt import mention, without_punctuation

# A quotation mark begins a name at the beginning of a word: an apostrophe does not.
_PATH = re.compile(
    r"""(?<![^\s(\[@])@?(?:'([^'\n]+)'|"([^"\n]+)"|((?:\\.|[^\s'"\\@(\[])(?:\\.|[^\s"\\])*))"""
)
_FILE_URL = "file://"

Attach = Callable[[str], Awaitable[str]]


async def with_pictures(text: str, here: Path, attach: Attach) -> str:
    """Name every picture that is there as the agent can open it; `here` is where paths begin."""
    result: list[str] = []
    end = 0
    for found in _PATH.finditer(text):
        named = found[0].startswith("@")
        for path, chars_after in _spellings(found):
            if _is_there(path, here) and not (named and _is_inside(path, here)):
                result += [text[end : found.start()], mention(await attach(path))]
                end = found.end() - chars_after
                break
    return "".join([*result, text[end:]])


def _spellings(found: re.Match[str]) -> list[tuple[str, int]]:
    """Read what may be a path, with how many characters behind it are not part of it."""
    bare: str | None = found[3]
    if bare is None:
        return [(_from_url(found[1] or found[2]), 0)]
    short = without_punctuation(bare)
    return [(_unescaped(bare), 0), (_unescaped(short), len(bare) - len(short))]


def _unescaped(written: str) -> str:
    return _from_url(re.sub(r"\\(.)", r"\1", written))


def _from_url(written: str) -> str:
    if not written.startswith(_FILE_URL):
        return written
    return unquote(written.removeprefix(_FILE_URL).removeprefix("localhost"))


def _is_there(path: str, here: Path) -> bool:
    if Path(path).suffix.lower() not in ATTACHED_ENDINGS:
        return False
    try:
        return (here / Path(path).expanduser()).is_file()
    except (OSError, RuntimeError, ValueError):  # no such user, a name too long, a zero byte
        return False


def _is_inside(path: str, here: Path) -> bool:
    """Say whether the agent reads `path` as it stands: `~` is nobody's home to it."""
    return not path.startswith("~") and (here / path).resolve().is_relative_to(here.resolve())
