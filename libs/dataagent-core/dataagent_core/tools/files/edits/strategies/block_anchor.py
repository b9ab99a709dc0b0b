"""Finds a block by its first and last line when what is between them is nearly the same.

The last resort, so it is strict. Every line of the old string must have its line in the file: the
same, or one so like it that the whole block is beyond `EDIT_ANCHOR_LIKENESS_MIN`, and then the edit
may not change that line. Lines of the file the old string leaves out stay, and nothing beside them
may change (`merge`).
"""

from difflib import SequenceMatcher

from dataagent_core.config.limits import (
    EDIT_ANCHOR_CANDIDATES_MAX,
    EDIT_ANCHOR_LIKENESS_MIN,
    EDIT_ANCHOR_LINES_MIN,
    EDIT_FUZZY_LINES_MAX,
)
from dataagent_core.tools.files.edits.strategies.alignment import Alignment
from dataagent_core.tools.files.edits.strategies.line_merge import compare_lines, merge_alignment
from dataagent_core.tools.files.edits.strategies.replacement import EditTarget
from dataagent_core.tools.files.edits.strategies.text_lines import (
    LineBlock,
    TextLines,
    split_block,
    split_text_lines,
    trim_line,
)


def find_by_block_anchor(text: str, old: str, new: str) -> list[EditTarget]:
    """Compare first and last lines, trimmed, then what is between them."""
    wanted = split_block(old)
    lines = [trim_line(line) for line in wanted.lines]
    if not EDIT_ANCHOR_LINES_MIN <= len(lines) <= EDIT_FUZZY_LINES_MAX:
        return []
    if not lines[0] or not lines[-1]:
        return []
    source = split_text_lines(text)
    candidates = _candidates(lines, [trim_line(line) for line in source.lines])
    # A block that begins and ends like a hundred others is not found by its ends.
    if len(candidates) > EDIT_ANCHOR_CANDIDATES_MAX:
        return []
    best: dict[int, tuple[float, Alignment]] = {}
    for first, after in candidates:
        aligned = _align(source, first, after, wanted, split_block(new))
        alike = 0.0 if aligned is None else measure_likeness(aligned)
        if aligned and alike >= max(EDIT_ANCHOR_LIKENESS_MIN, best.get(first, (0.0, None))[0]):
            best[first] = alike, aligned
    return [merge_alignment(aligned) for _, aligned in best.values()]


def measure_likeness(aligned: Alignment) -> float:
    """Weigh how much of both blocks is the same, from 0 to 1, by characters."""
    ours = [trim_line(line) for line in aligned.source.lines[aligned.first : aligned.after]]
    total = len("".join(ours)) + len("".join(trim_line(line) for line in aligned.old.lines))
    same = sum(_count_same_chars(trim_line(old), trim_line(file)) for old, file in aligned.pairs())
    return 2 * same / total if total else 1.0


def _count_same_chars(one: str, two: str) -> int:
    if one == two:
        return len(one)
    return sum(block.size for block in SequenceMatcher(None, one, two).get_matching_blocks())


def _align(
    source: TextLines, first: int, after: int, old: LineBlock, new: LineBlock
) -> Alignment | None:
    """Give each old line its line; `None` if one has none, or has it with other escapes."""
    places: list[int | None] = []
    for what, i1, i2, j1, j2 in compare_lines(old.lines, source.lines[first:after]):
        if what != "insert" and i2 - i1 == j2 - j1:
            places += range(first + j1, first + j2)
        elif what == "delete" and not any(line.strip() for line in old.lines[i1:i2]):
            places += [None] * (i2 - i1)
        elif what != "insert":
            return None
    aligned = Alignment(source, first, after, old, new, tuple(places))
    return None if any(_is_escaped(*pair) for pair in aligned.pairs()) else aligned


def _is_escaped(old: str, file: str) -> bool:
    return trim_line(old) != trim_line(file) and old.replace("\\", "") == file.replace("\\", "")


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
