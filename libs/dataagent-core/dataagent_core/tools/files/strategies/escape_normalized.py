r"""Finds an old string that was escaped once too often: a written `\n` that means a line end."""

import re

from dataagent_core.tools.files.strategies.exact import exact
from dataagent_core.tools.files.strategies.replacement import Replacement

_MEANING = {"n": "\n", "t": "\t", "r": "\r"}
_ESCAPE = re.compile(r"""\\([ntr'"`\\$])""")


def escape_normalized(text: str, old: str, new: str) -> list[Replacement]:
    """Take one level of escapes from both strings; what was escaped in one was in the other."""
    unescaped = _unescaped(old)
    if unescaped == old or not unescaped.strip():
        return []
    return exact(text, unescaped, _unescaped(new))


def _unescaped(text: str) -> str:
    plain = _ESCAPE.sub(lambda match: _MEANING.get(match[1], match[1]), text)
    return plain.replace("\r\n", "\n")
