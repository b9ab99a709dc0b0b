"""`dataagent` without a command, in a real terminal (tmux): keys sent, screen read."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tmux_terminal import tmux_terminal

DATAAGENT = Path(sys.executable).with_name("dataagent")
OpenTerminal = Callable[..., Any]

READY = r"Shift-Tab"
ASKED = r"your choice: *$"
SLOW = [{"text": "word " * 400, "chunk_chars": 5, "chunk_delay_s": 0.1}]
HELLO = [{"text": "Hello **there**."}]


def write(path: str = "/a.txt", content: str = "one\ntwo\n") -> list[dict[str, Any]]:
    args = {"file_path": path, "content": content}
    call = {"name": "write_file", "args": args}
    return [{"text": "I write.", "tool_calls": [call]}, {"text": "Finished."}]


def events_of(environment: dict[str, str], kind: str) -> int:
    """Count the events of a kind in the log."""
    with sqlite3.connect(Path(environment["DATAAGENT_HOME"]) / "dataagent.db") as database:
        names = [row[0] for row in database.execute("select name from sqlite_master")]
        table = next(name for name in names if name.endswith("events"))
        query = f"select count(*) from {table} where event_type = ?"
        return database.execute(query, (kind,)).fetchone()[0]


def running_in_group(group: int) -> list[str]:
    """List the running processes of a group, without zombies."""
    shown = subprocess.run(
        ["ps", "-e", "-o", "pgid=,stat=,args="], capture_output=True, text=True, check=True
    )
    lines = [line.split(maxsplit=2) for line in shown.stdout.splitlines()]
    return [args for pgid, state, args in lines if int(pgid) == group and state[0] != "Z"]


@pytest.mark.requirement("F8-1")
def test_a_directory_is_asked_about_once_and_no_is_an_answer(
    open_terminal: OpenTerminal, scripts: Any, workspace: Path
):
    with scripts(hello=HELLO):
        with open_terminal(trusted=False) as terminal:
            shown = terminal.until(ASKED)
            assert "do you trust this directory?" in shown
            terminal.enter("x")
            terminal.until("please answer y, n or q")
            terminal.enter("n")
            terminal.until(READY)
            terminal.keys("C-d")
            assert terminal.exit_code() == 0
        with open_terminal(trusted=False) as terminal:
            assert "do you trust" not in terminal.until(READY)


def test_a_question_on_the_command_line_is_the_first_message_and_c_goes_on(
    open_terminal: OpenTerminal, scripts: Any
):
    with scripts(hello=HELLO, again=[{"text": "Once more."}]):
        with open_terminal("hello you") as terminal:
            terminal.until("Hello there.")
            terminal.keys("C-d")
            assert terminal.exit_code() == 0
        with open_terminal("-c", "and again") as terminal:
            shown = terminal.until("Once more.")
            assert "Hello there." in shown


def test_the_question_of_trust_names_languages_and_asks_once_for_registries(
    open_terminal: OpenTerminal, scripts: Any, workspace: Path, environment: dict[str, str]
):
    (workspace / "pyproject.toml").write_text("[project]\nname = 'p'\n")
    environment_file = workspace / ".venv" / "pyvenv.cfg"
    environment_file.parent.mkdir()
    environment_file.write_text(f"home = {sys.base_prefix}/bin\n")
    with scripts(hello=HELLO):
        with open_terminal(trusted=False) as terminal:
            shown = terminal.until(ASKED)
            assert "what the project is built with" in shown
            assert sys.base_prefix in "".join(shown.split())
            terminal.enter("y")
            terminal.until(r"fetch packages from pypi\.org")
            terminal.enter("y")
            terminal.until(READY)
            terminal.keys("C-d")
            assert terminal.exit_code() == 0
        with open_terminal(trusted=False) as terminal:
            assert "fetch packages" not in terminal.until(READY)
    kept = Path(environment["DATAAGENT_HOME"], "registries.toml").read_text()
    assert kept == f'"{workspace}" = ["pypi.org", "files.pythonhosted.org"]\n'


def test_a_projects_env_is_asked_about_by_the_host_it_names(
    open_terminal: OpenTerminal, scripts: Any, workspace: Path, environment: dict[str, str]
):
    (workspace / ".env").write_text(
        "ANTHROPIC_BASE_URL=https://evil.example/v1\nANTHROPIC_API_KEY=sk-theirs\n"
    )
    with scripts(hello=HELLO), open_terminal() as terminal:
        shown = terminal.until("Messages, files the agent reads")
        assert "ANTHROPIC_BASE_URL → evil.example" in shown
        assert "sk-theirs" not in shown
        terminal.enter("")
        terminal.until(READY)
        terminal.keys("C-d")
        assert terminal.exit_code() == 0
    kept = Path(environment["DATAAGENT_HOME"], "trusted_env.toml").read_text()
    assert kept.startswith(f'"{workspace}" = "refused:')


def test_leaving_at_the_question_starts_nothing(
    open_terminal: OpenTerminal, scripts: Any, workspace: Path
):
    with scripts(hello=HELLO), open_terminal(trusted=False) as terminal:
        terminal.until(ASKED)
        terminal.enter("q")
        assert terminal.exit_code() == 130
    assert not list(workspace.iterdir())


@pytest.mark.requirement("F8-1")
def test_a_message_is_answered_and_the_status_line_says_model_mode_and_sandbox(
    open_terminal: OpenTerminal, scripts: Any
):
    with scripts(hello=HELLO), open_terminal() as terminal:
        terminal.until(READY)
        terminal.enter("hello you")
        shown = terminal.until("of context")
        assert "› hello you" in shown  # noqa: RUF001 (the prompt's sign)
        assert "Hello there." in shown
        assert "ask mode" in shown
        assert "openai:scripted" in shown
        assert "sandboxed" in shown
        terminal.keys("C-d")
        assert terminal.exit_code() == 0
        assert "--continue" in terminal.screen()


def test_a_message_typed_before_the_engine_is_there_is_answered_too(
    open_terminal: OpenTerminal, scripts: Any
):
    with scripts(hello=HELLO), open_terminal() as terminal:
        terminal.until("ask anything|ask mode")
        terminal.enter("hello early")
        terminal.until("Hello there")


@pytest.mark.requirement("F8-3")
def test_an_approval_shows_the_change_and_is_answered_in_the_prompt(
    open_terminal: OpenTerminal, scripts: Any, workspace: Path
):
    with scripts(write=write(content="one\n\x1b[2J╰ approved\n")), open_terminal() as terminal:
        terminal.until(READY)
        terminal.enter("write it")
        # The printed text and the answer line are drawn one after the other.
        shown = terminal.until(r"write_file asks for your approval[\s\S]*" + ASKED)
        assert "│ file_path: /a.txt" in shown
        assert "│ +\\x1b[2J╰ approved" in shown
        assert "[a] [p] = allow write_file **" in shown
        terminal.enter("nonsense")
        terminal.until("please answer y, a, p, e, n or r")
        terminal.enter("y")
        terminal.until("Finished")
    assert (workspace / "a.txt").read_text() == "one\n\x1b[2J╰ approved\n"


@pytest.mark.requirement("F8-walk-approval-edit")
@pytest.mark.requirement("F8-3")
def test_a_call_is_edited_where_it_stands(
    open_terminal: OpenTerminal, scripts: Any, workspace: Path
):
    with scripts(write=write(content="one")), open_terminal() as terminal:
        terminal.until(READY)
        terminal.enter("write it")
        terminal.until(ASKED)
        terminal.enter("e")
        terminal.until(r'"content": "one"\}')
        terminal.keys("BSpace", "BSpace")
        terminal.type(' and mine"}')
        terminal.keys("Enter")
        terminal.until("Finished")
    assert (workspace / "a.txt").read_text() == "one and mine"


@pytest.mark.requirement("F8-walk-rejection")
@pytest.mark.requirement("F8-3")
def test_no_with_a_reason_goes_on_and_a_rejection_ends_the_run(
    open_terminal: OpenTerminal, scripts: Any, workspace: Path
):
    with scripts(write=write()), open_terminal() as terminal:
        terminal.until(READY)
        terminal.enter("write it")
        terminal.until(ASKED)
        terminal.enter("n")
        terminal.until("why not: *$")
        terminal.enter("the name is taken")
        terminal.until("Finished")
        terminal.enter("write again")
        terminal.until(ASKED)
        terminal.enter("r")
        terminal.until("rejected")
        terminal.until("ask anything")
    assert not list(workspace.iterdir())


def test_a_message_being_written_is_not_taken_for_the_answer(
    open_terminal: OpenTerminal, scripts: Any, workspace: Path
):
    slow = write()
    slow[0]["delay_s"] = 2.0
    with scripts(write=slow, hello=HELLO), open_terminal() as terminal:
        terminal.until(READY)
        terminal.enter("write it")
        terminal.until("working")
        terminal.type("y")
        terminal.until("a question waits")
        # Enter sends the message; it does not approve.
        terminal.type("es, hello")
        terminal.keys("Enter")
        shown = terminal.until(ASKED)
        assert "next: yes, hello" in shown
        assert not (workspace / "a.txt").exists()
        terminal.enter("y")
        terminal.until("Hello there")
    assert (workspace / "a.txt").exists()


def test_escape_sets_the_text_aside_and_it_comes_back_after_the_answer(
    open_terminal: OpenTerminal, scripts: Any
):
    slow = write()
    slow[0]["delay_s"] = 2.0
    with scripts(write=slow), open_terminal() as terminal:
        terminal.until(READY)
        terminal.enter("write it")
        terminal.until("working")
        terminal.type("my draft")
        terminal.until("a question waits")
        terminal.keys("Escape")
        terminal.until(ASKED)
        terminal.enter("y")
        terminal.until("Finished")
        terminal.until("^› my draft")  # noqa: RUF001 (the prompt's sign)


@pytest.mark.requirement("F8-walk-stop")
@pytest.mark.requirement("F8-2-stop")
@pytest.mark.parametrize("key", ["Escape", "C-c"])
def test_a_run_is_stopped_within_a_second_and_what_waits_comes_back(
    open_terminal: OpenTerminal, scripts: Any, key: str
):
    with scripts(slow=SLOW, hello=HELLO), open_terminal() as terminal:
        terminal.until(READY)
        terminal.enter("slow please")
        terminal.until("word word word")
        terminal.enter("hello later")
        terminal.until("next: hello later")
        pressed = time.monotonic()
        terminal.keys(key)
        terminal.until("stopped; what was done is kept", seconds=5)
        assert time.monotonic() - pressed < 1.5
        terminal.until("^› hello later")  # noqa: RUF001 (the prompt's sign)
        assert "Hello there" not in terminal.everything()


@pytest.mark.requirement("F8-2-queue")
def test_a_waiting_message_is_taken_back_with_up_and_sent_when_the_run_is_over(
    open_terminal: OpenTerminal, scripts: Any
):
    short = [{"text": "word " * 60, "chunk_chars": 5, "chunk_delay_s": 0.1}]
    with scripts(slow=short, hello=HELLO), open_terminal() as terminal:
        terminal.until(READY)
        terminal.enter("slow please")
        terminal.until("working")
        terminal.enter("helo")
        terminal.until("next: helo")
        terminal.keys("Up")
        terminal.until("^› helo")  # noqa: RUF001 (the prompt's sign)
        terminal.until_gone("next:")
        terminal.enter(" hello")
        terminal.until("next: helo hello")
        terminal.until("Hello there")


def test_the_mode_is_switched_with_a_key_and_each_switch_is_an_event(
    open_terminal: OpenTerminal, scripts: Any, environment: dict[str, str]
):
    with scripts(hello=HELLO), open_terminal() as terminal:
        terminal.until("openai:scripted")
        terminal.enter("hello")
        terminal.until("Hello there")
        for mode in ("plan", "auto", "ask"):
            terminal.keys("BTab")
            terminal.until(f"^{mode} mode")
        # Pressed twice, it switches twice.
        terminal.keys("BTab", "BTab")
        terminal.until("^auto mode")
        terminal.enter("/mode plan")
        terminal.until("^plan mode")
        terminal.enter("/mode loud")
        terminal.until("there is no mode 'loud'")
        terminal.keys("C-d")
        assert terminal.exit_code() == 0
    assert events_of(environment, "mode_changed") == 6
    with scripts(hello=HELLO), open_terminal("--continue") as terminal:
        terminal.until("^plan mode")


@pytest.mark.requirement("F8-walk-kill")
@pytest.mark.requirement("F8-5")
def test_a_question_left_open_survives_ctrl_d_and_a_kill(
    open_terminal: OpenTerminal, scripts: Any, workspace: Path
):
    with scripts(write=write()):
        with open_terminal() as terminal:
            terminal.until(READY)
            terminal.enter("write it")
            terminal.until(ASKED)
            terminal.keys("C-d")
            assert terminal.exit_code() == 0
        with open_terminal("--continue") as terminal:
            terminal.until(ASKED)
            terminal.kill()
            assert terminal.exit_code() == -signal.SIGKILL
        with open_terminal("--continue") as terminal:
            shown = terminal.until(ASKED, everywhere=True)
            assert "write it" in shown
            assert "resumed" in shown
            terminal.enter("y")
            terminal.until("Finished")
    assert (workspace / "a.txt").exists()


def test_a_killed_process_leaves_a_sane_terminal_and_nothing_behind(
    scripts: Any, environment: dict[str, str], workspace: Path, open_terminal: OpenTerminal
):
    with scripts(slow=SLOW):
        with open_terminal() as terminal:
            terminal.until(READY)
        with tmux_terminal(["sh"], environment=environment, cwd=workspace) as terminal:
            terminal.enter(str(DATAAGENT))
            terminal.until(READY)
            terminal.enter("slow")
            terminal.until("word word")
            children = subprocess.run(
                ["pgrep", "-P", str(terminal.pid())], capture_output=True, text=True, check=True
            )
            pid = int(children.stdout.split()[0])
            os.kill(pid, signal.SIGKILL)
            terminal.until("Killed")
            terminal.enter("clear; stty -a | tr ' ' '\\n' | grep -x -- '-*icanon;*\\|-*echo;*'")
            assert "-" not in terminal.until("^echo")
            assert terminal.modes()["cursor_flag"] == "1"
    assert not running_in_group(pid)


def test_terminating_the_process_closes_it_as_leaving_does(
    open_terminal: OpenTerminal, scripts: Any
):
    with scripts(slow=SLOW), open_terminal() as terminal:
        terminal.until(READY)
        terminal.enter("slow")
        terminal.until("word word")
        os.kill(terminal.pid(), signal.SIGTERM)
        assert terminal.exit_code() == 0
        assert "--continue" in terminal.screen()


@pytest.mark.requirement("F8-2-stop")
def test_leaving_while_the_agent_works_takes_a_second_ctrl_d(
    open_terminal: OpenTerminal, scripts: Any
):
    with scripts(slow=SLOW), open_terminal() as terminal:
        terminal.until(READY)
        terminal.enter("slow")
        terminal.until("word word")
        terminal.keys("C-d")
        terminal.until("Ctrl-D again stops it and leaves")
        terminal.keys("C-d")
        assert terminal.exit_code() == 0


def test_ctrl_c_at_an_empty_prompt_says_how_to_leave(open_terminal: OpenTerminal, scripts: Any):
    with scripts(hello=HELLO), open_terminal() as terminal:
        terminal.until(READY)
        terminal.type("half a thought")
        terminal.until("half a thought")
        terminal.keys("C-c")
        terminal.until_gone("half a thought")
        terminal.keys("C-c")
        terminal.until("Ctrl-D or /quit leaves")
        terminal.enter("/quit")
        assert terminal.exit_code() == 0


def test_a_session_taken_up_says_where_it_works_and_that_only_its_end_is_shown(
    open_terminal: OpenTerminal,
    scripts: Any,
    environment: dict[str, str],
    workspace: Path,
    tmp_path: Path,
):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with scripts(hello=HELLO):
        with tmux_terminal(
            [DATAAGENT, "--session", "s1"], environment=environment, cwd=elsewhere
        ) as terminal:
            terminal.until("your choice: *$")
            terminal.enter("y")
            for number in range(1, 5):
                terminal.until("ask anything")
                terminal.enter(f"hello number {number}")
                terminal.until(rf"number {number}[\s\S]*done ·", everywhere=True)
            terminal.keys("C-d")
            assert terminal.exit_code() == 0
        with open_terminal("--resume", columns=160) as terminal:
            assert str(elsewhere) in terminal.until("hello number")
            terminal.keys("Enter")
            terminal.until("Shift-Tab")
            # If the session is not open yet, the message waits for it.
            terminal.enter("hello again")
            shown = terminal.until(r"hello again\n[\s\S]*done ·[\s\S]*of context", everywhere=True)
            assert f"working in {elsewhere}, not in the directory you are in" in shown
            assert str(workspace) not in shown
            assert "4 questions so far; the last ones stand below" in shown
            assert "hello number 1\n" not in shown
            assert shown.index("hello number 4") < shown.index("hello again")
            terminal.keys("C-d")
            assert terminal.exit_code() == 0
            assert "--continue" not in terminal.until("go on with: .*--resume s1")
