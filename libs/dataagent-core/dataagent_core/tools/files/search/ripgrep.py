"""Runs ripgrep in a folder to propose files, where it is installed.

It runs in the folder's descriptor, follows no links, reads no configuration and no environment,
and ends with the deadline. What it proposes is judged again by `find`.
"""

import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from threading import Timer

from dataagent_core.config.limits import SEARCH_OUTPUT_BYTES_MAX
from dataagent_core.sandbox.safe_paths import Parts
from dataagent_core.tools.files.search.deadline import Deadline
from dataagent_core.tools.files.search.ignore import DEFAULT_EXCLUDES

_FLAGS = (
    "--no-config",
    "--no-messages",
    "--color=never",
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
_OK = (0, 1)  # found something, found nothing


@cache
def ripgrep_path() -> str | None:
    """Find the program once."""
    return shutil.which("rg")


def propose_names(folder_fd: int, deadline: Deadline) -> list[Parts] | None:
    """List the files below a folder; `None` if ripgrep cannot."""
    return _run(folder_fd, ["--files"], deadline)


def propose_matches(
    folder_fd: int, pattern: str, deadline: Deadline, *, ignore_case: bool
) -> list[Parts] | None:
    """List the files below a folder in which a pattern may occur; `None` if ripgrep cannot."""
    case = "--ignore-case" if ignore_case else "--case-sensitive"
    # Binary files are told apart here, not by ripgrep, so it must not skip any.
    wanted = ["--files-with-matches", "--text", case, f"--regexp={pattern}"]
    return _run(folder_fd, wanted, deadline)


def _run(folder_fd: int, wanted: Sequence[str], deadline: Deadline) -> list[Parts] | None:
    program = ripgrep_path()
    folder = f"/proc/self/fd/{folder_fd}"
    if program is None or not os.path.isdir(folder):  # noqa: PTH112 (a descriptor, not a path)
        return None
    try:
        output = _output_of([program, *_FLAGS, *wanted, "--", "./"], folder, deadline)
    except OSError:  # it cannot be started, for example because there are too many processes
        return None
    deadline.left_s()
    if output is None:
        return None
    paths = os.fsdecode(output).split("\0")
    return [tuple(path.removeprefix("./").split("/")) for path in paths if path]


def _output_of(command: list[str], folder: str, deadline: Deadline) -> bytes | None:
    with subprocess.Popen(  # noqa: S603 (a fixed program; a pattern is one of its arguments)
        command,
        cwd=folder,
        env={},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdout is not None
        # Killing it also ends the reading.
        killer = Timer(deadline.left_s(), process.kill)
        killer.start()
        try:
            output = process.stdout.read(SEARCH_OUTPUT_BYTES_MAX + 1)
            if len(output) > SEARCH_OUTPUT_BYTES_MAX:
                process.kill()
            process.wait()
        finally:
            killer.cancel()
    return output if process.returncode in _OK else None
