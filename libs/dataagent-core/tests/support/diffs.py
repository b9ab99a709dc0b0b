"""Applies a unified diff, as a check that it says exactly what changed."""

import re

_HUNK = re.compile(r"@@ -(\d+),(\d+) \+(\d+),(\d+) @@")
_NO_END = "\\ No newline at end of file"


def applied(before: str, diff: str) -> str:
    """Give the text a diff makes of another; fails if the diff does not fit."""
    old = _lines(before)
    new: list[str] = []
    at = 0
    lines = [line for line in diff.split("\n") if not line.startswith(("old mode", "new mode"))]
    for number, line in enumerate(lines):
        if number < 2 and line.startswith(("--- a", "+++ b")):
            continue
        if hunk := _HUNK.fullmatch(line):
            start = int(hunk[1]) - (1 if int(hunk[2]) else 0)
            new += old[at:start]
            at = start
            continue
        if line == _NO_END:
            continue
        ends = number + 1 < len(lines) and lines[number + 1] == _NO_END
        text = line[1:] + ("" if ends else "\n")
        if line[:1] in {" ", "-"}:
            assert old[at] == text, f"the diff removes {text!r}, the file has {old[at]!r}"
            at += 1
        if line[:1] in {" ", "+"}:
            new.append(text)
    return "".join(new + old[at:])


def _lines(text: str) -> list[str]:
    parts = text.split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
