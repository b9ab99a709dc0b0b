"""`dataagent run` for programs: its output on each stream, and its exit code."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from vendor import Vendor
from vendor_packages import install_modal

from dataagent_core.events import from_dict, from_json
from dataagent_core.models import DEMO_PROMPT

Process = Callable[..., subprocess.CompletedProcess[bytes]]
Command = Callable[..., tuple[int, str, str]]

DATAAGENT = Path(sys.executable).with_name("dataagent")

WRITE = {
    "text": "First the file.",
    "tool_calls": [{"name": "write_file", "args": {"file_path": "/a.txt", "content": "one\n"}}],
}
ANSWER = {"text": "All **done**."}


@pytest.mark.requirement("F2-exit-codes")
def test_stdout_holds_just_the_answer(dataagent: Process, endpoint: Any, workspace: Path):
    with endpoint(WRITE, ANSWER):
        done = dataagent("run", "write it", "--yes", "--session", "s1")
    assert done.returncode == 0, done.stderr
    assert done.stdout == b"All **done**.\n"
    assert (workspace / "a.txt").read_text() == "one\n"
    told = done.stderr.decode()
    assert "First the file." in told
    assert "✓ write /a.txt · +1 -0" in told
    assert "1 │+one" in told
    assert "\x1b" not in told


@pytest.mark.requirement("F2-json-output")
def test_json_prints_one_event_per_line_and_nothing_else(dataagent: Process, endpoint: Any):
    with endpoint(WRITE, ANSWER):
        done = dataagent("run", "-", "--json", "--yes", stdin="写吧".encode())
    assert done.returncode == 0, done.stderr
    lines = done.stdout.decode().splitlines()
    events = [from_json(line) for line in lines]
    assert [event.to_dict() for event in events] == [json.loads(line) for line in lines]
    assert [event.seq for event in events] == list(range(1, len(lines) + 1))
    assert (events[0].event_type, events[-1].event_type) == ("start", "done")


@pytest.mark.requirement("F2-json-output")
def test_json_tells_errors_too(command: Command):
    code, out, err = command("run", "x", "--json", "--model", "openai:gpt-5.5")
    event = from_dict(json.loads(out))
    assert (code, event.event_type) == (2, "error")
    assert "OPENAI_API_KEY" in out
    assert err.startswith("error: ")


def test_a_sub_agent_that_waits_for_an_approval_is_named(dataagent: Process, scripts: Any):
    tasks = [
        {"name": "task", "args": {"subagent_type": "general-purpose", "description": text}}
        for text in ("look around", "make a file")
    ]
    steps = [{"text": "I delegate.", "tool_calls": tasks}, ANSWER]
    looks = [{"text": "Nothing here."}]
    with scripts(both=steps, look=looks, make=[WRITE, ANSWER]):
        waiting = dataagent("run", "both", "--approve", "task")
    assert waiting.returncode == 3
    assert "waiting for approval: [general-purpose (2)] write /a.txt" in waiting.stderr.decode()


@pytest.mark.requirement("F2-exit-codes")
def test_an_approval_nobody_can_give_leaves_the_run_waiting_and_says_how_to_go_on(
    dataagent: Process, endpoint: Any, workspace: Path, tmp_path: Path
):
    with endpoint(WRITE, ANSWER):
        waiting = dataagent("run", "write it", "--session", "s1")
        assert waiting.returncode == 3
        assert waiting.stdout == b""
        told = waiting.stderr.decode()
        assert "waiting for approval: write /a.txt" in told
        assert "dataagent run --resume s1 --approve write_file" in told
        assert not (workspace / "a.txt").exists()

        # From another directory: the run continues in its own.
        done = dataagent("run", "--resume", "s1", "--approve", "write_file", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, b"All **done**.\n"), done.stderr
    assert (workspace / "a.txt").read_text() == "one\n"


def test_a_session_with_an_unfinished_run_takes_no_other_message(command: Command):
    assert command("run", DEMO_PROMPT, "--model", "demo:demo", "--session", "s1")[0] == 3
    code, _, err = command("run", "something else", "--model", "demo:demo", "--session", "s1")
    assert (code, "--resume s1" in err) == (1, True)


@pytest.mark.requirement("F2-exit-codes")
def test_a_run_that_takes_too_long_ends_with_4(dataagent: Process, endpoint: Any):
    with endpoint({"text": "slow", "delay_s": 30}):
        done = dataagent("run", "x", "--timeout", "0.2")
    assert (done.returncode, done.stdout) == (4, b"")
    assert b"longer than it was given" in done.stderr


@pytest.mark.requirement("F2-exit-codes")
def test_a_model_that_stays_away_ends_with_1_after_retries(
    dataagent: Process, endpoint: Any, environment: dict[str, str]
):
    failing = {"text": "never", "failures": [{"status": 503}] * 9}
    with endpoint(failing):
        environment["DATAAGENT_MODEL_RETRIES"] = "1"
        done = dataagent("run", "x")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"trying again in" in done.stderr
    assert b"error: " in done.stderr


@pytest.mark.requirement("F2-exit-codes")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["run"], "say what to do"),
        (["run", "x", "--resume", "s1"], "takes no prompt"),
        (["run", "--resume", "s1", "--session", "s1"], "leave --session out"),
        (["run", "x", "--workspace", "/nowhere"], "'/nowhere' is not a directory"),
        (["run", "x", "--timeout", "nan"], "--timeout"),
        (["run", "x", "--timeout", "-1"], "--timeout"),
        (["run", "x", "--session", "../../etc"], "cannot be a session id"),
        (["run", "x", "--model", "nonsense:x"], "is not a provider"),
        (["run", "x", "--frobnicate"], "No such option"),
        (["frobnicate"], "No such command"),
    ],
)
def test_wrong_use_ends_with_2_and_says_what_was_wrong(
    command: Command, arguments: list[str], told: str
):
    code, out, err = command(*arguments)
    assert (code, out) == (2, "")
    assert told in err
    assert "Traceback" not in err


@pytest.mark.requirement("F2-bad-prompt")
@pytest.mark.parametrize(("prompt", "told"), [(" \n", "empty"), ("x" * 400_001, "400,000")])
def test_a_prompt_that_is_empty_or_too_large_is_refused_before_anything_is_stored(
    command: Command, tmp_path: Path, prompt: str, told: str
):
    code, _, err = command("run", prompt)
    assert (code, told in err) == (2, True)
    assert not (tmp_path / "home" / "dataagent.db").exists()


@pytest.mark.requirement("F2-non-utf8-input")
def test_input_that_is_not_utf8_ends_with_2(dataagent: Process, tmp_path: Path):
    piped = dataagent("run", "-", stdin=b"caf\xe9")
    assert (piped.returncode, b"byte 4 is 0xe9" in piped.stderr) == (2, True)
    argument = dataagent("run", b"caf\xe9")
    assert (argument.returncode, b"not UTF-8" in argument.stderr) == (2, True)
    assert not (tmp_path / "home" / "dataagent.db").exists()


@pytest.mark.requirement("F2-session-lock")
def test_two_processes_cannot_run_one_session_and_a_killed_one_leaves_no_lock_behind(
    dataagent: Process, command: Command, endpoint: Any, environment: dict[str, str]
):
    with endpoint({"text": "word " * 40, "chunk_delay_s": 0.2, "chunk_chars": 5}):
        running = subprocess.Popen(
            [DATAAGENT, "run", "x", "--session", "s1", "--json"],
            stdout=subprocess.PIPE,
            env=environment,
        )
        assert running.stdout
        with running.stdout:
            # The second line is text: the model is answering.
            first = [json.loads(running.stdout.readline())["event_type"] for _ in range(2)]
            assert first == ["start", "text"]
            code, _, err = command("run", "y", "--session", "s1")
            assert (code, f"pid {running.pid}" in err) == (1, True)
            assert command("run", "--resume", "s1")[0] == 1
            assert command("sessions", "delete", "s1", "--yes")[0] == 1
            assert "running" in command("sessions", "list")[1]
            running.kill()
            running.wait()
    assert "interrupted" in command("sessions", "list")[1]
    with endpoint({"text": "word " * 40}):
        done = dataagent("run", "--resume", "s1")
    assert (done.returncode, done.stdout) == (0, b"word " * 40 + b"\n"), done.stderr
    assert b"resumed (attempt 2)" in done.stderr


@pytest.mark.requirement("F16-B5-sandbox-type")
@pytest.mark.parametrize("chosen", ["option", "setting"])
def test_a_run_works_in_the_sandbox_that_was_chosen(  # noqa: PLR0917 (fixtures)
    command: Command,
    endpoint: Any,
    workspace: Path,
    environment: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    chosen: str,
):
    vendor = Vendor(tmp_path / "vendor")
    install_modal(vendor, monkeypatch)
    request = ["--sandbox", "modal", "--sandbox-id", "m-1"] if chosen == "option" else []
    if chosen == "setting":
        environment["DATAAGENT_SANDBOX_TYPE"] = "modal"
    with endpoint(WRITE, ANSWER):
        code, out, err = command("run", "write it", "--yes", *request)
    assert (code, out) == (0, "All **done**.\n"), err
    assert vendor.asked == [("modal", "m-1" if request else None)]
    assert (vendor.files() / "a.txt").read_text() == "one\n"
    assert not (workspace / "a.txt").exists()


@pytest.mark.requirement("F16-B5-sandbox-type")
@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--sandbox", "daytona"], "pip install 'dataagent-core[daytona]'"),
        (["--sandbox", "e2b"], "'local', 'modal', 'daytona', 'runloop'"),
        (["--sandbox", "local", "--unsafe-host-shell"], "exclude each other"),
        (["--sandbox", "modal", "--server", "http://127.0.0.1:9"], "--sandbox"),
    ],
)
def test_a_sandbox_that_cannot_be_had_is_wrong_use(command: Command, options: list[str], told: str):
    code, _, err = command("run", "x", *options)
    assert code == 2
    assert told in err
