"""The hunks of a unified diff between two lists of lines. Pure.

Equal lines at both ends are left out before lines are compared: that is most of a file, and
comparing is what takes long. Where lines repeat so often that aligning them would take very long,
all that is between the ends is shown as replaced.
"""

from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher

from dataagent_core.config.limits import DIFF_PAIRS_MAX

_CONTEXT_LINES = 3

_Opcode = tuple[str, int, int, int, int]


def build_hunks(old: list[str], new: list[str]) -> list[str]:
    """Give the hunks' headers and lines; none if nothing differs."""
    head = _count_equal_head(old, new)
    skip = max(head - _CONTEXT_LINES, 0)
    tail = _count_equal_head(old[head:][::-1], new[head:][::-1])
    keep = max(tail - _CONTEXT_LINES, 0)
    one, two = old[skip : len(old) - keep], new[skip : len(new) - keep]
    groups = _group_opcodes(one, two, head - skip, tail - keep)
    return [line for group in groups for line in _render_hunk(group, one, two, skip)]


def _group_opcodes(one: list[str], two: list[str], head: int, tail: int) -> Iterator[list[_Opcode]]:
    counts = Counter(two)
    if sum(counts[line] for line in one) <= DIFF_PAIRS_MAX:
        yield from SequenceMatcher(None, one, two).get_grouped_opcodes(_CONTEXT_LINES)
        return
    ends = len(one) - tail, len(two) - tail
    yield [
        ("equal", 0, head, 0, head),
        ("replace", head, ends[0], head, ends[1]),
        ("equal", ends[0], len(one), ends[1], len(two)),
    ]


def _count_equal_head(one: list[str], two: list[str]) -> int:
    count = 0
    for a, b in zip(one, two, strict=False):
        if a != b:
            break
        count += 1
    return count


def _render_hunk(group: list[_Opcode], one: list[str], two: list[str], skip: int) -> Iterator[str]:
    (_, i1, _, j1, _), (_, _, i2, _, j2) = group[0], group[-1]
    yield f"@@ -{_render_range(i1 + skip, i2 - i1)} +{_render_range(j1 + skip, j2 - j1)} @@"
    for what, a1, a2, b1, b2 in group:
        if what == "equal":
            yield from (f" {line}" for line in one[a1:a2])
        else:
            yield from (f"-{line}" for line in one[a1:a2])
            yield from (f"+{line}" for line in two[b1:b2])


def _render_range(start: int, count: int) -> str:
    # A range without lines is named by the line before it.
    return f"{start + 1 if count else start},{count}"
