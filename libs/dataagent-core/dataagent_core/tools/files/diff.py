"""The difference between two texts, for the model and the person to see. Pure."""

from dataclasses import dataclass

from dataagent_core.config.limits import OUTPUT_LINES_DEFAULT
from dataagent_core.tools.bounds import lines_of, truncate_line
from dataagent_core.tools.hunks import hunk_lines


@dataclass(frozen=True, slots=True)
class Diff:
    """A unified diff and its counts."""

    text: str
    added: int
    removed: int


def unified_diff(path: str, before: str, after: str) -> Diff:
    """Compare two versions of a file."""
    lines = hunk_lines(lines_of(before), lines_of(after))
    added = sum(line.startswith("+") for line in lines)
    removed = sum(line.startswith("-") for line in lines)
    return Diff("\n".join([f"--- a{path}", f"+++ b{path}", *_bounded(lines)]), added, removed)


def _bounded(lines: list[str]) -> list[str]:
    shown = [truncate_line(line) for line in lines[:OUTPUT_LINES_DEFAULT]]
    left = len(lines) - len(shown)
    return [*shown, f"... ({left} more lines of this diff are not shown)"] if left else shown
