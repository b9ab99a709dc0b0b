"""`dataagent run --plan` and `--loop`: they count for this message, and reach the engine."""

import json
import re
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


def judged(*problems: str) -> list[dict[str, Any]]:
    return [{"text": json.dumps({"accepted": not problems, "problems": problems})}]


# Its review sends the work back once.
STAGED: dict[str, list[dict[str, Any]]] = {
    r'^\{"goal": "hello"\}': [{"text": "They greet."}],
    r'"round": 0\}': judged("nobody looked behind it"),
    r'"round": 1\}': judged(),
    r'"first_number": 2\b': [
        {"text": json.dumps({"steps": [{"step_number": 2, "description": "look behind it"}]})}
    ],
    **SCRIPTS,
    "hello": [{"text": "I looked."}, {"text": "Nothing there."}, {"text": "Hello."}],
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


def test_a_staged_run_tells_its_stages_and_why_a_review_sends_work_back(
    dataagent: Process, scripts: Any
):
    with scripts(**STAGED):
        done = dataagent("run", "hello", "--loop", "staged")
    told = done.stderr.decode()
    assert (done.returncode, done.stdout.decode().splitlines()[0]) == (0, "Hello."), told
    ours = [line for line in told.splitlines() if line.startswith(("plan", "the review", "  "))]
    assert [re.sub(r" · \d.*", "", line) for line in ours] == [
        "plan · reasoning",
        "plan · planning",
        "plan 0/1 · planning",
        "  1 [ ] look",
        "plan 0/1 · at work",
        "  1 [>] look",
        "  1 [x] look",
        "plan 1/1 · reviewing",
        "the review sends work back: nobody looked behind it",
        "plan 1/2 · at work, round 1",
        "  1 [x] look",
        "  2 [ ] look behind it",
        "  2 [>] look behind it",
        "  2 [x] look behind it",
        "plan 2/2 · reviewing, round 1",
        "plan 2/2",
    ]


@pytest.mark.parametrize("option", [("--plan", "never"), ("--loop", "staged")])
def test_a_run_that_is_resumed_goes_on_as_it_began(command: Command, option: tuple[str, str]):
    code, _, err = command("run", "--resume", "s1", *option)
    assert code == 2
    assert "leave out --loop and --plan" in err


def test_what_is_no_loop_is_wrong_use(command: Command):
    assert command("run", "hello", "--loop", "round")[0] == 2
