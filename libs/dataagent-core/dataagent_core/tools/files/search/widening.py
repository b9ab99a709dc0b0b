r"""What ripgrep is asked for in place of what Python's engine reads a little differently.

Python decides what matches. So ripgrep must propose every file in which Python could find
something, and may propose a few more: `\w` and its like differ between the two in rare characters,
and bytes that are not UTF-8 are characters for Python only.
"""

# A byte that is no UTF-8; Python's engine sees it as a character that is neither word nor space.
RAW_BYTE = r"(?-u:[\x80-\xFF])"
ANY = rf"(?:.|{RAW_BYTE})"
# Lines lose a carriage return at their end before Python sees them.
LINE_END = r"(?:\r?$)"
NOTHING = "(?:)"

# Outside a class, and as a part of a class that is not negated: at least what Python matches.
WIDER = {
    "d": r"[\d]",
    "D": r"[\D]",
    "w": r"[\w\p{N}]",
    "W": r"[^\p{L}\p{Nd}_]",
    "s": r"[\s\x1c-\x1f]",
    "S": r"[^\x20\t]",
}
# As a part of a negated class: at most what Python matches.
NARROWER = {
    "d": r"\d",
    "D": "",
    "w": r"\p{L}\p{Nd}_",
    "W": "",
    "s": r"\x20\t",
    "S": "",
}
# Those that also match bytes that are no UTF-8.
OPEN = frozenset("DWS")

# Python takes these four for one letter when case is ignored, ripgrep does not.
_LETTERS_I = frozenset("iI\u0131\u0130")
_META = frozenset(r"\.+*?()|[]{}^$#&-~")


def literal(char: str, *, ignore_case: bool) -> str:
    """Write one character so that ripgrep takes it for itself."""
    if ignore_case and char in _LETTERS_I:
        return r"[iI\x{130}\x{131}]"
    return f"\\{char}" if char in _META else char


def char_class(items: list[str], *, negated: bool, opened: bool, ignore_case: bool) -> str:
    """Write a class of characters at least as wide as Python's."""
    if negated and (ignore_case or not "".join(items)):
        return ANY
    extra = r"\x{130}\x{131}" if ignore_case else ""
    written = f"[{'^' if negated else ''}{''.join(items)}{extra}]"
    return f"(?:{written}|{RAW_BYTE})" if negated or opened else written
