"""One home and one database for any number of servers, one after another or at once."""

import json
from collections.abc import Generator, Mapping
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
# The scripts' commands are allowed; writing another file is asked about.
RULES = """
[[permissions.rules]]
action = "allow"
tool = "shell"

[[permissions.rules]]
action = "allow"
tool = "write_file"
resource = "/ran.txt"

[[permissions.rules]]
action = "allow"
tool = "write_file"
resource = "/done-*.txt"
"""
# Short enough to wait for.
LEASE_S = 3
# A killed or stopped server is known to be gone at once. Tests of only that use a long lease, so
# that a slow server is not taken for dead.
NEVER_TAKEN_FOR_DEAD = {"lease_timeout": "120"}


@dataclass(frozen=True)
class SharedHome:
    """What all servers of one test share."""

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
        """Read a file of the agents' workspace; empty if there is none."""
        found = list((self.home / "workspaces").rglob(name))
        return found[0].read_text() if found else ""


@contextmanager
def open_shared_home(
    folder: Path, database_url: str, script: Mapping[str, Any] = SCRIPT
) -> Generator[SharedHome]:
    """Prepare a home whose agents use the scripted model."""
    home = folder / "home"
    home.mkdir()
    (home / "config.toml").write_text(RULES)
    with ScriptedEndpoint(Script.model_validate(script)) as endpoint:
        environment = environment_of(home) | {
            "DATAAGENT_DATABASE_URL": database_url,
            "DATAAGENT_API_KEYS": json.dumps([KEY]),
            "DATAAGENT_MODEL": "openai:scripted",
            "DATAAGENT_LEASE_TIMEOUT": str(LEASE_S),
            "OPENAI_API_KEY": "none",
            "OPENAI_BASE_URL": endpoint.base_url,
        }
        yield SharedHome(home, environment)


def ask(server: ServerProcess, method: str, path: str, body: Any = None) -> Any:
    """Send an API request and return its response."""
    answer = httpx.request(
        method, server.url + path, json=body, headers=HEADERS, timeout=30, trust_env=False
    )
    assert answer.is_success, answer.text
    return answer.json()


def new_session(server: ServerProcess) -> str:
    return ask(server, "POST", "/api/v1/sessions", {})["session_id"]


def log_of(server: ServerProcess, session_id: str) -> list[dict[str, Any]]:
    """Read all events of a session."""
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
