"""Applies an edit to a text: finds the one place it means, or explains why it cannot. Pure.

The first strategy with a match decides. Several places, overlapping places, an ambiguous change and
an edit without effect are refused. If nothing matches, the error shows the nearest text for the
model to copy. Strategies see only line feeds as line ends; positions are mapped back, and new text
takes the line end of the line it is put into.
"""

import os
import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from dataagent_core.config.limits import (
    EDIT_NEAREST_LINES_MAX,
    EDIT_NEAREST_SHARE_MIN,
    EDIT_PLACES_MAX,
    EDIT_PLACES_SHOWN_MAX,
)
from dataagent_core.errors import ValidationError
from dataagent_core.tools.files.edits.strategies import STRATEGIES, EditTarget, Replacement
from dataagent_core.tools.output.output_bounds import truncate_line

_CRLF = re.compile("\r\n")


@dataclass(frozen=True, slots=True)
class FlatText:
    """A text with plain line ends; `crlf` are the places of those that were not."""

    text: str
    crlf: list[int]

    def original(self, position: int) -> int:
        """Carry a place back to the file's own text."""
        return position + bisect_left(self.crlf, position)

    def line_end_at(self, position: int) -> str:
        """Give the line end in use at a place: that of its line, else of the line before."""
        end = self.text.find("\n", position)
        if end < 0:
            end = self.text.rfind("\n")
        index = bisect_left(self.crlf, end)
        return "\r\n" if index < len(self.crlf) and self.crlf[index] == end else "\n"


def flatten_line_ends(text: str) -> FlatText:
    """Make all line ends plain."""
    places = [match.start() - index for index, match in enumerate(_CRLF.finditer(text))]
    return FlatText(text.replace("\r\n", "\n") if places else text, places)


def find_nearest_text(text: str, old: str) -> str:
    """Show the run of lines that shares most words with `old`; empty if none shares many."""
    words = set(old.split())
    lines = text.split("\n")
    count = min(len(old.strip().split("\n")), len(lines))
    sums = [0, *accumulate(len(words.intersection(line.split())) for line in lines)]
    first = max(range(len(lines) - count + 1), key=lambda at: sums[at + count] - sums[at])
    shared = words.intersection(" ".join(lines[first : first + count]).split())
    if len(shared) < EDIT_NEAREST_SHARE_MIN * len(words):
        return ""
    return render_lines(lines, first, first + count)


def render_lines(lines: list[str], first: int, after: int) -> str:
    """Show lines of a file as they are, below the numbers of the first and the last."""
    last = min(after, first + EDIT_NEAREST_LINES_MAX)
    shown = "\n".join(truncate_line(line) for line in lines[first:last])
    return f"line {first + 1} to {last} of the file:\n{shown}"


@dataclass(frozen=True, slots=True)
class Edit:
    """One wish: this text becomes that."""

    old: str
    new: str
    replace_all: bool = False


@dataclass(frozen=True, slots=True)
class EditedText:
    """The text after an edit, how its place was found, and how many places there were.

    `joined_line` is a line that lost its end, because only the old string had it.
    """

    text: str
    strategy: str
    places: int
    joined_line: int | None = None


def apply_edit(text: str, edit: Edit) -> EditedText:
    """Apply one edit, or raise `ValidationError`."""
    if not edit.old.strip():
        raise ValidationError(
            "old_string is empty or only white space, so it names no place. Give the text to "
            "replace with a line around it, or use write_file for a whole file."
        )
    source = flatten_line_ends(text)
    old, new = (part.replace("\r\n", "\n") for part in (edit.old, edit.new))
    if old == new:
        raise ValidationError("old_string and new_string are the same: nothing would change.")
    if "\r" in new and "\r" not in old + source.text:
        raise ValidationError(
            "new_string has carriage returns that end no line of the file. End its lines with "
            "line feeds; the file's own line ends are kept."
        )
    strategy, places = _find_places(source.text, old, new)
    _refuse_unless_clear(source.text, places, replace_all=edit.replace_all)
    found = [_make_replacement(source.text, place, strategy) for place in places]
    changed = _splice(text, source, found)
    if changed == text:
        raise ValidationError(
            f"The file already reads like new_string where old_string was found ({strategy}): "
            "nothing would change."
        )
    joined = next((line for one in found if (line := _find_joined_line(source.text, one))), None)
    return EditedText(changed, strategy, len(found), joined)


