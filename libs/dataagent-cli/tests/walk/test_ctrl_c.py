"""Ctrl-C at any moment: the terminal is sane, no process is left, the session can continue."""

import itertools
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from left_behind import none_left, numbers_and_kinds
from tmux_terminal import NeverShownError, Terminal, tmux_terminal

from tests.counts import rounds

Command = Callable[..., tuple[int, str, str]]

DATAAGENT = Path(sys.executable).with_name("dataagent")
SHELL = ["env", "PS1=ready> ", "sh"]
# The prompt of the shell on the last line.
SHELL_AGAIN = r"^ready> *\Z"
READY = r"Shift-Tab"
LEAVE_S_MAX = 30.0
# A failure is not shrunk: that would take minutes.
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
_SESSIONS = itertools.count(1)
# A text in the input, above the status line.
_DRAFT = re.compile(r"^› (?!ask anything).*\n.*Shift-Tab.*\Z", re.MULTILINE)  # noqa: RUF001
_READINGS = itertools.count(1)


def _write(terminal: Terminal) -> None:
    terminal.enter("write it")
    terminal.until(r"your choice: *$")


def _edit(terminal: Terminal) -> None:
    _write(terminal)
    terminal.enter("e")
    terminal.until("new arguments")


def _stream(terminal: Terminal) -> None:
    terminal.enter("slow please")
    terminal.until("word word")


def _run_a_command(terminal: Terminal) -> None:
    terminal.keys("BTab", "BTab")
    terminal.until("^auto mode")
    terminal.enter("command please")
    terminal.until("sleep 300")


def _leave(terminal: Terminal) -> None:
    _stream(terminal)
    terminal.keys("C-d")
    terminal.until("again stops it")
    terminal.keys("C-d")


# What is done before the moment; the prompt is drawn by then, except for the first two.
MOMENTS: dict[str, Callable[[Terminal], None]] = {
    "starting": lambda _: None,
    "trust": lambda terminal: _shown(terminal, "trust this directory"),
    "prompt": lambda _: None,
    "typing": lambda terminal: terminal.type("half a thought"),
    "sending": lambda terminal: terminal.enter("slow please"),
    "streaming": _stream,
    "command": _run_a_command,
    "shell line": lambda terminal: terminal.enter("!sleep 300"),
    "approval": _write,
    "editing": _edit,
    "leaving": _leave,
}
WITHOUT_PROMPT = frozenset({"starting", "trust"})


def _shown(terminal: Terminal, pattern: str) -> None:
    terminal.until(pattern)


@pytest.fixture
def interrupted(
    environment: dict[str, str], workspace: Path, tmp_path: Path, scripts: Any, command: Command
) -> Callable[[str, int], None]:
    """Press Ctrl-C some time after a moment began, leave, and check what is left."""
    from dataagent_core.permissions.rule_files.trust import trust

    home = environment["DATAAGENT_HOME"]
    trust(Path(home), workspace)
    # The list of processes shows its name.
    sleeping = {"name": "shell", "args": {"command": f"sh -c 'sleep 300; :' {home}"}}
    writing = {"name": "write_file", "args": {"file_path": "/a.txt", "content": "one\n"}}
    played: dict[str, list[dict[str, Any]]] = {
        "slow": [{"text": "word " * 400, "chunk_chars": 5, "chunk_delay_s": 0.05}],
        "command": [{"tool_calls": [sleeping]}, {"text": "Ran."}],
        "write": [{"tool_calls": [writing]}, {"text": "Wrote."}],
        "hello": [{"text": "Hello there."}],
    }

    def press(moment: str, after_ms: int) -> None:
        session = f"s{next(_SESSIONS)}"
        unknown = tmp_path / f"unknown-{session}"
        unknown.mkdir()
        place = unknown if moment == "trust" else workspace
        with scripts(**played):
            with tmux_terminal(SHELL, environment=environment, cwd=place) as terminal:
                before = _stty(terminal)
                terminal.enter(f"{DATAAGENT} --session {session}")
                if moment not in WITHOUT_PROMPT:
                    terminal.until(READY)
                MOMENTS[moment](terminal)
                # The delay is random: nothing on the screen marks it.
                time.sleep(after_ms / 1000)
                terminal.keys("C-c")
                _leave_whatever_is_there(terminal)
                _is_sane(terminal, before)
                assert "Traceback" not in terminal.everything()
                assert not none_left(environment, but=["sh"])
            _goes_on(environment, session, command)

    return press


def _stty(terminal: Terminal) -> str:
    """Read the terminal's settings; with a new mark each time, because old output may show."""
    mark = f"read-{next(_READINGS)}"
    terminal.until(SHELL_AGAIN)
    # Otherwise a Ctrl-D that comes too late would end the shell.
    terminal.enter(f"set -o ignoreeof; clear; stty -g; echo {mark}")
    shown = terminal.until(rf"^{mark}\nready> *\Z")
    return shown.splitlines()[-3]


def _leave_whatever_is_there(terminal: Terminal) -> None:
    deadline = time.monotonic() + LEAVE_S_MAX
    while time.monotonic() < deadline:
        try:
            terminal.until(SHELL_AGAIN, seconds=1)
        except NeverShownError:
            # Ctrl-C clears the input; Ctrl-D leaves, during a run after a warning.
            terminal.keys("C-c" if _DRAFT.search(terminal.screen()) else "C-d")
        else:
            return
    raise NeverShownError(f"it cannot be left:\n{terminal.everything()}")


def _is_sane(terminal: Terminal, before: str) -> None:
    assert _stty(terminal) == before
    modes = terminal.modes()
    assert modes.pop("cursor_flag") == "1"
    assert set(modes.values()) == {"0"}, modes
    # The settings came from a working shell, not from its prompt.
    assert re.fullmatch(r"[0-9a-f]+(:[0-9a-f]+){10,}", before)
    # With bracketed paste still on, the terminal would send more than the text.
    terminal.paste("echo pas''ted")
    terminal.keys("Enter")
    assert "200~" not in terminal.until("^pasted")


def _goes_on(environment: dict[str, str], session: str, command: Command) -> None:
    log = numbers_and_kinds(environment, session)
    unfinished = bool(log) and "done" not in {kind for _, kind in log}
    if unfinished:
        assert command("run", "--resume", session, "--yes")[0] == 0
    code, answer, told = command("run", "hello again", "--session", session)
    assert (code, answer) == (0, "Hello there.\n"), told
    log = numbers_and_kinds(environment, session)
    assert [number for number, _ in log] == list(range(1, len(log) + 1))
    assert log[-1][1] == "done"


@pytest.mark.requirement("F8-ctrl-c")
@pytest.mark.timeout(300)
# Each starts the program as a shell does, which is slow: `test-slow` tries more.
@settings(max_examples=4, deadline=None, phases=PHASES)
@given(moment=st.sampled_from(sorted(MOMENTS)), after_ms=st.integers(0, 700))
def test_ctrl_c_at_any_moment_leaves_all_in_order(
    interrupted: Callable[[str, int], None], moment: str, after_ms: int
):
    interrupted(moment, after_ms)


@pytest.mark.slow
@pytest.mark.requirement("F8-ctrl-c")
@pytest.mark.timeout(1200)
@settings(max_examples=rounds(12, soak=400), deadline=None, phases=PHASES)
@given(moment=st.sampled_from(sorted(MOMENTS)), after_ms=st.integers(0, 3000))
def test_ctrl_c_at_many_moments_leaves_all_in_order(
    interrupted: Callable[[str, int], None], moment: str, after_ms: int
):
    interrupted(moment, after_ms)
