"""Carries a change from an old string to a new one over to lines that only resemble the old ones.

Lines the change keeps stay as they are in the file, byte for byte. Lines it brings, and lines it
indents anew, are indented as `margins` finds, with the white space that `spacing` trusts. Whatever
the file's lines leave open is refused.
"""

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from dataagent_core.errors import ValidationError
from dataagent_core.tools.files.edits.strategies.alignment import Alignment
from dataagent_core.tools.files.edits.strategies.indents import read_indent
from dataagent_core.tools.files.edits.strategies.inner_space import (
    find_other_gaps,
    make_trusted_content,
)
from dataagent_core.tools.files.edits.strategies.margins import Margins
from dataagent_core.tools.files.edits.strategies.replacement import EditTarget
from dataagent_core.tools.files.edits.strategies.text_lines import (
    count_blank_edges,
    split_line,
    trim_line,
)


def merge_alignment(aligned: Alignment) -> EditTarget:
    """Make a place of the file's lines that an old string means."""
    start, end = aligned.source.span(aligned.first, aligned.after, closed=aligned.old.closed)
    return EditTarget(start, end, lambda: _text(aligned))


def compare_lines(one: list[str], two: list[str]) -> Sequence[tuple[str, int, int, int, int]]:
    """Compare lines by what they say, not by how they are indented."""
    blocks = [[trim_line(line) for line in lines] for lines in (one, two)]
    return SequenceMatcher(None, *blocks, autojunk=False).get_opcodes()


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
    for what, i1, i2, j1, j2 in compare_lines(aligned.old.lines, aligned.new.lines):
        if what == "equal":
            kept |= zip(range(j1, j2), range(i1, i2), strict=True)
        elif i2 - i1 == j2 - j1:
            replaced |= zip(range(j1, j2), range(i1, i2), strict=True)
    _refuse_lost_lines(aligned, set(kept.values()))
    _refuse_lost_blank_edges(aligned, set(kept.values()))
    _refuse_repeated_fault(aligned, kept)
    _refuse_changes_beside_unknown_lines(aligned, kept)
    margins, gaps = Margins(aligned, kept), find_other_gaps(aligned)
    for j, line in enumerate(aligned.new.lines):
        if j not in kept:
            yield margins.indent(j, make_trusted_content(aligned, gaps, line, replaced.get(j)))
        elif (at := aligned.lines[kept[j]]) is not None:
            yield from aligned.unknown_before(kept[j])
            if _is_moved(aligned, kept[j], j):
                yield margins.indent(j, aligned.source.lines[at].lstrip(" \t"))
            else:
                yield aligned.source.lines[at]


def _refuse_lost_lines(aligned: Alignment, kept: set[int]) -> None:
    """Refuse to change or delete a line that is not what the old string says."""
    for i, (line, at) in enumerate(zip(aligned.old.lines, aligned.lines, strict=True)):
        if (
            at is not None
            and i not in kept
            and split_line(line) != split_line(aligned.source.lines[at])
        ):
            raise ValidationError(
                f"Line {i + 1} of old_string is to be changed but is not in the file as it stands "
                f"there: line {at + 1} of the file is {aligned.source.lines[at].strip()!r:.200}."
            )


def _refuse_lost_blank_edges(aligned: Alignment, kept: set[int]) -> None:
    """Refuse to delete blank lines at the ends of an old string, which may be a slip."""
    count = len(aligned.old.lines)
    above, below = count_blank_edges(aligned.old.lines)
    # A last line that is blank and a line end in its place are the same.
    below -= aligned.new.closed and not aligned.old.closed
    lost = {*range(above), *range(count - below, count)} - kept
    if aligned.new.lines and any(aligned.lines[i] is not None for i in lost):
        raise ValidationError(
            "old_string begins or ends with blank lines that new_string has not, so it is not "
            "clear whether they are to be deleted."
        )


def _refuse_repeated_fault(aligned: Alignment, kept: Mapping[int, int]) -> None:
    """Refuse new lines with what the old ones have wrong: signs the file has not, blank lines."""
    brought = [line for j, line in enumerate(aligned.new.lines) if j not in kept]
    wrong = {
        sign
        for old, file in aligned.pairs()
        if split_line(old) != split_line(file)
        for sign in set(old) - set(file)
        if not sign.isalnum() and any(sign in line for line in brought)
    }
    if wrong:
        raise ValidationError(
            f"old_string has {min(wrong)!r} where the file has not, so it is not clear what it "
            "means in new lines."
        )
    ends_anew = aligned.new.closed and not aligned.old.closed
    if None in aligned.lines and (ends_anew or not all(line.strip() for line in brought)):
        raise ValidationError(
            "old_string has a blank line that the file has not, so it is not clear what a blank "
            "line of new_string means."
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
    return bool(line.strip()) and read_indent(aligned.old.lines[i]) != read_indent(line)
