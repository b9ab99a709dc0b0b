"""One home and one database, in which any number of servers are started, one after another or at once."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from dataagent_core.models import Script
from dataagent_core.testing import ScriptedEndpoint
from tests.server.fixtures import environment_of
from tests.server.process import BIN, ServerProcess, serving
from tests.server_kill.script import SCRIPT

KEY = "a-key-of-the-tests-that-nobody-else-has"
HEADERS = {"X-API-Key": KEY}
# The command of the script runs without a question; writing another file is asked about.
RULES = """
[[permissions.rules]]
action = "allow"
tool = "shell"

[[permissions.rules]]
action = "allow"
tool = "write_file"
resource = "/ran.txt"
"""
# Short enough to wait for.
LEASE_S = 3
# Servers that are killed or stopped are known to be gone at once. Where only that is shown, a
# server that a busy machine holds up must not be taken for dead.
NEVER_TAKEN_FOR_DEAD = {"lease_timeout": "120"}


@dataclass(frozen=True)
class Installation:
    """What every server of one test shares."""

    home: Path
    environment: dict[str, str]

    @contextmanager
    def server(self, **settings: str) -> Generator[ServerProcess]:
        """Start a server and wait until it is ready."""
        named = {f"DATAAGENT_{name.upper()}": value for name, value in settings.items()}
        command = (BIN / "dataagent-server", "serve")
        with serving(self.environment | named, self.home.parent, command=command) as started:
            yield started

    def file(self, name: str) -> str:
        """Read a file of the agents' workspace; empty when there is none."""
        found = list((self.home / "workspaces").rglob(name))
        return found[0].read_text() if found else ""


@contextmanager
def open_installation(folder: Path, database_url: str) -> Generator[Installation]:
    """Prepare a home whose agents ask the scripted model."""
    home = folder / "home"
    home.mkdir()
    (home / "config.toml").write_text(RULES)
    with ScriptedEndpoint(Script.model_validate(SCRIPT)) as endpoint:
        environment = environment_of(home) | {
            "DATAAGENT_DATABASE_URL": database_url,
            "DATAAGENT_API_KEYS": json.dumps([KEY]),
            "DATAAGENT_MODEL": "openai:scripted",
            "DATAAGENT_LEASE_TIMEOUT": str(LEASE_S),
            "OPENAI_API_KEY": "none",
            "OPENAI_BASE_URL": endpoint.base_url,
        }
        yield Installation(home, environment)


def ask(server: ServerProcess, method: str, path: str, body: Any = None) -> Any:
    """Ask the API and return what it answers."""
    answer = httpx.request(
        method, server.url + path, json=body, headers=HEADERS, timeout=30, trust_env=False
    )
    assert answer.is_success, answer.text
    return answer.json()


def new_session(server: ServerProcess) -> str:
    return ask(server, "POST", "/api/v1/sessions", {})["session_id"]


def log_of(server: ServerProcess, session_id: str) -> list[dict[str, Any]]:
    """Read everything a session's log holds."""
    events: list[dict[str, Any]] = []
    while True:
        page = ask(server, "GET", f"/api/v1/sessions/{session_id}/events?after={len(events)}")
        events += page["events"]
        if not page["has_more"]:
            return events


def open_requests(server: ServerProcess, session_id: str) -> list[dict[str, Any]]:
    return ask(server, "GET", f"/api/v1/sessions/{session_id}/requests")["requests"]


def answer(server: ServerProcess, interrupt_id: str, **decision: Any) -> None:
    ask(server, "POST", f"/api/v1/requests/{interrupt_id}", {"decision": decision})


def run_of(server: ServerProcess, session_id: str) -> dict[str, Any]:
    """Return the session's one run."""
    (run,) = ask(server, "GET", f"/api/v1/sessions/{session_id}/runs")["items"]
    return run
