"""Records the logs beside this file from runs of the real server with a scripted model over HTTP.

python -m tests.recorded_logs.record [NAME ...]
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

from dataagent_core.events import from_dict, to_json
from dataagent_core.models import Script
from dataagent_core.testing import ScriptedEndpoint
from tests.console.console_server import KEY, OWNER, ConsoleServer
from tests.recorded_logs.reading import FOLDER, told, turns_file
from tests.recorded_logs.script import SCRIPT
from tests.server.fixtures import environment_of
from tests.warm import popen
from tests.warm.zygote import Zygote

SMALL_SERVER = FOLDER.parents[1] / "libs/dataagent-core/tests/support/mcp_small_server.py"
WAIT_S_MAX = 60.0
RULES = """
[[permissions.rules]]
action = "allow"
tool = "shell"

[[permissions.rules]]
action = "allow"
tool = "mcp__local_small__*"

[[permissions.rules]]
action = "allow"
tool = "write_file"
resource = "/made/**"

[[permissions.rules]]
action = "allow"
tool = "delete_file"
resource = "/made/**"

[[permissions.rules]]
action = "allow"
tool = "write_file"
resource = "/ran.txt"

[[permissions.rules]]
action = "allow"
tool = "task"
"""


class Session:
    """One recorded session, and its user."""

    def __init__(self, console_server: ConsoleServer) -> None:
        self.console_server = console_server
        self.id = console_server.ask("POST", "/sessions", {})["session_id"]

    def say(self, message: str) -> None:
        """Send a message and wait until the run is done or waits."""
        self.console_server.ask("POST", "/chat", {"session_id": self.id, "message": message})

    def begin(self, message: str) -> None:
        """Send a message and disconnect; the server continues the run."""
        url = self.console_server.url.replace("http", "ws") + f"/ws/chat/{self.id}"
        with connect(url, additional_headers={"X-API-Key": KEY}) as socket:
            for kind, payload in (("chat", {"message": message}), ("ping", {})):
                socket.send(json.dumps({"type": kind, "payload": payload}))
            while json.loads(socket.recv())["event_type"] != "pong":
                pass

    def log(self) -> list[dict[str, Any]]:
        return self.console_server.log_of(self.id)

    def wait(self, holds: Callable[[list[str]], bool]) -> None:
        """Wait until a condition holds for the types of the log's events."""
        end = time.monotonic() + WAIT_S_MAX
        while not holds(types := [event["event_type"] for event in self.log()]):
            assert time.monotonic() < end, types
            time.sleep(0.05)

    def answer(self, **decision: Any) -> None:
        """Answer the request as soon as one is open."""
        end = time.monotonic() + WAIT_S_MAX
        while not (
            open_ := self.console_server.ask("GET", f"/sessions/{self.id}/requests")["requests"]
        ):
            assert time.monotonic() < end, self.log()
            time.sleep(0.05)
        path = f"/requests/{open_[0]['interrupt_id']}"
        self.console_server.ask("POST", path, {"decision": decision})

    def until_done(self, runs: int = 1) -> None:
        self.wait(lambda types: types.count("done") == runs)

    def switch(self, mode: str) -> None:
        self.console_server.ask("PUT", f"/sessions/{self.id}/mode", {"mode": mode})


def plain(session: Session) -> None:
    session.say("a plain one")
    session.say("hello again")


def thought(session: Session) -> None:
    session.say("think about it")


def sql(session: Session) -> None:
    session.say("which category earned most?")


def parallel(session: Session) -> None:
    session.say("do it in parallel")


def subagents(session: Session) -> None:
    session.say("delegate it")


def delegation(session: Session) -> None:
    session.say("@code-reviewer look at it")
    session.say("one in a row, one beside it")


def skill(session: Session) -> None:
    session.say("use a skill to review the code of a pull request")


def approval_edited(session: Session) -> None:
    session.begin("note it")
    args = {"file_path": "/note.txt", "content": "by a person\n"}
    session.answer(type="edit", args=args)
    session.until_done()


def approval_rejected(session: Session) -> None:
    session.begin("note it")
    session.answer(type="reject", message="not now")
    session.until_done()


def clarification(session: Session) -> None:
    session.begin("clarify it")
    session.answer(type="answer", answer="By day")
    session.until_done()


def crash_in_text(session: Session) -> None:
    session.begin("crash in text")
    session.wait(lambda types: types.count("text") > 8)
    session.console_server.kill()
    session.console_server.start()
    session.until_done()