def _find_joined_line(text: str, place: Replacement) -> int | None:
    """Give the line that a replacement joins with the next, counted from 1."""
    was, now = text[place.start : place.end], place.text
    before, after = text[place.start - 1 : place.start], text[place.end : place.end + 1]
    above = was.startswith("\n") and before not in {"", "\n"}
    below = was.endswith("\n") and after not in {"", "\n"}
    line = text.count("\n", 0, place.start) + 1
    if not now:
        return line if above and below else None
    if above and not now.startswith("\n"):
        return line
    return line + was.count("\n") - 1 if below and not now.endswith("\n") else None


def _find_places(text: str, old: str, new: str) -> tuple[str, list[EditTarget]]:
    for name, strategy in STRATEGIES.items():
        if found := strategy(text, old, new):
            return name, found if name != "exact" else _with_whole_lines(found, text, old, new)
    first = next(line for line in old.split("\n") if line.strip()).strip()
    near = [n for n, line in enumerate(text.split("\n"), 1) if line.strip() == first]
    hint = _describe_first_line(near)
    nearest = find_nearest_text(text, old)
    shown = f" The nearest is {nearest}" if nearest else ""
    raise ValidationError(
        f"old_string was not found, also not with other white space or by its first and last "
        f"line.{hint} Read the file again and copy the text as it is now.{shown}"
    )


def _describe_first_line(numbers: Sequence[int]) -> str:
    match numbers:
        case []:
            return ""
        case [number]:
            return f" Its first line stands at line {number}."
        case _:
            return f" Its first line stands at {_format_line_numbers(numbers)}."


def _with_whole_lines(found: list[EditTarget], text: str, old: str, new: str) -> list[EditTarget]:
    """Add the places where an old string that begins with a blank line is found as whole lines.

    There the blank line may be meant, where the exact text takes the end of any line for it.
    """
    if not old.startswith("\n"):
        return found
    apart = [
        place
        for place in STRATEGIES["line-trimmed"](text, old, new)
        if all(place.end < one.start or one.end < place.start for one in found)
    ]
    return sorted([*found, *apart], key=lambda place: place.start)


def _make_replacement(text: str, place: EditTarget, strategy: str) -> Replacement:
    try:
        return Replacement(place.start, place.end, place.carry())
    except ValidationError as error:
        first = text.count("\n", 0, place.start)
        after = text.count("\n", 0, max(place.end - 1, place.start)) + 1
        shown = render_lines(text.split("\n"), first, after)
        raise ValidationError(
            f"old_string was found ({strategy}) but not as it is, and nothing was changed. {error} "
            f"Copy the text as it is now: {shown}"
        ) from error


def _refuse_unless_clear(text: str, found: list[EditTarget], *, replace_all: bool) -> None:
    if len(found) > EDIT_PLACES_MAX:
        raise ValidationError(
            f"old_string was found more than {EDIT_PLACES_MAX} times. Give a longer old_string."
        )
    if len(found) > 1 and not replace_all:
        places = _format_line_numbers([text.count("\n", 0, place.start) + 1 for place in found])
        raise ValidationError(
            f"old_string was found {len(found)} times, at {places}. Add lines around it until it "
            "is unique, or set replace_all."
        )
    for one, two in pairwise(found):
        if two.start < one.end:
            line = text.count("\n", 0, two.start) + 1
            raise ValidationError(
                f"The places found overlap at line {line}, so replacing all of them has no single "
                "meaning. Give a longer old_string."
            )


def _format_line_numbers(numbers: Sequence[int]) -> str:
    shown = ", ".join(str(number) for number in numbers[:EDIT_PLACES_SHOWN_MAX])
    more = len(numbers) - EDIT_PLACES_SHOWN_MAX
    if more > 0:
        return f"lines {shown} and {more} more"
    return f"lines {shown}"


def _splice(text: str, source: FlatText, found: list[Replacement]) -> str:
    pieces: list[str] = []
    done = 0
    for place in (_trim_unchanged_ends(source.text, place) for place in found):
        pieces.append(text[done : source.original(place.start)])
        pieces.append(place.text.replace("\n", source.line_end_at(place.start)))
        done = source.original(place.end)
    return "".join([*pieces, text[done:]])


def _trim_unchanged_ends(text: str, place: Replacement) -> Replacement:
    """Leave out what stays at both ends, so that line ends and all there stay as they are."""
    old, new = text[place.start : place.end], place.text
    head = _common_head(old, new)
    tail = _common_head(old[head:][::-1], new[head:][::-1])
    return Replacement(place.start + head, place.end - tail, new[head : len(new) - tail])


def _common_head(one: str, two: str) -> int:
    return len(os.path.commonprefix([one, two]))  # noqa: RUF071 (characters are meant)
