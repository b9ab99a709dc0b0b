r"""The ways in which a model escapes a string once too often. Pure.

Each takes both strings of an edit and undoes one way, or gives `None` where they are not wholly
written in it: what is escaped in the old string must be what is escaped in the new one, or
`C:\new` would become two lines.
"""

import json
import re
from collections.abc import Callable, Sequence

Strings = tuple[str, str]

_ESCAPE = re.compile(r"\\(.?)", re.DOTALL)
_LINE_ESCAPES = {"n": "\n", "t": "\t"}
_QUOTES = frozenset("\"'`$")


def json_strings(old: str, new: str) -> Strings | None:
    """Undo JSON's escapes: quotes, backslashes, line ends, everything."""
    try:
        plain_old, plain_new = (str(json.loads(f'"{part}"')) for part in (old, new))
    except ValueError:
        return None
    return plain_old.replace("\r\n", "\n"), plain_new.replace("\r\n", "\n")


def escaped_line_ends(old: str, new: str) -> Strings | None:
    """Undo escapes of line ends and tabs where nothing else is escaped."""
    if "\n" in old or "\n" in new or not _kinds(new) <= _kinds(old) <= set(_LINE_ESCAPES):
        return None
    return _undone(old), _undone(new)


def escaped_quotes(old: str, new: str) -> Strings | None:
    """Undo escapes of quotes where nothing else is escaped."""
    if not _kinds(new) <= _kinds(old) <= _QUOTES:
        return None
    return _undone(old), _undone(new)


WAYS: Sequence[Callable[[str, str], Strings | None]] = (
    json_strings,
    escaped_line_ends,
    escaped_quotes,
)


def splits_quotes(lines: Sequence[str]) -> bool:
    """Say whether a text in quotes goes on over a line end: an escape in it was meant as it is."""
    plain = [re.sub(r'"""|\'\'\'|\\.', "", line) for line in lines]
    return any(sum(line.count(quote) % 2 for line in plain) > 1 for quote in "\"'`")


def _kinds(text: str) -> set[str]:
    return set(_ESCAPE.findall(text))


def _undone(text: str) -> str:
    return _ESCAPE.sub(lambda match: _LINE_ESCAPES.get(match[1], match[1]), text)