def crash_in_a_command(session: Session) -> None:
    session.begin("crash in a command")
    session.wait(lambda types: "tool_call" in types)
    session.console_server.kill()
    session.console_server.start()
    session.answer(type="respond", message="It ran; I looked.")
    session.until_done()


def broken_stream(session: Session) -> None:
    session.say("break off")


def compaction(session: Session) -> None:
    for number in range(5):
        session.say(f"history, part {number}")
    session.console_server.ask("POST", f"/sessions/{session.id}/compact", {"keep": "the facts"})
    session.until_done(6)
    session.say("a plain one")


def cancelled(session: Session) -> None:
    session.begin("slowly")
    session.wait(lambda types: types.count("text") > 3)
    session.console_server.ask("POST", f"/chat/{session.id}/cancel")
    session.until_done()


def error(session: Session) -> None:
    session.say("fail")


def modes(session: Session) -> None:
    session.switch("plan")
    session.say("note it")
    session.switch("auto")
    session.say("note it")


def budget(session: Session) -> None:
    key = f"scope=user&scope_id={OWNER}&period=day"
    limit = {"scope": "user", "scope_id": OWNER, "period": "day", "tokens_max": 1}
    session.console_server.ask("PUT", "/budgets", limit)
    try:
        session.begin("a plain one")
        session.answer(type="approve")
        session.until_done()
        session.begin("think about it")
        session.answer(type="reject")
        session.until_done(2)
    finally:
        session.console_server.ask("DELETE", f"/budgets?{key}")


def command_edits(session: Session) -> None:
    session.say("edit files")


def progress(session: Session) -> None:
    console_server, python = session.console_server, sys.executable
    console_server.ask("PATCH", "/mcp/policy", {"commands": [python]})
    # Its sandbox does not contain this folder.
    source = SMALL_SERVER.read_text()
    server = {"name": "small", "command": python, "args": ["-c", source]}
    console_server.ask("POST", f"/users/{OWNER}/mcp-servers", server)
    session.say("show progress")


CASES = (
    plain,
    thought,
    sql,
    parallel,
    subagents,
    delegation,
    skill,
    approval_edited,
    approval_rejected,
    clarification,
    crash_in_text,
    crash_in_a_command,
    broken_stream,
    compaction,
    cancelled,
    error,
    modes,
    budget,
    command_edits,
    progress,
)


@contextmanager
def open_console_server(folder: Path) -> Generator[ConsoleServer]:
    """Start the server with the sample data; DeepSeek's protocol carries thoughts."""
    (folder / "home").mkdir()
    (folder / "home" / "config.toml").write_text(RULES)
    with ScriptedEndpoint(Script.model_validate(SCRIPT)) as endpoint:
        environment = environment_of(folder / "home") | {
            "DATAAGENT_API_KEYS": json.dumps([KEY]),
            "DATAAGENT_MODEL": "deepseek:scripted",
            "DATAAGENT_LEASE_TIMEOUT": "3",
            "DEEPSEEK_API_KEY": "none",
            "DEEPSEEK_BASE_URL": endpoint.base_url,
        }
        console_server = ConsoleServer(folder, environment, "--sample")
        console_server.start()
        try:
            yield console_server
        finally:
            console_server.close()


def keep(name: str, session: Session) -> None:
    events = [from_dict(event) for event in session.log()]
    lines = "".join(f"{to_json(event)}\n" for event in events)
    (FOLDER / f"{name}.jsonl").write_text(lines, "utf-8")
    turns = json.dumps(told(events), ensure_ascii=False, indent=1)
    turns_file(name).write_text(f"{turns}\n", "utf-8")
    sys.stdout.write(f"{name}: {len(events)} events\n")


@contextmanager
def _forked_from(zygote: Zygote) -> Generator[None]:
    """Start programs from this zygote; in a test run a plugin does that."""
    before, popen.find_zygote = popen.find_zygote, lambda: zygote.address
    try:
        yield
    finally:
        popen.find_zygote = before


def main() -> None:
    wanted = sys.argv[1:]
    with (
        closing(Zygote()) as zygote,
        tempfile.TemporaryDirectory() as folder,
        _forked_from(zygote),
        open_console_server(Path(folder)) as console_server,
    ):
        for case in CASES:
            if not wanted or case.__name__ in wanted:
                session = Session(console_server)
                case(session)
                keep(case.__name__, session)


if __name__ == "__main__":
    main()
