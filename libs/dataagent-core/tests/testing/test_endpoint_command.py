"""`python -m dataagent_core.testing.endpoint`: starts, says where, stops when told."""

import json
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

COMMAND = [sys.executable, "-W", "error", "-m", "dataagent_core.testing.endpoint"]


@contextmanager
def running(*arguments: str) -> Generator[tuple[subprocess.Popen[str], str]]:
    with subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_a_script_file_and_stops_on_a_signal(
    number: signal.Signals, tmp_path: Path
) -> None:
    path = tmp_path / "script.json"
    path.write_text(json.dumps({"steps": [{"text": "from the file"}]}))
    with running("--script", str(path)) as (process, base_url):
        assert base_url.startswith("http://127.0.0.1:")
        body = {"messages": [{"role": "user", "content": "go"}]}
        answer = httpx.post(f"{base_url}/chat/completions", json=body).json()
        assert answer["choices"][0]["message"]["content"] == "from the file"
        process.send_signal(number)
        assert process.wait(10) == 0
        assert process.stderr
        assert process.stderr.read() == ""


def test_without_a_script_it_says_how_to_give_one() -> None:
    with running("--port", "0") as (_, base_url):
        body = {"messages": [{"role": "user", "content": "go"}]}
        answer = httpx.post(f"{base_url}/chat/completions", json=body).json()
        assert "--script FILE" in answer["choices"][0]["message"]["content"]


def test_a_port_in_use_and_a_wrong_script_are_wrong_use(tmp_path: Path) -> None:
    with running() as (_, base_url):
        port = base_url.rpartition(":")[2].removesuffix("/v1")
        for arguments in (["--port", port], ["--port", "99999"], ["--script", str(tmp_path)]):
            done = subprocess.run(
                [*COMMAND, *arguments], capture_output=True, text=True, check=False, timeout=30
            )
            assert done.returncode == 2
            assert "error:" in done.stderr
            assert "Traceback" not in done.stderr
