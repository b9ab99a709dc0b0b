"""A file before and after, for an event: counts and a unified diff that can be applied. Pure.

Unlike the diff a tool shows to a model, this one is exact: it keeps carriage returns and says when
the last line has no end. One that is too long is cut, and says so.
"""

from dataagent_core.config.limits import DIFF_CHARS_MAX, DIFF_FILE_BYTES_MAX
from dataagent_core.tools.output.hunks import build_hunks

# Part of the line for the comparison, and a line of its own in the diff.
_NO_END = "\n\\ No newline at end of file"


def compare_file(path: str, before: bytes, after: bytes) -> tuple[dict[str, int], str | None]:
    """Count and show the difference; a file too large or not text is only counted."""
    metrics = {"bytes_written": len(after), "lines_written": len(after.splitlines())}
    if max(len(before), len(after)) > DIFF_FILE_BYTES_MAX or b"\0" in before or b"\0" in after:
        return metrics, None
    lines = build_hunks(_exact_lines(before), _exact_lines(after))
    metrics["lines_added"] = sum(line.startswith("+") for line in lines)
    metrics["lines_removed"] = sum(line.startswith("-") for line in lines)
    if not lines:
        return metrics, ""
    shown = path if path.isprintable() else path.encode("unicode_escape").decode()
    diff = "\n".join([f"--- a{shown}", f"+++ b{shown}", *lines])
    if len(diff) > DIFF_CHARS_MAX:
        diff = diff[:DIFF_CHARS_MAX] + "\n... (diff cut here)"
    return metrics, diff


def _exact_lines(data: bytes) -> list[str]:
    lines = data.decode("utf-8", "replace").split("\n")
    last = lines.pop()
    return [*lines, last + _NO_END] if last else lines
