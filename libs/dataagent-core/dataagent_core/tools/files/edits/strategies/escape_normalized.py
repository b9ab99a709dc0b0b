"""Finds an old string that a model escaped once too often. Pure.

Each function takes both strings of an edit and undoes one way of escaping, or returns `None` if
they are not wholly written in it: what is escaped in the old string must be escaped in the new one,
or a Windows path would become two lines.
"""

import json
import re
from collections.abc import Callable, Sequence
from functools import partial

from dataagent_core.errors import ValidationError
from dataagent_core.tools.files.edits.strategies.alignment import align_lines
from dataagent_core.tools.files.edits.strategies.line_merge import merge_alignment
from dataagent_core.tools.files.edits.strategies.replacement import EditTarget
from dataagent_core.tools.files.edits.strategies.text_lines import (
    find_positions,
    split_block,
    split_text_lines,
)

Strings = tuple[str, str]
_ESCAPE = re.compile(r"\\(.?)", re.DOTALL)
_LINE_ESCAPES = {"n": "\n", "t": "\t"}
_QUOTES = frozenset("\"'`$")


def unescape_json(old: str, new: str) -> Strings | None:
    """Undo JSON's escapes: quotes, backslashes, line ends, everything."""
    try:
        plain_old, plain_new = (str(json.loads(f'"{part}"')) for part in (old, new))
    except ValueError:
        return None
    return plain_old.replace("\r\n", "\n"), plain_new.replace("\r\n", "\n")


def unescape_line_ends(old: str, new: str) -> Strings | None:
    """Undo escapes of line ends and tabs where nothing else is escaped."""
    if "\n" in old or "\n" in new or not _kinds(new) <= _kinds(old) <= set(_LINE_ESCAPES):
        return None
    return _undo_escapes(old), _undo_escapes(new)


def unescape_quotes(old: str, new: str) -> Strings | None:
    """Undo escapes of quotes where nothing else is escaped."""
    if not _kinds(new) <= _kinds(old) <= _QUOTES:
        return None
    return _undo_escapes(old), _undo_escapes(new)


UNESCAPE_FORMS: Sequence[Callable[[str, str], Strings | None]] = (
    unescape_json,
    unescape_line_ends,
    unescape_quotes,
)


def splits_quotes(lines: Sequence[str]) -> bool:
    """Say whether a text in quotes goes on over a line end: an escape in it was meant as it is."""
    plain = [re.sub(r'"""|\'\'\'|\\.', "", line) for line in lines]
    return any(sum(line.count(quote) % 2 for line in plain) > 1 for quote in "\"'`")


def _kinds(text: str) -> set[str]:
    return set(_ESCAPE.findall(text))


def _undo_escapes(text: str) -> str:
    return _ESCAPE.sub(lambda match: _LINE_ESCAPES.get(match[1], match[1]), text)


def find_escape_normalized(text: str, old: str, new: str) -> list[EditTarget]:
    """Undo one level of escapes in both strings and find the old one as whole lines."""
    if "\\" not in old:
        return []
    readings = {strings for way in UNESCAPE_FORMS if (strings := way(old, new)) is not None}
    source = split_text_lines(text)
    found: dict[tuple[int, int], set[str]] = {}
    places: list[EditTarget] = []
    for plain_old, plain_new in readings:
        wanted = split_block(plain_old)
        if plain_old == old or not plain_old.strip():
            continue
        for first in find_positions(wanted.lines, source.lines):
            place = merge_alignment(align_lines(source, first, wanted, split_block(plain_new)))
            meanings = found.setdefault((place.start, place.end), set())
            meanings.add(plain_new)
            if len(meanings) == 1:
                carry = partial(_carry_escapes, place, (old, new), (plain_old, plain_new), meanings)
                places.append(EditTarget(place.start, place.end, carry))
    return sorted(places, key=lambda place: place.start)


def _carry_escapes(place: EditTarget, strings: Strings, plain: Strings, meanings: set[str]) -> str:
    known = set(plain[0].split("\n"))
    brought = [line for line in plain[1].split("\n") if line not in known]
    # Where quotes or backslashes are escaped as well, an escape that is meant is escaped twice.
    thorough = any(escape in string for string in strings for escape in ("\\\\", '\\"'))
    if len(meanings) > 1 or (not thorough and splits_quotes(brought)):
        raise ValidationError(
            "old_string is escaped once too often, and it is not clear which escapes of new_string "
            "are meant as they are."
        )
    return place.carry()
