"""A conversation that is interrupted, and one that switches sessions: nothing is lost."""

import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from left_behind import none_left, numbers_and_kinds

OpenTerminal = Callable[..., Any]

READY = r"Shift-Tab"
ASKED = r"your choice: *$"
ANSWERED = r"your answer: *$"
LIBS = Path(__file__).parents[3]
SMALL = LIBS / "dataagent-core" / "tests" / "support" / "mcp_small_server.py"


def call(name: str, **args: Any) -> dict[str, Any]:
    return {"tool_calls": [{"name": name, "args": args}]}


@pytest.mark.requirement("F8-walk-kill")
@pytest.mark.requirement("F8-5")
def test_after_a_kill_the_answer_is_completed_and_nothing_is_done_twice(
    open_terminal: OpenTerminal, scripts: Any, environment: dict[str, str], workspace: Path
):
    counting = call("shell", command="echo once >> count.txt")
    # Long enough to be killed during it, also on a busy machine.
    words = {"text": "word " * 200 + "end.", "chunk_chars": 5, "chunk_delay_s": 0.05}
    with scripts(count=[counting, words]) as served:
        with open_terminal("--session", "s1") as terminal:
            terminal.until(READY)
            terminal.enter("count it")
            terminal.until(ASKED)
            terminal.enter("y")
            terminal.until("word word word")
            terminal.kill()
            assert terminal.exit_code() == -signal.SIGKILL
        assert not none_left(environment)
        asked_before = len(served.requests)
        with open_terminal("--continue") as terminal:
            shown = terminal.until(r"end\.[\s\S]*of context", everywhere=True)
            assert "resumed" in shown
            assert shown.count("› count it") == 1  # noqa: RUF001 (the prompt's sign)
            assert shown.count("end.") == 1
            assert shown.count("your choice") == 0
            terminal.keys("C-d")
            assert terminal.exit_code() == 0
    assert (workspace / "count.txt").read_text() == "once\n"
    assert len(served.requests) == asked_before + 1
    log = numbers_and_kinds(environment, "s1")
    assert [number for number, _ in log] == list(range(1, len(log) + 1))
    assert [kind for _, kind in log].count("done") == 1
    assert [kind for _, kind in log].count("tool_result") == 1


@pytest.mark.requirement("F8-walk-plan")
@pytest.mark.requirement("F8-4")
def test_a_plan_is_made_refined_accepted_and_carried_out(
    open_terminal: OpenTerminal, scripts: Any, workspace: Path, environment: dict[str, str]
):
    writes = call("write_file", file_path="/a.txt", content="one\n")
    steps = [
        writes,
        call("propose_plan", plan="# The plan\n\n1. write **a.txt**"),
        call("propose_plan", plan="# The better plan\n\n1. write **a.txt** with one line"),
        writes,
        {"text": "Carried out."},
    ]
    with scripts(write=steps), open_terminal("--session", "s1", rows=40) as terminal:
        terminal.until("openai:scripted")
        terminal.keys("BTab")
        terminal.until("^plan mode")
        terminal.enter("write it")
        shown = terminal.until(ANSWERED)
        assert "│ 1. write" in shown
        assert not (workspace / "a.txt").exists()
        terminal.enter("3")
        terminal.until(r"better plan[\s\S]*your answer: *$")
        terminal.enter("1")
        # Accepted with the mode `ask`: each write is shown and asked about.
        terminal.until(r"write_file asks[\s\S]*your choice: *$")
        terminal.until("ask mode")
        terminal.enter("y")
        terminal.until("Carried out")
    assert (workspace / "a.txt").read_text() == "one\n"
    kinds = [kind for _, kind in numbers_and_kinds(environment, "s1")]
    assert kinds.count("mode_changed") == 2


@pytest.mark.requirement("F8-walk-mcp")
def test_a_server_of_tools_is_added_in_the_conversation_and_used_at_once(
    open_terminal: OpenTerminal, scripts: Any, environment: dict[str, str], tmp_path: Path
):
    # Server lists of other programs are not read from the person's real home.
    environment["HOME"] = str(tmp_path / "person")
    echo = [call("mcp__local_small__echo", text="from the server"), {"text": "It spoke."}]
    with scripts(echo=echo), open_terminal(columns=200) as terminal:
        terminal.until("openai:scripted")
        terminal.enter(f"/mcp add small -- {sys.executable} {SMALL}")
        # The command has the terminal now: typed text counts when it is done.
        terminal.until_gone(READY)
        terminal.enter("/mcp")
        terminal.until("^small ")
        terminal.enter("echo please")
        shown = terminal.until(ASKED)
        assert "text: from the server" in shown
        terminal.enter("y")
        terminal.until("It spoke")
        terminal.enter("/unfold")
        terminal.until(r"/unfold[\s\S]*from the server")
        terminal.keys("C-d")
        assert terminal.exit_code() == 0
    assert not none_left(environment)
