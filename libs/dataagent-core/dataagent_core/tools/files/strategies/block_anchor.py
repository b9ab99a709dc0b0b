"""Finds a block by its first and last line when what stands between is much the same, not equal.

The last resort, so it is strict: at least three lines, about as many as in the old string, and
most of the middle alike. Lines of the file the old string did not know are kept (`merge`).
"""

from collections import Counter

from dataagent_core.config.limits import (
    EDIT_ANCHOR_CANDIDATES_MAX,
    EDIT_ANCHOR_LIKENESS_MIN,
    EDIT_ANCHOR_LINES_MIN,
    EDIT_FUZZY_LINES_MAX,
)
from dataagent_core.tools.files.strategies.lines import block_of, lines_in
from dataagent_core.tools.files.strategies.merge import merged
from dataagent_core.tools.files.strategies.replacement import Replacement


def block_anchor(text: str, old: str, new: str) -> list[Replacement]:
    """Compare first and last lines, trimmed, then weigh the middle."""
    wanted = block_of(old)
    trimmed = [line.strip() for line in wanted.lines]
    if not EDIT_ANCHOR_LINES_MIN <= len(trimmed) <= EDIT_FUZZY_LINES_MAX:
        return []
    if not trimmed[0] or not trimmed[-1]:
        return []
    source = lines_in(text)
    candidates = _candidates(trimmed, [line.strip() for line in source.lines])
    # A block that begins and ends like a hundred others is not found by its ends.
    if len(candidates) > EDIT_ANCHOR_CANDIDATES_MAX:
        return []
    best: dict[int, tuple[float, int]] = {}
    for first, after in candidates:
        middle = [line.strip() for line in source.lines[first + 1 : after - 1]]
        alike = _likeness(trimmed[1:-1], middle)
        if alike >= EDIT_ANCHOR_LIKENESS_MIN:
            best[first] = max(best.get(first, (0.0, 0)), (alike, after))
    return [
        merged(source, first, after, wanted, block_of(new)) for first, (_, after) in best.items()
    ]


def _candidates(wanted: list[str], lines: list[str]) -> list[tuple[int, int]]:
    count, slack = len(wanted), max(1, len(wanted) // 4)
    shortest = max(count - slack, 2)
    found: list[tuple[int, int]] = []
    first = -1
    while len(found) <= EDIT_ANCHOR_CANDIDATES_MAX:
        try:
            first = lines.index(wanted[0], first + 1)
        except ValueError:
            break
        last_lines = range(first + shortest - 1, min(first + count + slack, len(lines)))
        found += [(first, last + 1) for last in last_lines if lines[last] == wanted[-1]]
    return found


def _likeness(one: list[str], two: list[str]) -> float:
    """Weigh how many words two middles share, from 0 to 1."""
    words = [Counter(" ".join(lines).split()) for lines in (one, two)]
    total = sum(counter.total() for counter in words)
    return 2 * (words[0] & words[1]).total() / total if total else 1.0
