"""Starting `@copilotkit/aimock`, an OpenAI-compatible server that someone else wrote.

`with aimock(fixtures) as base_url:` serves these fixtures (its own format, see its documentation)
on a free port. `npm ci --prefix tests/thirdparty` installs it; without it a test is skipped.
"""

import json
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

COMMAND = Path(__file__).parent / "node_modules/@copilotkit/aimock/dist/cli.js"
START_S = 30.0
_LISTENING = re.compile(r"listening on (http://127\.0\.0\.1:\d+)")


@contextmanager
def aimock(fixtures: Sequence[dict[str, Any]], *options: str) -> Generator[str]:
    """Serve the fixtures and yield the value for OPENAI_BASE_URL."""
    node = shutil.which("node")
    if node is None or not COMMAND.is_file():
        pytest.skip("aimock is not installed: run `npm ci --prefix tests/thirdparty`")
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "fixtures.json"
        path.write_text(json.dumps({"fixtures": list(fixtures)}))
        command = [node, str(COMMAND), "--port", "0", "--fixtures", str(path), *options]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as process:
            try:
                yield f"{_address(process)}/v1"
            finally:
                process.kill()


def _address(process: subprocess.Popen[str]) -> str:
    """Read the printed address, or fail with all the output."""
    said: list[str] = []
    impatience = threading.Timer(START_S, process.kill)
    impatience.start()
    try:
        for line in process.stdout or ():
            said.append(line)
            if found := _LISTENING.search(line):
                return found[1]
    finally:
        impatience.cancel()
    raise AssertionError("aimock did not start:\n" + "".join(said))
