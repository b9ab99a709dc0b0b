"""Whether a place in a command or a statement is data within quotes, whoever reads it. Pure.

Shells, Python and SQL escape quotes in different ways, an apostrophe of a comment opens none, and
`bash -c "rm {{x}}"` has quotes around code. Where one reading says "code", it is code.
"""

import re
from typing import Final

# The quotes within which a backslash escapes: of SQL, of a shell, of Python.
_READINGS: Final = ("", '"', "'\"")
# Quoted text that may be read as code: more than the start of a word.
_CODE: Final = re.compile(r"[\s`;|&<>=(]")
# Before quotes around code: `sh -c "`, `psql --command="`, `eval "`.
_RUNS: Final = re.compile(
    r"(?:(?<!\S)-\w{0,8}[ce]|\beval|--(?:command|execute|eval|expression)|\b(?:ssh|sqlite3)\b[^|;&\n]{0,200})"
    r"[ =]?$"
)


def is_in_quotes(before: str) -> bool:
    """Say whether what follows a text is data within quotes."""
    texts = {before, _drop_comments(before), before.rpartition("\n")[2]}
    return all(_is_data(text, escaped) for text in texts for escaped in _READINGS)


def _drop_comments(text: str) -> str:
    *commented, rest = text.split("*/")
    return "".join([*(part.partition("/*")[0] for part in commented), rest])


def _is_data(before: str, escaped: str) -> bool:
    at = _find_open_quote(before, escaped)
    if at is None:
        return False
    within = before[at + 1 :]
    is_code = _CODE.search(within) or _RUNS.search(before[:at])
    return not is_code or _is_data(within, escaped)


def _find_open_quote(before: str, escaped: str) -> int | None:
    """Return where the quotes begin that are open behind a text."""
    opened: int | None = None
    is_escaped = False
    for at, sign in enumerate(before):
        quote = "" if opened is None else before[opened]
        if is_escaped:
            is_escaped = False
        elif sign == "\\" and escaped and (not quote or quote in escaped):
            is_escaped = True
        elif sign == quote:
            opened = None
        elif not quote and sign in "'\"":
            opened = at
    return opened
