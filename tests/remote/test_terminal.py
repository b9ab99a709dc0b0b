"""`dataagent --server` in a real terminal (tmux): keys sent, screen read."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tmux_terminal import Terminal, tmux_terminal

from dataagent_cli.remote.logins import logins_of
from dataagent_core.config import Settings
from tests.server.fixtures import environment_of
from tests.server.process import BIN, serving
from tests.server_kill.shared_home import KEY, open_shared_home
from tests.warm.popen import launcher_words

pytestmark = pytest.mark.timeout(400)
WAIT_S = 90.0
READY = r"Shift-Tab"


@contextmanager
def open_terminal(home: Path, cwd: Path, *arguments: str, **variables: str) -> Generator[Terminal]:
    with tmux_terminal(
        launcher_words([BIN / "dataagent", *arguments]),
        environment=environment_of(home) | {"TERM": "xterm"} | variables,
        cwd=cwd,
    ) as terminal:
        yield terminal


def sign_in(home: Path, url: str) -> None:
    logins_of(Settings(home=home)).keep(url, KEY)


@pytest.mark.requirement("F8-7")
def test_a_whole_conversation_with_a_server_that_is_killed_in_between(tmp_path: Path):
    own = tmp_path / "own"
    with (
        open_shared_home(tmp_path, f"sqlite:///{tmp_path / 'server.db'}") as shared_home,
        shared_home.server() as server,
    ):
        sign_in(own, server.url)
        with open_terminal(own, tmp_path, "--server") as terminal:
            terminal.until(READY, seconds=WAIT_S)
            terminal.enter("hello there")
            terminal.until("^.*Hello\\.", seconds=WAIT_S)
            terminal.until(f"ask mode.*at {urlsplit(server.url).netloc}", seconds=WAIT_S)
            terminal.enter("write it")
            terminal.until("your choice: *$", seconds=WAIT_S)
            terminal.enter("y")
            terminal.until("It is written", seconds=WAIT_S)
            terminal.enter("/agents")
            assert "@code-reviewer" in terminal.until("/agents NAME shows it", seconds=WAIT_S)
            terminal.enter("/skills")
            terminal.until("Use a skill", seconds=WAIT_S)
            terminal.enter("data-ana")
            terminal.until("Use the skill data-analysis: ", seconds=WAIT_S)
            terminal.enter("")
            # What is typed while one prompt makes room for the next may be lost.
            terminal.until(r"Use the skill data-analysis:[\s\S]*ask anything", seconds=WAIT_S)
            terminal.enter("!ls")
            terminal.until("this machine only", seconds=WAIT_S)
            terminal.enter("tell slowly")
            terminal.until("w12", seconds=WAIT_S)
            server.kill_all()
            terminal.until("CONNECTION LOST", seconds=WAIT_S)
            port = str(urlsplit(server.url).port)
            command = (BIN / "dataagent-server", "serve")
            with serving(shared_home.environment, tmp_path, "--port", port, command=command):
                terminal.until_gone("CONNECTION LOST", seconds=WAIT_S)
                terminal.until("w60", seconds=WAIT_S)
                terminal.keys("Escape")
                terminal.until("stopped; what was done is kept", seconds=WAIT_S)
                terminal.keys("C-d")
                assert terminal.exit_code() == 0
                shown = terminal.everything()
    assert "--session" in shown
    assert shown.count("Hello.") == 1


@pytest.mark.requirement("F8-7")
def test_a_dumb_terminal_says_the_same_in_lines_and_a_wrong_key_is_one_line(tmp_path: Path):
    own = tmp_path / "own"
    with (
        open_shared_home(tmp_path, f"sqlite:///{tmp_path / 'server.db'}") as shared_home,
        shared_home.server() as server,
    ):
        sign_in(own, server.url)
        with open_terminal(own, tmp_path, "--server", TEST_TERM="dumb") as terminal:
            terminal.until(r"\[ask\] > *$", seconds=WAIT_S)
            terminal.enter("hello there")
            terminal.until("^Hello\\.", seconds=WAIT_S)
            terminal.until(r"\[ask\] > *$", seconds=WAIT_S)
            terminal.enter("/sources")
            terminal.until("has no data sources yet", seconds=WAIT_S)
            terminal.keys("C-d")
            assert terminal.exit_code() == 0
        logins_of(Settings(home=own)).keep(server.url, "wrong")
        with open_terminal(own, tmp_path, "--server") as terminal:
            assert terminal.exit_code(seconds=WAIT_S) == 1
            # The width of the terminal folds the sentence.
            assert "unknown, expired or revoked" in " ".join(terminal.everything().split())
