"""`dataagent login`, `logout` and `run --server`: the real commands and a real server."""

import http.server
import json
import os
import pty
import re
import select
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.remote.conftest import Served, servers_file
from tests.server.fixtures import environment_of
from tests.server.process import BIN
from tests.server_kill.installation import KEY, log_of, run_of
from tests.server_kill.waiting import eventually
from tests.warm.popen import WarmPopen, warm_run

pytestmark = pytest.mark.timeout(240)
Done = subprocess.CompletedProcess[str]
Dataagent = Callable[..., Done]
COMMAND_S_MAX = 90


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "own"


@pytest.fixture
def dataagent(home: Path, tmp_path: Path) -> Dataagent:
    """Run the real command with a home of its own and no terminal."""

    def run(*arguments: str, stdin: str = "", **variables: str) -> Done:
        return warm_run(
            [BIN / "dataagent", *arguments],
            stdin=stdin,
            env=environment_of(home) | variables,
            cwd=tmp_path,
            timeout=COMMAND_S_MAX,
        )

    return run


@pytest.fixture
def signed_in(dataagent: Dataagent, served: Served) -> Dataagent:
    done = dataagent("login", served.server.url, stdin=f"{KEY}\n")
    assert done.returncode == 0, done.stderr
    return dataagent


@contextmanager
def at_a_terminal(home: Path, cwd: Path, *arguments: str) -> Generator[tuple[int, Any]]:
    outer, inner = pty.openpty()
    process = WarmPopen(
        [BIN / "dataagent", *arguments],
        stdin=inner, stdout=inner, stderr=inner,
        env=environment_of(home) | {"TERM": "xterm"},
        cwd=cwd,
    )  # fmt: skip
    os.close(inner)
    try:
        yield outer, process
    finally:
        process.kill()
        process.wait()
        os.close(outer)


def read_until(descriptor: int, pattern: str, shown: str = "") -> str:
    deadline_s = time.monotonic() + COMMAND_S_MAX
    while not re.search(pattern, shown):
        ready, _, _ = select.select([descriptor], [], [], deadline_s - time.monotonic())
        assert ready, f"{pattern!r} never showed in {shown!r}"
        try:
            data = os.read(descriptor, 65_536)
        except OSError:  # how Linux says that the other side is closed
            data = b""
        assert data, f"{pattern!r} never showed in {shown!r}"
        shown += data.decode("utf-8", "replace")
    return shown


@pytest.mark.requirement("F8-7-login")
def test_a_key_is_kept_sealed_for_its_owner_and_forgotten_again(
    dataagent: Dataagent, served: Served, home: Path
):
    url = served.server.url
    done = dataagent("login", url, stdin=f"{KEY}\n")
    assert done.returncode == 0, done.stderr
    assert f"signed in to {url} as local" in done.stderr
    path = home / "servers.json"
    assert path.stat().st_mode & 0o777 == 0o600
    assert KEY not in path.read_text()
    assert servers_file(home)["last"] == url
    assert dataagent("logout").returncode == 0
    assert servers_file(home) == {"last": None, "servers": {}}
    again = dataagent("run", "hello", "--server", url)
    assert again.returncode == 1
    assert again.stderr.count("\n") == 1
    assert f"login {url}" in again.stderr


@pytest.mark.requirement("F8-7-login")
def test_a_wrong_key_is_not_kept(dataagent: Dataagent, served: Served, home: Path):
    done = dataagent("login", served.server.url, DATAAGENT_API_KEY="wrong")
    assert "X-API-Key" not in done.stderr
    assert "does not accept this key" in done.stderr
    assert "Sign in with" not in done.stderr
    assert done.returncode == 1
    assert "unknown, expired or revoked" in done.stderr
    assert "wrong" not in done.stderr
    assert not (home / "servers.json").exists()


@pytest.mark.requirement("F8-7-login")
def test_a_key_that_is_typed_does_not_show(home: Path, served: Served, tmp_path: Path):
    with at_a_terminal(home, tmp_path, "login", served.server.url) as (screen, process):
        read_until(screen, r"not shown\): ")
        os.write(screen, f"{KEY}\n".encode())
        shown = read_until(screen, "signed in to")
        assert KEY not in shown
        assert process.wait(COMMAND_S_MAX) == 0


@pytest.mark.requirement("F8-7-login")
def test_https_is_wanted_of_other_machines(dataagent: Dataagent):
    done = dataagent("login", "http://agent.example.com", stdin=f"{KEY}\n")
    assert done.returncode == 2
    assert "use https" in done.stderr
    done = dataagent("run", "hello", "--server", "http://agent.example.com")
    assert done.returncode == 2
    assert "use https" in done.stderr


class _Elsewhere(http.server.BaseHTTPRequestHandler):
    """Sends everybody on to another address, and remembers what they brought."""

    target = ""
    brought: list[dict[str, str]] = []  # noqa: RUF012 (one list for the server of a test)

    def do_GET(self) -> None:
        self.brought.append(dict(self.headers))
        self.send_response(302 if self.target else 200)
        if self.target:
            self.send_header("Location", self.target + self.path)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the library's name)
        """Say nothing."""


