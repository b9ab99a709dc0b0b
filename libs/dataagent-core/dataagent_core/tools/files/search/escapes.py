"""Escapes that stand for one character."""

import re

from dataagent_core.tools.files.search.reader import Reader

_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}
_HEX = re.compile("[0-9A-Fa-f]+")
_CODE_MAX = 0x10FFFF
_SURROGATES = range(0xD800, 0xE000)
_NO_LINE_CODES = (0x00, 0x0A)
_CONTROL = {"t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a"}


def escaped_char(reader: Reader) -> str:
    """Read an escape that stands for one character, or refuse it."""
    letter = reader.escaped_letter()
    if letter in _HEX_DIGITS:
        return _by_code(reader, _HEX_DIGITS[letter])
    if letter in _CONTROL:
        reader.take(2)
        return _CONTROL[letter]
    if not letter or letter.isalnum() or letter in "<>\n\0" or not letter.isascii():
        raise reader.refuse(_why_not(letter))
    reader.take(2)
    return letter


def _by_code(reader: Reader, count: int) -> str:
    digits = reader.pattern[reader.at + 2 : reader.at + 2 + count]
    if len(digits) < count or not _HEX.fullmatch(digits):
        raise reader.refuse(f"{reader.take(2)} needs {count} hexadecimal digits")
    code = int(digits, 16)
    if code > _CODE_MAX or code in _SURROGATES or code in _NO_LINE_CODES:
        raise reader.refuse("this is no character of a line")
    reader.take(2 + count)
    return chr(code)


def _why_not(letter: str) -> str:
    match letter:
        case "":
            return "a backslash ends it"
        case "n":
            return "grep looks at one line at a time, and a line holds no \\n"
        case "A" | "Z" | "z":
            return f"\\{letter} is read differently; use ^ and $"
        case "<" | ">":
            return f"\\{letter} is read differently; use \\b"
        case _ if letter.isdigit():
            return "it refers back to a group, which ripgrep cannot"
        case _:
            return f"\\{letter} is not known to both Python and ripgrep"
