"""One server for the tests of a module, and terminals attached to it."""

import json
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.remote.attached import Attached, attached
from tests.server.process import BIN, ServerProcess
from tests.server_kill.shared_home import KEY, SharedHome, open_shared_home
from tests.warm.popen import warm_run

Attach = Callable[..., AbstractAsyncContextManager[Attached]]


@dataclass(frozen=True)
class Served:
    """A running server and its home."""

    shared_home: SharedHome
    server: ServerProcess


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    folder = tmp_path_factory.mktemp("server")
    with (
        open_shared_home(folder, f"sqlite:///{folder / 'server.db'}") as shared_home,
        shared_home.server() as server,
    ):
        yield Served(shared_home, server)


@pytest.fixture(scope="module")
def strangers_key(served: Served) -> str:
    """The key of a user in another tenant."""
    server_command(served.shared_home, "tenants", "create", "Elsewhere", "--id", "elsewhere")
    there = ("--tenant", "elsewhere")
    server_command(served.shared_home, "users", "add", "li", *there)
    return server_command(
        served.shared_home, "keys", "create", "test", "--user", "li", *there
    ).strip()


@pytest.fixture(scope="module")
def colleagues_key(served: Served) -> str:
    """The key of another user of the same tenant."""
    server_command(served.shared_home, "users", "add", "mei")
    return server_command(served.shared_home, "keys", "create", "test", "--user", "mei").strip()


@pytest.fixture
def attach(served: Served) -> Attach:
    """Attach a terminal's conversation to the server."""

    @asynccontextmanager
    async def make(key: str | None = KEY, **request: Any) -> AsyncGenerator[Attached]:
        async with attached(served.server.url, key, **request) as made:
            yield made

    return make


def server_command(shared_home: SharedHome, *arguments: str) -> str:
    command = [BIN / "dataagent-server", *arguments]
    done = warm_run(
        command, env=shared_home.environment, cwd=shared_home.home.parent, stdin="", timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def servers_file(home: Path) -> dict[str, Any]:
    return json.loads((home / "servers.json").read_text())
