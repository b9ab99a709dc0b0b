"""Real shells that may run anything: confined, with a canary on their path and a folder to spoil.

What the judge allows by default is run here. If the canary runs, or a file changes, the judge was
fooled. The confinement is bubblewrap's: everything read-only, no network, nothing that stays.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from dataagent_core.sandbox.bubblewrap.sandbox_base import find_bwrap

_DRIVER = Path(__file__).with_name("canary_driver.py")
BASH = ("bash", "--noprofile", "--norc", "-c")
DASH = ("dash", "-c")


class Effect(NamedTuple):
    """What a line did."""

    canary_ran: bool
    changed: list[str]

    def __bool__(self) -> bool:
        return self.canary_ran or bool(self.changed)


class CanaryShells:
    """A confined process that runs one line after another."""

    def __init__(self) -> None:
        python = shutil.which("python3", path="/usr/bin:/bin") or sys.executable
        self._process = subprocess.Popen(
            [
                *(find_bwrap().path, "--unshare-all", "--die-with-parent", "--new-session"),
                *("--ro-bind", "/", "/", "--tmpfs", "/tmp", "--tmpfs", "/run", "--dev", "/dev"),
                *("--proc", "/proc", "--dir", "/tmp/canary", "--chdir", "/", "--cap-drop", "ALL"),
                *("--ro-bind", str(_DRIVER), "/tmp/driver.py"),
                *("--", python, "-IS", "/tmp/driver.py"),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.kill()
        self._process.wait()

    def run(self, shell: tuple[str, ...], line: str) -> Effect:
        """Run a line and say what it did."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([shell, line]) + "\n")
        self._process.stdin.flush()
        ran, changed = json.loads(self._process.stdout.readline())
        return Effect(ran, changed)
