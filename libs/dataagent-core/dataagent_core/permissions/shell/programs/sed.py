"""Whether a sed script only edits what passes through: no file is opened and nothing is run.

The commands `e`, `r`, `R`, `w` and `W` and the flags `e` and `w` of `s` do more. Where seds differ
on where a pattern ends, the answer is no.
"""

import re

_NUMBER = re.compile(r"\d+")
_ADDRESS = re.compile(r"(?:\d+(?:~\d+)?|\$|[+~]\d+)")
_FLAGS = re.compile(r"[gpIiMm0-9]*")
_LABEL = re.compile(r"[ \t]*[\w.-]*")
_BLANK = re.compile(r"[\s;]*")
_WITHOUT_ARGUMENT = frozenset("dDgGhHnNpPxzF=")
_WITH_NUMBER = frozenset("lLqQ")
_WITH_LABEL = frozenset(":btT")
_WITH_TEXT = frozenset("aic")


def only_edits(script: str) -> bool:
    """Say whether a script opens no file and runs nothing."""
    try:
        place = 0
        while (place := _skip(_BLANK, script, place)) < len(script):
            place = _command(script, place)
    except _UnreadableError:
        return False
    return True


class _UnreadableError(Exception):
    """The script does more, or may mean more than one thing."""


def _command(script: str, place: int) -> int:
    """Read one command; return where the next begins."""
    if script[place] == "#":
        return _line_end(script, place)
    place = _addresses(script, place)
    if place >= len(script):
        raise _UnreadableError
    letter = script[place]
    place += 1
    if letter in "{}":
        return place
    if letter in _WITH_TEXT:
        return _text(script, place)
    if letter in _WITH_NUMBER:
        place = _skip(_NUMBER, script, _skip_blanks(script, place))
    elif letter in _WITH_LABEL:
        place = _skip(_LABEL, script, place)
    elif letter in "sy" and place < len(script):
        delimiter = script[place]
        place = _until(script, place + 1, delimiter, is_pattern=True)
        place = _until(script, place, delimiter, is_pattern=False)
        place = _skip(_FLAGS, script, place) if letter == "s" else place
    elif letter not in _WITHOUT_ARGUMENT:
        raise _UnreadableError
    return _ended(script, place)


def _addresses(script: str, place: int) -> int:
    place = _address(script, place)
    after = _skip_blanks(script, place)
    if script[after : after + 1] == ",":
        place = _address(script, _skip_blanks(script, after + 1))
    place = _skip_blanks(script, place)
    while script[place : place + 1] == "!":
        place = _skip_blanks(script, place + 1)
    return place


def _address(script: str, place: int) -> int:
    if script[place : place + 1] in {"/", "\\"}:
        if script[place] == "\\":
            place += 1
        place = _until(script, place + 1, script[place : place + 1], is_pattern=True)
        while script[place : place + 1] in {"I", "M"}:
            place += 1
        return place
    return _skip(_ADDRESS, script, place)


def _until(script: str, place: int, delimiter: str, *, is_pattern: bool) -> int:
    """Go behind the next delimiter; brackets that are open there may hide it from some seds."""
    if not delimiter or delimiter.isalnum() or delimiter in "\\\n;{}[]" or delimiter.isspace():
        raise _UnreadableError
    began = place
    while place < len(script) and script[place] not in {delimiter, "\n"}:
        place += 2 if script[place] == "\\" else 1
    if place >= len(script) or script[place] != delimiter:
        raise _UnreadableError
    inside = script[began:place]
    if "\n" in inside or (is_pattern and not _brackets_closed(inside)):
        raise _UnreadableError
    return place + 1


def _brackets_closed(pattern: str) -> bool:
    plain = re.sub(r"\\.", "", pattern)
    return "[" not in re.sub(r"\[\^?[^\]\[]+\]", "", plain.replace("[:", "").replace(":]", ""))


def _ended(script: str, place: int) -> int:
    """Check that a command is over: an unknown flag may run or write, a label go on."""
    place = _skip_blanks(script, place)
    if place < len(script) and script[place] not in ";}\n#":
        raise _UnreadableError
    return place


def _text(script: str, place: int) -> int:
    end = _line_end(script, place)
    if "\\" in script[place:end]:
        raise _UnreadableError
    return end


def _line_end(script: str, place: int) -> int:
    end = script.find("\n", place)
    return len(script) if end < 0 else end


def _skip(what: re.Pattern[str], script: str, place: int) -> int:
    found = what.match(script, place)
    return found.end() if found else place


def _skip_blanks(script: str, place: int) -> int:
    while script[place : place + 1] in {" ", "\t"}:
        place += 1
    return place
