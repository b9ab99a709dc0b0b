"""Starts and ends the zygote (`process.py`), once a test run."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.line_coverage import VARIABLE, LineCoverage

ROOT = Path(__file__).parents[2]


class Zygote:
    """The process that has imported everything."""

    def __init__(self) -> None:
        self._directory = tempfile.mkdtemp(prefix="dataagent-zygote-")
        self.address = f"{self._directory}/socket"
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("DATAAGENT_", "COVERAGE"))}
        # The coverage floors need lines that only a real process runs: the terminal, a server's
        # start.
        measured = {VARIABLE: "1"} if LineCoverage.current is not None else {}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.warm.process", self.address],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env=kept | {"LC_ALL": "C.UTF-8"} | measured,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == b"ready\n", "the zygote did not start"

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
        shutil.rmtree(self._directory, ignore_errors=True)
