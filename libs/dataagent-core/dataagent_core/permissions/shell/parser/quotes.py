"""Taking quotes off a word, and expanding its braces: `a{b,c}` becomes `ab ac`.

Quotes go first, so the braces and commas that count are marked while the word is read: quoted ones
do not.
"""

import re
from itertools import pairwise
from typing import Final

from dataagent_core.config.limits import SHELL_BRACE_WORDS_MAX
from dataagent_core.permissions.shell.word import UNKNOWN

_ESCAPE = re.compile(r"\\(.)|([{},])|([*?\[])", re.DOTALL)
_IN_STRING = re.compile(r'\\([$`"\\])|\\\n')
_ANSI = re.compile(r"\\(x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|[0-7]{1,3}|.)", re.DOTALL)
_ANSI_NAMES = {"n": "\n", "t": "\t", "\\": "\\", "'": "'", '"': '"', "?": "?", "e": UNKNOWN}

OPEN: Final = "\x01"
COMMA: Final = "\x02"
CLOSE: Final = "\x03"

_MARKS = str.maketrans({"{": OPEN, ",": COMMA, "}": CLOSE})
_UNMARKS = str.maketrans({OPEN: "{", COMMA: ",", CLOSE: "}"})


class TooManyWordsError(Exception):
    """The braces stand for more words than anybody would look at."""


def unquote(text: str) -> tuple[str, bool]:
    """Read an unquoted piece: braces marked, escapes gone; say whether a file name is expanded."""
    globs = False

    def replace(found: re.Match[str]) -> str:
        nonlocal globs
        escape, brace, glob = found.groups()
        if glob:
            globs = True
            return UNKNOWN
        return brace.translate(_MARKS) if brace else escape

    return _ESCAPE.sub(replace, text), globs


def unquote_string(text: str) -> str:
    """Read a literal piece between double quotes."""
    return _IN_STRING.sub(lambda found: found[1] or "", text) if "\\" in text else text


def unquote_ansi_c(text: str) -> str:
    """Read `$'...'`; control characters and rarer escapes count as unknown."""
    return _ANSI.sub(_ansi_character, text[2:-1])


def _ansi_character(found: re.Match[str]) -> str:
    code = found[1]
    if code in _ANSI_NAMES:
        return _ANSI_NAMES[code]
    if code[0] in "xu" and len(code) > 1:
        value = int(code[1:], 16)
    elif code[0] in "01234567":
        value = int(code, 8)
    else:
        return UNKNOWN
    return chr(value) if " " <= chr(value) <= "~" else UNKNOWN


def expand_braces(text: str) -> list[str]:
    """Give the words a marked text stands for."""
    words = _expand(text) if OPEN in text and COMMA in text else [text]
    return [word.translate(_UNMARKS) for word in words]


def _expand(text: str) -> list[str]:
    found = _first_group(text)
    if found is None:
        return [text]
    start, end, commas = found
    edges = [start, *commas, end]
    words = [
        text[:start] + middle + tail
        for left, right in pairwise(edges)
        for middle in _expand(text[left + 1 : right])
        for tail in _expand(text[end + 1 :])
    ]
    if len(words) > SHELL_BRACE_WORDS_MAX:
        raise TooManyWordsError
    return words


def _first_group(text: str) -> tuple[int, int, list[int]] | None:
    """Find the first braces that hold a comma of their own."""
    for start, character in enumerate(text):
        if character != OPEN:
            continue
        depth, commas = 0, list[int]()
        for place in range(start, len(text)):
            depth += {OPEN: 1, CLOSE: -1}.get(text[place], 0)
            if text[place] == COMMA and depth == 1:
                commas.append(place)
            if depth == 0:
                if commas:
                    return start, place, commas
                break
    return None
