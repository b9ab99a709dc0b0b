"""Carries a change from an old string to a new one over to lines that only resemble the old ones.

Lines the change keeps stay as they are in the file, byte for byte, even where the old string had
them slightly wrong or left some out. Lines it brings are indented as the file is at that place.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from dataagent_core.tools.files.strategies.lines import Block, Lines
from dataagent_core.tools.files.strategies.replacement import Replacement

_INDENT = re.compile(r"[ \t]*")


def merged(source: Lines, first: int, after: int, old: Block, new: Block) -> Replacement:
    """Write the replacement of the file's lines from `first` up to `after`."""
    start, end = source.span(first, after, closed=old.closed)
    lines = _merged_lines(source.lines[first:after], old.lines, new.lines)
    text = "\n".join(lines)
    # A file without a final line end gets none because the old string pretended there was one.
    if new.closed and lines and (not old.closed or source.ends_at_line_end(after)):
        text += "\n"
    return Replacement(start, end, text)


@dataclass(frozen=True, slots=True)
class _Alignment:
    """Where the file's part for each old line, and for their end, begins; which are the file's own.

    `own` are lines of the file that stand for no line of the old string.
    """

    places: list[int]
    own: frozenset[int]


def _merged_lines(file: list[str], old: list[str], new: list[str]) -> list[str]:
    aligned = _aligned(old, file)
    places = aligned.places
    result: list[str] = []
    for what, i1, i2, j1, j2 in _differences(old, new):
        part = range(places[i1], places[i2])
        if what == "equal":
            result += [file[k] for k in part]
        else:
            result += [_indented(new[j], i1 + j - j1, file, old, places) for j in range(j1, j2)]
            result += [file[k] for k in part if k in aligned.own]
    return result


def _differences(one: list[str], two: list[str]) -> Sequence[tuple[str, int, int, int, int]]:
    trimmed = [[line.strip() for line in lines] for lines in (one, two)]
    return SequenceMatcher(None, *trimmed, autojunk=False).get_opcodes()


def _aligned(old: list[str], file: list[str]) -> _Alignment:
    if [line.strip() for line in old] == [line.strip() for line in file]:
        return _Alignment(list(range(len(old) + 1)), frozenset())
    places = [0] * len(old)
    own: set[int] = set()
    for what, i1, i2, j1, j2 in _differences(old, file):
        places[i1:i2] = [min(j1 + step, j2) for step in range(i2 - i1)]
        if what == "insert":
            own |= set(range(j1, j2))
    return _Alignment([*places, len(file)], frozenset(own))


def _indented(line: str, near: int, file: list[str], old: list[str], places: list[int]) -> str:
    """Indent a new line as the file indents what the old string indents like it."""
    indent = _indent(line)
    pairs = [
        (_indent(text), _indent(file[places[i]]), abs(i - near))
        for i, text in enumerate(old)
        if text.strip() and places[i] < len(file)
    ]
    if not pairs or not line.strip():
        return line
    was, now, _ = min(pairs, key=lambda pair: _fitness(indent, *pair))
    if indent.startswith(was):
        return now + indent[len(was) :] + line[len(indent) :]
    if was.startswith(indent):
        missing = len(was) - len(indent)
        return now[: max(len(now) - missing, 0)] + line[len(indent) :]
    return line


def _fitness(indent: str, was: str, now: str, distance: int) -> tuple[int, int, int]:
    """Rank a line of the old string as a model for the indentation of a new one, best first."""
    if was == indent:
        return 0, distance, 0
    if indent.startswith(was):
        # The deepest that is still shallower; where the file is unclear, move the line least.
        return 1, -len(was), len(now)
    return 2, distance, 0


def _indent(line: str) -> str:
    found = _INDENT.match(line)
    return found[0] if found else ""
