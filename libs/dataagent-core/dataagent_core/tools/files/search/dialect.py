r"""Reads a regular expression in the part of the language Python and ripgrep share. Pure.

What only one of them knows, or both read differently, is refused with the reason: the same call
must find the same lines whether or not ripgrep is installed.
"""

import re

from dataagent_core.config.limits import GREP_PATTERN_CHARS_MAX, GREP_REPEATS_MAX
from dataagent_core.tools.files.search import widening
from dataagent_core.tools.files.search.classes import char_class
from dataagent_core.tools.files.search.escapes import escaped_char
from dataagent_core.tools.files.search.reader import Reader

_REPEAT = re.compile(r"[*+?]|\{(\d+)(?:(,)(\d*))?\}")
_GROUP = re.compile(r"\((?:\?:|\?P<[A-Za-z_][A-Za-z0-9_]*>|(?!\?))")
_REASONS = {
    "(?=": "it looks ahead, which ripgrep cannot",
    "(?!": "it looks ahead, which ripgrep cannot",
    "(?<=": "it looks behind, which ripgrep cannot",
    "(?<!": "it looks behind, which ripgrep cannot",
    "(?>": "atomic groups exist only in Python",
    "(?(": "conditions exist only in Python",
    "(?P=": "it refers back to a group, which ripgrep cannot",
    "(?#": "comments exist only in Python",
    "(?P<": "a group's name must be made of letters, digits and _",
    "(?<": "name a group with (?P<name>...)",
    "(?": "flags are read differently; use ignore_case instead",
}


def for_ripgrep(pattern: str, *, ignore_case: bool) -> str:
    """Translate a pattern for ripgrep, or raise `ValidationError` saying why it is refused."""
    reader = Reader(pattern, ignore_case)
    if not pattern or len(pattern) > GREP_PATTERN_CHARS_MAX:
        raise reader.refuse(f"a pattern has 1 to {GREP_PATTERN_CHARS_MAX} characters")
    pieces: list[str] = []
    while reader.at < len(pattern):
        pieces.append(_piece(reader))
    return "".join(pieces)


def _piece(reader: Reader) -> str:
    sign = reader.pattern[reader.at]
    if sign in "|)":
        return reader.take()
    if wider := {".": widening.ANY, "^": _begin(reader), "$": _end(reader)}.get(sign):
        reader.take()
        return wider
    if read := {"\\": _escape, "[": char_class, "(": _group}.get(sign):
        return read(reader)
    if sign in "*+?{":
        return _repeat(reader)
    return widening.literal(reader.plain(), ignore_case=reader.ignore_case)


def _begin(reader: Reader) -> str:
    # In odd places ripgrep loses matches of ^ and $; without them it proposes enough.
    return "^" if reader.at == 0 else widening.NOTHING


def _end(reader: Reader) -> str:
    return widening.LINE_END if reader.at == len(reader.pattern) - 1 else widening.NOTHING


def _escape(reader: Reader) -> str:
    letter = reader.escaped_letter()
    if letter in widening.WIDER:
        reader.take(2)
        return widening.char_class(
            [widening.WIDER[letter]],
            negated=False,
            opened=letter in widening.OPEN,
            ignore_case=False,
        )
    if letter in ("b", "B"):
        reader.take(2)
        return widening.NOTHING
    return widening.literal(escaped_char(reader), ignore_case=reader.ignore_case)


def _group(reader: Reader) -> str:
    found = _GROUP.match(reader.pattern, reader.at)
    if found is None:
        raise reader.refuse(next(why for sign, why in _REASONS.items() if reader.begins(sign)))
    reader.take(len(found[0]))
    return "(?:"


def _repeat(reader: Reader) -> str:
    found = _REPEAT.match(reader.pattern, reader.at)
    if found is None:
        raise reader.refuse("write a brace as \\{, or a repetition as {2}, {2,} or {2,5}")
    if any(int(count) > GREP_REPEATS_MAX for count in (found[1], found[3]) if count):
        raise reader.refuse(f"it repeats more than {GREP_REPEATS_MAX} times")
    reader.take(len(found[0]))
    if reader.begins("?"):
        return found[0] + reader.take()
    if _REPEAT.match(reader.pattern, reader.at):
        raise reader.refuse("two repetitions after each other are read differently")
    return found[0]
