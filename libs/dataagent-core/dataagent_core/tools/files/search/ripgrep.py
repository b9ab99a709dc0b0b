"""What ripgrep is asked: files below a folder, those in which a pattern occurs, lines of a text.

In a folder it runs in the folder's descriptor and follows no links, and what it gives are
proposals: `find` judges each file again, and `lines` what was read from it.
"""

import os
from collections.abc import Sequence

from dataagent_core.sandbox.paths.tool_paths import PathParts
from dataagent_core.tools.files.search.deadline import SearchDeadline
from dataagent_core.tools.files.search.ignore_rules import DEFAULT_EXCLUDES
from dataagent_core.tools.files.search.ripgrep_program import RipgrepOutput, run_ripgrep
from dataagent_core.tools.files.search.search_pattern import SearchPattern

_IN_A_FOLDER = (
    "--null",
    "--hidden",
    "--no-follow",
    # Of the ignore files only those git would read below this folder.
    "--no-ignore-dot",
    "--no-ignore-exclude",
    "--no-ignore-global",
    "--no-ignore-parent",
    "--no-require-git",
    *(f"--glob=!{name}" for name in DEFAULT_EXCLUDES),
)
# A line with a byte that is no UTF-8: to ripgrep it is no character, to `lines` it is U+FFFD.
_NOT_UTF8 = (
    r"^.*(?-u:[\x80-\xC1\xF5-\xFF]|[\xC2-\xF4](?:[^\x80-\xBF]|$)"
    r"|[\xE0-\xF4][\x80-\xBF](?:[^\x80-\xBF]|$)|[\xF0-\xF4][\x80-\xBF]{2}(?:[^\x80-\xBF]|$))"
)


def propose_names(folder_fd: int, deadline: SearchDeadline) -> list[PathParts] | None:
    """List the files below a folder; `None` if there are too many, or no such descriptors here."""
    return _propose_files(folder_fd, ["--files"], None, deadline)


def propose_matches(
    folder_fd: int, pattern: SearchPattern, deadline: SearchDeadline
) -> list[PathParts] | None:
    """List the files below a folder in which a pattern may occur; `None` as above."""
    wanted = ["--files-with-matches", *pattern.arguments]
    if pattern.may_match_replaced_bytes:
        wanted.append(f"--regexp={_NOT_UTF8}")
    return _propose_files(folder_fd, wanted, pattern, deadline)


def find_line_numbers(
    text: bytes, pattern: SearchPattern, deadline: SearchDeadline, lines_max: int
) -> list[int]:
    """Give the numbers of the first lines of a text that match, counted from 1."""
    # Only the numbers are wanted: a line of two bytes or more is said to be left out.
    shown = ("--line-number", "--max-columns=1", f"--max-count={lines_max}")
    output = run_ripgrep(["--text", *shown, *pattern.arguments, "-"], deadline, text=text)
    found = _check_output(output, pattern).stdout or b""
    return [int(line.partition(b":")[0]) for line in found.split(b"\n") if line]


def _propose_files(
    folder_fd: int, wanted: Sequence[str], pattern: SearchPattern | None, deadline: SearchDeadline
) -> list[PathParts] | None:
    folder = f"/proc/self/fd/{folder_fd}"
    if not os.path.isdir(folder):  # noqa: PTH112 (a descriptor, not a path)
        return None
    output = run_ripgrep([*_IN_A_FOLDER, *wanted, "--", "./"], deadline, folder=folder)
    found = _check_output(output, pattern).stdout
    if found is None:
        return None
    paths = os.fsdecode(found).split("\0")
    return [tuple(path.removeprefix("./").split("/")) for path in paths if path]


def _check_output(output: RipgrepOutput, pattern: SearchPattern | None) -> RipgrepOutput:
    # Files that cannot be read are passed over in silence: what is said is about the pattern.
    if pattern is None or not output.stderr:
        return output
    # The paragraphs after the first name options of ripgrep that nobody can set here.
    message = output.stderr.decode("utf-8", "replace").partition("\n\n")[0].removeprefix("rg: ")
    raise pattern.make_error(message.rpartition("error: ")[2].strip())
