"""Taking quotes off: what bash leaves of an unquoted word, a string and an ANSI-C string."""

import re

from dataagent_core.permissions.shell.braces import MARKS
from dataagent_core.permissions.shell.word import UNKNOWN

_ESCAPE = re.compile(r"\\(.)|([{},])|([*?\[])", re.DOTALL)
_IN_STRING = re.compile(r'\\([$`"\\])|\\\n')
_ANSI = re.compile(r"\\(x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|[0-7]{1,3}|.)", re.DOTALL)
_ANSI_NAMES = {"n": "\n", "t": "\t", "\\": "\\", "'": "'", '"': '"', "?": "?", "e": UNKNOWN}


def unquoted(text: str) -> tuple[str, bool]:
    """Read an unquoted piece: braces marked, escapes gone; say whether a file name is expanded."""
    globs = False

    def replace(found: re.Match[str]) -> str:
        nonlocal globs
        escape, brace, glob = found.groups()
        if glob:
            globs = True
            return UNKNOWN
        return brace.translate(MARKS) if brace else escape

    return _ESCAPE.sub(replace, text), globs


def in_string(text: str) -> str:
    """Read a literal piece between double quotes."""
    return _IN_STRING.sub(lambda found: found[1] or "", text) if "\\" in text else text


def ansi_c(text: str) -> str:
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
