"""The difference between two texts, for the model and the person to see. Pure.

Equal lines at both ends are left out before lines are compared: that is most of a file, and
comparing is what takes long.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from dataagent_core.config.limits import OUTPUT_LINES_DEFAULT
from dataagent_core.tools.bounds import lines_of, truncate_line

_CONTEXT_LINES = 3


@dataclass(frozen=True, slots=True)
class Diff:
    """A unified diff and its counts."""

    text: str
    added: int
    removed: int


def unified_diff(path: str, before: str, after: str) -> Diff:
    """Compare two versions of a file."""
    old, new = lines_of(before), lines_of(after)
    skip = max(_equal_head(old, new) - _CONTEXT_LINES, 0)
    tail = _equal_head(old[skip:][::-1], new[skip:][::-1])
    keep = max(tail - _CONTEXT_LINES, 0)
    one, two = old[skip : len(old) - keep], new[skip : len(new) - keep]
    groups = SequenceMatcher(None, one, two).get_grouped_opcodes(_CONTEXT_LINES)
    lines = [line for group in groups for line in _hunk(group, one, two, skip)]
    added = sum(line.startswith("+") for line in lines)
    removed = sum(line.startswith("-") for line in lines)
    return Diff("\n".join([f"--- a{path}", f"+++ b{path}", *_bounded(lines)]), added, removed)


def _equal_head(one: list[str], two: list[str]) -> int:
    count = 0
    for a, b in zip(one, two, strict=False):
        if a != b:
            break
        count += 1
    return count


def _hunk(
    group: list[tuple[str, int, int, int, int]], one: list[str], two: list[str], skip: int
) -> Iterator[str]:
    (_, i1, _, j1, _), (_, _, i2, _, j2) = group[0], group[-1]
    yield f"@@ -{i1 + skip + 1},{i2 - i1} +{j1 + skip + 1},{j2 - j1} @@"
    for what, a1, a2, b1, b2 in group:
        if what == "equal":
            yield from (f" {line}" for line in one[a1:a2])
        else:
            yield from (f"-{line}" for line in one[a1:a2])
            yield from (f"+{line}" for line in two[b1:b2])


def _bounded(lines: list[str]) -> list[str]:
    shown = [truncate_line(line) for line in lines[:OUTPUT_LINES_DEFAULT]]
    left = len(lines) - len(shown)
    return [*shown, f"... ({left} more lines of this diff are not shown)"] if left else shown
