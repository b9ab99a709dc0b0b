"""Edits made of the differences between two versions of a file."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from random import Random

from edit_corpus.versions import Versions

_CONTEXT_MAX = 3
_LINES_MAX = 40


@dataclass(frozen=True, slots=True)
class Change:
    """An edit that is exact, and the text it makes."""

    path: str
    text: str
    old: str
    new: str
    gold: str


def changes_of(versions: Versions, random: Random) -> Iterator[Change]:
    """Make an edit of every difference whose old lines are found once in the file."""
    before, after = (text.split("\n") for text in (versions.before, versions.after))
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for what, i1, i2, j1, j2 in matcher.get_opcodes():
        if what == "equal" or max(i2 - i1, j2 - j1) > _LINES_MAX:
            continue
        above, below = (random.randint(0, _CONTEXT_MAX) for _ in range(2))
        while above <= 2 * _CONTEXT_MAX:
            first, last = max(i1 - above, 0), min(i2 + below, len(before))
            old = before[first:last]
            new = [*before[first:i1], *after[j1:j2], *before[i2:last]]
            if change := _change(versions.path, before, (first, last), old, new):
                yield change
                break
            above, below = above + 1, below + 1


def wrapped(change: Change) -> Change | None:
    """Make an edit that puts the old lines into a block."""
    lines = change.old.split("\n")
    filled = [line for line in lines if line.strip()]
    margin = min((line[: len(line) - len(line.lstrip())] for line in filled), key=len)
    if not change.path.endswith(".py") or "\t" in margin or not filled[0].startswith(margin):
        return None
    if filled[0] != margin + filled[0].lstrip() or '"""' in change.old:
        return None
    new = "\n".join(
        [f"{margin}if ready:", *(f"    {line}" if line.strip() else line for line in lines)]
    )
    gold = change.text.replace(change.old, new)
    return Change(change.path, change.text, change.old, new, gold)


def _change(
    path: str, lines: list[str], span: tuple[int, int], old: list[str], new: list[str]
) -> Change | None:
    text, wanted = "\n".join(lines), "\n".join(old)
    if not wanted.strip() or text.count(wanted) != 1 or old == new or not new:
        return None
    gold = "\n".join([*lines[: span[0]], *new, *lines[span[1] :]])
    return Change(path, text, wanted, "\n".join(new), gold)
