"""A home, a scripted model and a server at one port, which can be killed and started again."""

import json
import signal
from collections import Counter
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx

from dataagent_core.models import Script
from dataagent_core.testing import ScriptedEndpoint
from tests.server.fixtures import environment_of
from tests.server.process import BIN, ServerProcess, serving
from tests.services.process import free_port

KEY = "a-key-of-the-tests-that-nobody-else-has"
# The user of the server's own key and of its printed sign-in URL.
OWNER = "local"


class ConsoleServer:
    """One server after another in one home, always at the same address."""

    def __init__(self, folder: Path, environment: Mapping[str, str], *options: str) -> None:
        self.home = folder / "home"
        self._folder = folder
        self._environment = dict(environment)
        self._options = options
        self._port = free_port()
        self._running = ExitStack()
        self._server: ServerProcess | None = None
        self._named: Counter[str] = Counter()

    @property
    def server(self) -> ServerProcess:
        assert self._server is not None, "the server is down"
        return self._server

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        command = (BIN / "dataagent-server", "serve")
        options = ("--port", str(self._port), *self._options)
        opened = serving(self._environment, self._folder, *options, command=command)
        self._server = self._running.enter_context(opened)

    def kill(self) -> None:
        """End it with SIGKILL, as a crash would."""
        self.server.stop(signal.SIGKILL)
        self._server = None
        self._running.close()

    def close(self) -> None:
        self._server = None
        self._running.close()

    def ask(self, method: str, path: str, body: Any = None, *, key: str = KEY) -> Any:
        """Send an API request with a key, by default the owner's. Bytes are sent unchanged."""
        plain = isinstance(body, bytes)
        answer = httpx.request(
            method,
            f"{self.url}/api/v1{path}",
            json=None if plain else body,
            content=body if plain else None,
            headers={"X-API-Key": key},
            timeout=60,
            trust_env=False,
        )
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    def remove(self, place: str, name: str) -> None:
        """Delete what an earlier attempt of a repeated test left under this name."""
        listed = next(value for value in self.ask("GET", place).values() if isinstance(value, list))
        for each in listed:
            if each["name"] == name:
                self.ask("DELETE", f"{place}/{each['id']}")

    def sign_in_url(self, user_id: str) -> str:
        return self.ask("POST", f"/users/{user_id}/sign-in-urls")["url"]

    def add_person(self, name: str, role: str = "member") -> str:
        """Return the id of a new user of the default tenant, also when a test is repeated."""
        self._named[name] += 1
        username = name if self._named[name] == 1 else f"{name}{self._named[name]}"
        return self.ask("POST", "/members", {"username": username, "role": role})["user_id"]

    def put_file(self, path: str, content: bytes) -> None:
        """Write a file into the owner's workspace."""
        workspace = self.ask("GET", "/workspaces/default")["workspace_id"]
        place = f"/workspaces/{workspace}/files/content?path={quote(path)}"
        self.ask("PUT", place, content)

    def log_of(self, session_id: str) -> list[dict[str, Any]]:
        """Read all events of a session."""
        events: list[dict[str, Any]] = []
        while True:
            page = self.ask("GET", f"/sessions/{session_id}/events?after={len(events)}")
            events += page["events"]
            if not page["has_more"]:
                return events


@contextmanager
def open_console_server(
    folder: Path, script: dict[str, Any] | None, *options: str, **settings: str
) -> Generator[ConsoleServer]:
    """Start a server; without a script no model is configured, as on a new machine."""
    folder.mkdir(exist_ok=True)
    with ExitStack() as stack:
        environment = environment_of(folder / "home")
        # The server's own tests measure its coverage; here a person would wait for it.
        environment.pop("COVERAGE_PROCESS_CONFIG", None)
        environment |= {"DATAAGENT_API_KEYS": json.dumps([KEY])}
        environment |= {f"DATAAGENT_{name.upper()}": value for name, value in settings.items()}
        if script is not None:
            endpoint = stack.enter_context(ScriptedEndpoint(Script.model_validate(script)))
            environment |= {
                "DATAAGENT_MODEL": "openai:scripted",
                "OPENAI_API_KEY": "none",
                "OPENAI_BASE_URL": endpoint.base_url,
            }
        console_server = ConsoleServer(folder, environment, *options)
        stack.callback(console_server.close)
        console_server.start()
        yield console_server
