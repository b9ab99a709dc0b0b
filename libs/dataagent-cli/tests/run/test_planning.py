"""`dataagent run --plan` and `--loop`: they count for this message, and reach the engine."""

import json
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

Process = Callable[..., subprocess.CompletedProcess[bytes]]
Command = Callable[..., tuple[int, str, str]]

STEPS = [{"step_number": 1, "description": "look"}]
SCRIPTS: dict[str, list[dict[str, Any]]] = {
    r'^\{"message"': [{"text": json.dumps({"confidence": 0.9, "steps": STEPS})}],
    "hello": [{"text": "I looked."}, {"text": "Hello."}],
}


def kinds(out: str) -> list[str]:
    return [json.loads(line)["event_type"] for line in out.splitlines()]


def test_a_plan_is_made_if_this_message_wants_one(command: Command, scripts: Any):
    with scripts(**SCRIPTS):
        code, out, _ = command("run", "hello", "--plan", "always", "--json", "--session", "s1")
        assert code == 0
        assert {"work_plan", "step_start", "step_end"} <= set(kinds(out))
        code, out, _ = command("run", "hello", "--json", "--session", "s1")
        assert (code, "work_plan" in kinds(out)) == (0, False)
    code, out, _ = command("sessions", "plan", "s1")
    assert code == 0
    assert out.startswith("plan 1/1\n  1 [x] look")


def test_no_plan_is_made_if_this_message_wants_none(
    command: Command, scripts: Any, environment: dict[str, str]
):
    environment["DATAAGENT_PLANNING"] = "always"
    with scripts(**SCRIPTS):
        code, out, _ = command("run", "hello", "--plan", "never", "--json")
    assert (code, "work_plan" in kinds(out)) == (0, False)


def test_without_a_terminal_the_steps_are_lines_on_stderr(dataagent: Process, scripts: Any):
    with scripts(**SCRIPTS):
        done = dataagent("run", "hello", "--plan", "always")
    told = done.stderr.decode()
    assert (done.returncode, done.stdout.decode().splitlines()[0]) == (0, "Hello.")
    assert "plan 0/1\n  1 [ ] look\n  1 [>] look\n" in told
    assert "\n  1 [x] look · " in told


@pytest.mark.parametrize("option", [("--plan", "never"), ("--loop", "staged")])
def test_a_run_that_is_resumed_goes_on_as_it_began(command: Command, option: tuple[str, str]):
    code, _, err = command("run", "--resume", "s1", *option)
    assert code == 2
    assert "leave out --loop and --plan" in err


def test_what_is_no_loop_is_wrong_use(command: Command):
    assert command("run", "hello", "--loop", "round")[0] == 2
