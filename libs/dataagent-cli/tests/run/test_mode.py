"""`dataagent run --mode`: what each mode does without a terminal, and its output."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dataagent_core.events import from_json

Process = Callable[..., subprocess.CompletedProcess[bytes]]

WRITE = {
    "tool_calls": [{"name": "write_file", "args": {"file_path": "/a.txt", "content": "one\n"}}]
}
PLAN = {"tool_calls": [{"name": "propose_plan", "args": {"plan": "# Plan\n\n1. Write a.txt."}}]}
ANSWER = {"text": "Done."}


@pytest.mark.requirement("F8-4-run")
def test_auto_mode_writes_without_asking_and_the_session_stays_in_it(
    dataagent: Process, endpoint: Any, workspace: Path
):
    with endpoint(WRITE, ANSWER):
        done = dataagent("run", "write it", "--mode", "auto", "--session", "s1")
        assert (done.returncode, done.stdout) == (0, b"Done.\n"), done.stderr
        assert "mode: auto" in done.stderr.decode()
        assert (workspace / "a.txt").exists()
        (workspace / "a.txt").unlink()
        again = dataagent("run", "write it", "--mode", "auto", "--session", "s1", "--json")
    events = [from_json(line) for line in again.stdout.decode().splitlines()]
    assert events[0].event_type == "start"
    assert events[0].mode == "auto"
    assert (workspace / "a.txt").exists()


@pytest.mark.requirement("F8-4-run")
def test_plan_mode_changes_nothing_even_if_everything_is_approved(
    dataagent: Process, endpoint: Any, workspace: Path
):
    with endpoint(WRITE, ANSWER):
        done = dataagent("run", "write it", "--mode", "plan", "--yes", "--json")
    assert done.returncode == 0, done.stderr
    events = [from_json(line) for line in done.stdout.decode().splitlines()]
    assert [event.event_type for event in events[:2]] == ["mode_changed", "start"]
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert not (workspace / "a.txt").exists()


@pytest.mark.requirement("F8-4-run")
def test_without_a_terminal_the_plan_is_printed_and_waits(
    dataagent: Process, endpoint: Any, workspace: Path
):
    with endpoint(PLAN, WRITE, ANSWER):
        waiting = dataagent("run", "plan it", "--mode", "plan", "--session", "s1")
    assert (waiting.returncode, waiting.stdout) == (3, b"# Plan\n\n1. Write a.txt.\n")
    assert "dataagent run --resume s1" in waiting.stderr.decode()
    assert not (workspace / "a.txt").exists()


def test_what_is_no_mode_is_wrong_use(dataagent: Process):
    refused = dataagent("run", "x", "--mode", "yolo")
    assert refused.returncode == 2
    assert "yolo" in refused.stderr.decode()
