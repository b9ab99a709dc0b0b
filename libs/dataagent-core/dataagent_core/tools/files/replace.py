"""Applies an edit to a text: finds the one place it means, or says why it cannot. Pure.

The first strategy that finds anything decides. More than one place, places that overlap, a place
that leaves open what the change would be, and an edit that changes nothing are refused; nothing is
guessed.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from dataagent_core.config.limits import EDIT_PLACES_MAX, EDIT_PLACES_SHOWN_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.tools.files.nearest import nearest_text, shown_lines
from dataagent_core.tools.files.newlines import Flat, flat
from dataagent_core.tools.files.strategies import STRATEGIES, Place, Replacement


@dataclass(frozen=True, slots=True)
class Edit:
    """One wish: this text becomes that."""

    old: str
    new: str
    replace_all: bool = False


@dataclass(frozen=True, slots=True)
class Edited:
    """The text after an edit, how its place was found, and how many places there were.

    `joined_line` is a line that lost its end, because only the old string had it.
    """

    text: str
    strategy: str
    places: int
    joined_line: int | None = None


def apply_edit(text: str, edit: Edit) -> Edited:
    """Apply one edit, or raise `ValidationError`."""
    if not edit.old.strip():
        raise ValidationError(
            "old_string is empty or only white space, so it names no place. Give the text to "
            "replace with a line around it, or use write_file for a whole file."
        )
    source = flat(text)
    old, new = (part.replace("\r\n", "\n") for part in (edit.old, edit.new))
    if old == new:
        raise ValidationError("old_string and new_string are the same: nothing would change.")
    if "\r" in new and "\r" not in old + source.text:
        raise ValidationError(
            "new_string has carriage returns that end no line of the file. End its lines with "
            "line feeds; the file's own line ends are kept."
        )
    strategy, places = _found(source.text, old, new)
    _refuse_unless_clear(source.text, places, replace_all=edit.replace_all)
    found = [_carried(source.text, place, strategy) for place in places]
    changed = _spliced(text, source, found)
    if changed == text:
        raise ValidationError(
            f"The file already reads like new_string where old_string was found ({strategy}): "
            "nothing would change."
        )
    joined = next((line for one in found if (line := _joined_line(source.text, one))), None)
    return Edited(changed, strategy, len(found), joined)


def _joined_line(text: str, place: Replacement) -> int | None:
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


def _found(text: str, old: str, new: str) -> tuple[str, list[Place]]:
    for name, strategy in STRATEGIES.items():
        if found := strategy(text, old, new):
            return name, found if name != "exact" else _with_whole_lines(found, text, old, new)
    first = next(line for line in old.split("\n") if line.strip()).strip()
    near = [n for n, line in enumerate(text.split("\n"), 1) if line.strip() == first]
    hint = _where_it_begins(near)
    nearest = nearest_text(text, old)
    shown = f" The nearest is {nearest}" if nearest else ""
    raise ValidationError(
        f"old_string was not found, also not with other white space or by its first and last "
        f"line.{hint} Read the file again and copy the text as it is now.{shown}"
    )


def _where_it_begins(numbers: Sequence[int]) -> str:
    match numbers:
        case []:
            return ""
        case [number]:
            return f" Its first line stands at line {number}."
        case _:
            return f" Its first line stands at {_lines(numbers)}."


def _with_whole_lines(found: list[Place], text: str, old: str, new: str) -> list[Place]:
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


def _carried(text: str, place: Place, strategy: str) -> Replacement:
    try:
        return Replacement(place.start, place.end, place.carry())
    except ValidationError as error:
        first = text.count("\n", 0, place.start)
        after = text.count("\n", 0, max(place.end - 1, place.start)) + 1
        shown = shown_lines(text.split("\n"), first, after)
        raise ValidationError(
            f"old_string was found ({strategy}) but not as it is, and nothing was changed. {error} "
            f"Copy the text as it is now: {shown}"
        ) from error


def _refuse_unless_clear(text: str, found: list[Place], *, replace_all: bool) -> None:
    if len(found) > EDIT_PLACES_MAX:
        raise ValidationError(
            f"old_string was found more than {EDIT_PLACES_MAX} times. Give a longer old_string."
        )
    if len(found) > 1 and not replace_all:
        places = _lines([text.count("\n", 0, place.start) + 1 for place in found])
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


def _lines(numbers: Sequence[int]) -> str:
    shown = ", ".join(str(number) for number in numbers[:EDIT_PLACES_SHOWN_MAX])
    more = len(numbers) - EDIT_PLACES_SHOWN_MAX
    if more > 0:
        return f"lines {shown} and {more} more"
    return f"lines {shown}"


def _spliced(text: str, source: Flat, found: list[Replacement]) -> str:
    pieces: list[str] = []
    done = 0
    for place in (_narrowed(source.text, place) for place in found):
        pieces.append(text[done : source.original(place.start)])
        pieces.append(place.text.replace("\n", source.line_end_at(place.start)))
        done = source.original(place.end)
    return "".join([*pieces, text[done:]])


def _narrowed(text: str, place: Replacement) -> Replacement:
    """Leave out what stays at both ends, so that line ends and all there stay as they are."""
    old, new = text[place.start : place.end], place.text
    head = _common_head(old, new)
    tail = _common_head(old[head:][::-1], new[head:][::-1])
    return Replacement(place.start + head, place.end - tail, new[head : len(new) - tail])


def _common_head(one: str, two: str) -> int:
    return len(os.path.commonprefix([one, two]))  # noqa: RUF071 (characters are meant)
