r"""Which white space inside the new lines of an edit can be trusted, once the old ones had other.

A model that copied `x  = 1` as `x = 1` does the same inside its new lines. There the file's own
white space is kept around what changes, and what else a line brings may hold none.
"""

import re
from dataclasses import dataclass

from dataagent_core.errors import ValidationError
from dataagent_core.tools.files.edits.strategies.alignment import Alignment
from dataagent_core.tools.files.edits.strategies.text_lines import split_line, trim_line

_GAP = re.compile(r"[ \t]+")
_WIDE_GAP = re.compile(r"[^ \t][ \t]{2,}[^ \t]")
_PIECES = re.compile(r"[ \t]+|[^ \t]+")


@dataclass(frozen=True, slots=True)
class SpaceGap:
    """White space between two words in the old string, and in the file, where it is another."""

    before: str
    old: str
    file: str
    after: str


def find_other_gaps(aligned: Alignment) -> list[SpaceGap]:
    """Find where the old string has other white space inside its lines than the file."""
    return [gap for old, file in aligned.pairs() for gap in _gaps(old, file)]


def make_trusted_content(
    aligned: Alignment, gaps: list[SpaceGap], line: str, replaced: int | None
) -> str:
    """Give what a new line says, without its indentation, or raise `ValidationError`."""
    content = line.lstrip(" \t")
    if not gaps or _is_clean(content, gaps):
        return content
    at = None if replaced is None else aligned.lines[replaced]
    if replaced is not None and at is not None:
        return _merge_words(aligned.old.lines[replaced], line, aligned.source.lines[at])
    _refuse_gaps(content)
    return content


def _merge_words(old: str, new: str, file: str) -> str:
    """Carry a change of words over to a text with the same words and other white space."""
    before, after, mine = (_PIECES.findall(trim_line(part)) for part in (old, new, file))
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    middle = "".join(after[head : len(after) - tail])
    _refuse_gaps("".join(before[head : len(before) - tail]))
    _refuse_gaps(middle)
    return "".join(mine[:head]) + middle + "".join(mine[len(mine) - tail :])


def _gaps(old: str, file: str) -> list[SpaceGap]:
    if trim_line(old) == trim_line(file) or split_line(old) != split_line(file):
        return []
    one, two = (_PIECES.findall(trim_line(text)) for text in (old, file))
    return [
        SpaceGap(one[at - 1], one[at], two[at], one[at + 1])
        for at in range(1, len(one), 2)
        if one[at] != two[at]
    ]


def _is_clean(content: str, gaps: list[SpaceGap]) -> bool:
    """Say whether a new line is free of the fault: spaces too many show, spaces too few do not."""
    if any(len(gap.old) <= len(gap.file) for gap in gaps):
        return False
    if not _WIDE_GAP.search(content):
        return True
    # One slip is no habit.
    slip = gaps[0].before + gaps[0].old + gaps[0].after
    return len(gaps) == 1 and slip not in content


def _common(one: list[str], two: list[str]) -> int:
    count = 0
    while count < min(len(one), len(two)) and one[count] == two[count]:
        count += 1
    return count


def _refuse_gaps(text: str) -> None:
    if _GAP.search(text):
        raise ValidationError(
            "old_string has other white space inside its lines than the file, so that of the new "
            f"text {text.strip()!r:.200} cannot be trusted."
        )
