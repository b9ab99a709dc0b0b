"""The text of a file that is nearest to one that was not found, for the model to copy. Pure."""

from itertools import accumulate

from dataagent_core.config.limits import EDIT_NEAREST_LINES_MAX, EDIT_NEAREST_SHARE_MIN
from dataagent_core.tools.bounds import truncate_line


def nearest_text(text: str, old: str) -> str:
    """Show the run of lines that shares most words with `old`; empty if none shares many."""
    words = set(old.split())
    lines = text.split("\n")
    count = min(len(old.strip().split("\n")), len(lines))
    sums = [0, *accumulate(len(words.intersection(line.split())) for line in lines)]
    first = max(range(len(lines) - count + 1), key=lambda at: sums[at + count] - sums[at])
    shared = words.intersection(" ".join(lines[first : first + count]).split())
    if len(shared) < EDIT_NEAREST_SHARE_MIN * len(words):
        return ""
    return shown_lines(lines, first, first + count)


def shown_lines(lines: list[str], first: int, after: int) -> str:
    """Show lines of a file as they are, below the numbers of the first and the last."""
    last = min(after, first + EDIT_NEAREST_LINES_MAX)
    shown = "\n".join(truncate_line(line) for line in lines[first:last])
    return f"line {first + 1} to {last} of the file:\n{shown}"