@contextmanager
def answering(target: str) -> Generator[tuple[str, list[dict[str, str]]]]:
    brought: list[dict[str, str]] = []
    handler = type("Handler", (_Elsewhere,), {"target": target, "brought": brought})
    server = http.server.HTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", brought
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.requirement("F8-7-login")
def test_a_key_does_not_follow_a_redirect(dataagent: Dataagent):
    with answering("") as (target, stolen), answering(target) as (url, _):
        done = dataagent("login", url, stdin=f"{KEY}\n")
        assert done.returncode == 1
        assert f"sends you on to {target}" in done.stderr
        assert stolen == []


@pytest.mark.requirement("F8-7-login")
def test_something_else_at_the_address_is_said(dataagent: Dataagent):
    with answering("") as (url, _):
        done = dataagent("login", url, stdin=f"{KEY}\n")
    assert done.returncode == 1
    assert "not as a DataAgent server" in done.stderr


def test_without_a_login_it_is_said_how_to_make_one(dataagent: Dataagent):
    done = dataagent("run", "hello", "--server")
    assert done.returncode == 2
    assert "login URL" in done.stderr


@pytest.mark.requirement("F8-7-run")
def test_a_run_on_the_server_answers_on_stdout_and_ends_with_0(signed_in: Dataagent):
    done = signed_in("run", "hello", "--server")
    assert (done.returncode, done.stdout) == (0, "Hello.\n")
    assert re.search(r"run --session \w+ --server http", done.stderr)


@pytest.mark.requirement("F8-7-run")
def test_a_name_that_the_server_does_not_have_is_said_on_stderr(signed_in: Dataagent):
    done = signed_in("run", "hello @nosuch.csv", "--server")
    assert (done.returncode, done.stdout) == (0, "Hello.\n")
    assert "MCP server 'nosuch.csv' here" in done.stderr


@pytest.mark.requirement("F8-7-run")
def test_json_gives_the_events_of_the_log(signed_in: Dataagent, served: Served):
    done = signed_in("run", "hello", "--server", served.server.url, "--session", "named", "--json")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    log = [
        {name: value for name, value in event.items() if name != "event_id"}
        for event in log_of(served.server, "named")
    ]
    assert events == log
    assert done.returncode == 0


@pytest.mark.requirement("F8-7-run")
def test_a_run_that_needs_somebody_waits_with_3_and_goes_on_with_resume(
    signed_in: Dataagent, served: Served
):
    done = signed_in("run", "write it", "--server", "--session", "waits")
    assert done.returncode == 3
    assert "run --resume waits --server" in done.stderr
    assert run_of(served.server, "waits")["status"] == "waiting_approval"
    busy = signed_in("run", "hello", "--server", "--session", "waits")
    assert busy.returncode == 1
    assert "unfinished run" in busy.stderr
    resumed = signed_in("run", "--resume", "waits", "--server", "--approve", "write_file")
    assert (resumed.returncode, resumed.stdout) == (0, "It is written.\n")
    over = signed_in("run", "--resume", "waits", "--server")
    assert over.returncode == 1
    assert "no unfinished run" in over.stderr


@pytest.mark.requirement("F8-7-run")
def test_yes_approves_and_a_missing_session_is_one_line(signed_in: Dataagent):
    done = signed_in("run", "write it", "--server", "--yes")
    assert done.returncode == 0
    assert "It is written." in done.stdout
    missing = signed_in("run", "--resume", "nobodys", "--server")
    assert missing.returncode == 1
    assert missing.stderr.count("\n") == 1


@pytest.mark.requirement("F8-7-run")
async def test_ctrl_c_stops_the_run_on_the_server(
    signed_in: Dataagent, served: Served, home: Path, tmp_path: Path
):
    order = ("run", "tell slowly", "--server", "--session", "stopped")
    with at_a_terminal(home, tmp_path, *order) as (screen, process):
        read_until(screen, "w2")
        os.killpg(process.pid, signal.SIGINT)
        read_until(screen, "what was done is kept")
        assert process.wait(COMMAND_S_MAX) == 130
    await eventually(lambda: run_of(served.server, "stopped")["status"] == "cancelled")


@pytest.mark.requirement("F8-7-run")
def test_a_question_at_a_terminal_shows_the_change_and_takes_the_answer(
    signed_in: Dataagent, home: Path, tmp_path: Path
):
    with at_a_terminal(home, tmp_path, "run", "write it", "--server") as (screen, process):
        shown = read_until(screen, "your choice: ")
        assert "note" in shown
        os.write(screen, b"p\n")
        shown = read_until(screen, "your choice: ")
        os.write(screen, b"y\n")
        read_until(screen, "It is written")
        assert process.wait(COMMAND_S_MAX) == 0


def test_what_is_for_this_machine_is_refused(signed_in: Dataagent):
    for option in (["--model", "openai:x"], ["--timeout", "5"], ["--unsafe-host-shell"]):
        done = signed_in("run", "hello", "--server", "http://127.0.0.1:9", *option)
        assert done.returncode == 2
        assert f"{option[0]} is for work on this machine" in done.stderr
