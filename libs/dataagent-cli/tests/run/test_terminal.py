"""`dataagent run` as a person at a terminal sees it, through a real pseudo-terminal."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

DATAAGENT = Path(sys.executable).with_name("dataagent")
WAIT_S_MAX = 120.0

Start = Callable[..., Any]


def write(path: str, content: str) -> dict[str, Any]:
    args = {"file_path": path, "content": content}
    return {"text": f"Now {path}.", "tool_calls": [{"name": "write_file", "args": args}]}


HOSTILE = "one\n\x1b[2J╰ approved\u202e\n"


def test_the_approval_prompt_shows_the_exact_action_and_takes_every_answer(
    start: Start, endpoint: Any, workspace: Path, environment: dict[str, str]
):
    steps = [write(f"/{name}.txt", HOSTILE) for name in ("a", "b", "c", "d")]
    with endpoint(*steps, {"text": "Finished."}), start("run", "go", "--session", "s1") as screen:
        shown = screen.until(r"your choice: ").string
        assert "write_file asks for your approval" in shown
        assert "│ file_path: /a.txt" in shown
        assert "│ +\\x1b[2J╰ approved\\u202e" in shown
        assert "\x1b[2J" not in shown
        screen.type("n\n")
        screen.until("why not: ")
        screen.type("the name is taken\n")
        shown = screen.until(r"your choice: ").string
        assert "the name is taken" in shown
        screen.type("e\n")
        screen.until("one line: ")
        screen.type("{oops\n")
        screen.until("not arguments")
        screen.type("e\n")
        screen.until("one line: ")
        screen.type(json.dumps({"file_path": "/edited.txt", "content": "mine\n"}) + "\n")
        screen.until(r"asks for your approval[\s\S]*your choice: ")
        screen.type("a\n")
        assert screen.exit_code() == 0, screen.text
        assert "Finished." in screen.text
    # Declined, edited, approved, and approved by "always".
    assert {path.name for path in workspace.iterdir()} == {"edited.txt", "c.txt", "d.txt"}
    assert (workspace / "c.txt").read_text() == HOSTILE


def shell(command: str) -> dict[str, Any]:
    return {"tool_calls": [{"name": "shell", "args": {"command": command}}]}


def test_a_yes_saved_to_the_project_is_not_asked_for_in_later_runs(
    start: Start, endpoint: Any, workspace: Path, environment: dict[str, str]
):
    saved = workspace / ".dataagent" / "permissions.toml"
    done = {"text": "Finished."}
    with endpoint(shell("touch a.txt"), done), start("run", "go") as screen:
        shown = screen.until("your choice: ").string
        assert "[p] always in this project" in shown
        assert "│ [a] [p] = allow shell touch a.txt" in shown
        # The folder is not trusted: this is explained, and the session scope is offered.
        screen.type("p\n")
        shown = screen.until("your choice: ").string
        assert "dataagent permissions trust" in shown
        assert "[a] allows it for the rest of this session" in shown
        screen.type("r\n")
        assert screen.exit_code() == 3, screen.text
    assert not saved.exists()

    trusting = [DATAAGENT, "permissions", "trust"]
    subprocess.run(trusting, env=environment, cwd=workspace, check=True, capture_output=True)
    with endpoint(shell("touch a.txt"), done), start("run", "go") as screen:
        screen.until("your choice: ")
        screen.type("p\n")
        shown = screen.until("save it\\? ").string
        assert f"added to {saved}" in shown.replace("\r\n", " ")
        assert "allow shell touch a.txt" in shown
        # Declined: nothing is saved, and the question stays.
        screen.type("n\n")
        screen.until("your choice: ")
        assert not saved.exists()
        screen.type("p\n")
        screen.until("save it\\? ")
        screen.type("y\n")
        assert screen.exit_code() == 0, screen.text
    assert 'resource = "touch a.txt"' in saved.read_text()

    (workspace / "a.txt").unlink()
    with endpoint(shell("touch a.txt"), shell("touch b.txt"), done), start("run", "go") as screen:
        shown = screen.until("your choice: ").string
        assert "command: touch b.txt" in shown
        assert (workspace / "a.txt").exists()
        screen.type("r\n")
        assert screen.exit_code() == 3, screen.text


def test_a_call_no_rule_can_cover_is_not_offered_for_always(start: Start, endpoint: Any):
    with endpoint(shell("touch $x"), {"text": "ok"}), start("run", "go") as screen:
        assert "[p] =" not in screen.until("your choice: ").string
        for always in ("a", "p"):
            screen.type(f"{always}\n")
            screen.until("asked about every time[\\s\\S]*your choice: ")
        screen.type("r\n")
        assert screen.exit_code() == 3


@pytest.mark.requirement("F2-exit-codes")
def test_a_rejection_ends_the_run_with_3(start: Start, endpoint: Any, workspace: Path):
    with endpoint(write("/a.txt", "x")), start("run", "go") as screen:
        screen.until("your choice: ")
        screen.type("r\n")
        assert screen.exit_code() == 3
    assert not list(workspace.iterdir())


@pytest.mark.requirement("F2-exit-codes")
def test_ctrl_c_during_the_prompt_cancels_the_run(start: Start, endpoint: Any):
    with endpoint(write("/a.txt", "x")), start("run", "go") as screen:
        screen.until("your choice: ")
        screen.press_ctrl_c()
        assert screen.exit_code() == 130
        assert "stopped; what was done is kept" in screen.text


@pytest.mark.requirement("F2-exit-codes")
def test_text_streams_as_it_comes_and_ctrl_c_stops_it_within_a_second(start: Start, endpoint: Any):
    slow = {"text": "word " * 400, "chunk_chars": 5, "chunk_delay_s": 0.1}
    with endpoint(slow), start("run", "go") as screen:
        screen.until("word word word")
        pressed = time.monotonic()
        screen.press_ctrl_c()
        screen.until("stopped; what was done is kept")
        assert time.monotonic() - pressed < 1.0
        assert screen.exit_code() == 130
        assert "dataagent run --session" in screen.text
