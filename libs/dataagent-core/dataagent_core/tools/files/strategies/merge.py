"""Carries a change from an old string to a new one over to lines that only resemble the old ones.

Lines the change keeps stay as they are in the file, byte for byte. Lines it brings, and lines it
indents anew, are indented as `margins` finds, with the white space that `spacing` trusts. Whatever
the file's lines leave open is refused.
"""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from dataagent_core.errors import ValidationError
from dataagent_core.tools.files.strategies.alignment import Alignment
from dataagent_core.tools.files.strategies.indents import indent_of
from dataagent_core.tools.files.strategies.margins import Margins
from dataagent_core.tools.files.strategies.replacement import Place
from dataagent_core.tools.files.strategies.spacing import other_gaps, trusted_content


def merged(aligned: Alignment) -> Place:
    """Make a place of the file's lines that an old string means."""
    start, end = aligned.source.span(aligned.first, aligned.after, closed=aligned.old.closed)
    return Place(start, end, lambda: _text(aligned))


def differences(one: list[str], two: list[str]) -> Sequence[tuple[str, int, int, int, int]]:
    """Compare lines by what they say, not by how they are indented."""
    trimmed = [[line.strip() for line in lines] for lines in (one, two)]
    return SequenceMatcher(None, *trimmed, autojunk=False).get_opcodes()


def _text(aligned: Alignment) -> str:
    lines = list(_lines(aligned))
    # Whole lines become whole lines, but for a blank one that the old string ends before. A file
    # without a final line end gets none because the old string pretended there was one.
    ended = aligned.new.closed
    if aligned.old.closed:
        ended |= bool(aligned.source.line_after(aligned.after))
        ended &= aligned.source.ends_at_line_end(aligned.after)
    return "\n".join(lines) + ("\n" if lines and ended else "")


def _lines(aligned: Alignment) -> Iterator[str]:
    kept: dict[int, int] = {}
    replaced: dict[int, int] = {}
    for what, i1, i2, j1, j2 in differences(aligned.old.lines, aligned.new.lines):
        if what == "equal":
            kept |= zip(range(j1, j2), range(i1, i2), strict=True)
        elif i2 - i1 == j2 - j1:
            replaced |= zip(range(j1, j2), range(i1, i2), strict=True)
    _refuse_lost_lines(aligned, set(kept.values()))
    _refuse_changes_beside_unknown_lines(aligned, kept)
    margins, gaps = Margins(aligned, kept), other_gaps(aligned)
    for j, line in enumerate(aligned.new.lines):
        if j not in kept:
            yield margins.indented(j, trusted_content(aligned, gaps, line, replaced.get(j)))
        elif (at := aligned.lines[kept[j]]) is not None:
            yield from aligned.unknown_before(kept[j])
            if _is_moved(aligned, kept[j], j):
                yield margins.indented(j, aligned.source.lines[at].lstrip(" \t"))
            else:
                yield aligned.source.lines[at]


def _refuse_lost_lines(aligned: Alignment, kept: set[int]) -> None:
    """Refuse to change or delete a line that is not what the old string says."""
    for i, (line, at) in enumerate(zip(aligned.old.lines, aligned.lines, strict=True)):
        if at is not None and i not in kept and line.split() != aligned.source.lines[at].split():
            raise ValidationError(
                f"Line {i + 1} of old_string is to be changed but is not in the file as it stands "
                f"there: line {at + 1} of the file is {aligned.source.lines[at].strip()!r:.200}."
            )


def _refuse_changes_beside_unknown_lines(aligned: Alignment, kept: dict[int, int]) -> None:
    """Refuse a change next to lines the old string does not know: their place would be a guess."""
    new_of = {i: j for j, i in kept.items() if not _is_moved(aligned, i, j)}
    # A blank line is like any other, so it shows no place.
    paired = [i for i, line in enumerate(aligned.old.lines) if line.strip()]
    for one, two in pairwise(paired):
        unknown = [line for i in range(one + 1, two + 1) for line in aligned.unknown_before(i)]
        same_distance = one in new_of and two in new_of and new_of[two] - new_of[one] == two - one
        # Who leaves out blank lines leaves them out of the new lines as well.
        lost_blank = len(kept) < len(aligned.new.lines) and any(not ln.strip() for ln in unknown)
        if not unknown or (same_distance and not lost_blank):
            continue
        raise ValidationError(
            "The file has a line that old_string leaves out, right beside the change: "
            f"{unknown[0].strip()!r:.200}."
        )


def _is_moved(aligned: Alignment, i: int, j: int) -> bool:
    line = aligned.new.lines[j]
    return bool(line.strip()) and indent_of(aligned.old.lines[i]) != indent_of(line)
