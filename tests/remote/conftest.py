"""One server for the tests of a module, and terminals of it."""

import json
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.remote.attached import Attached, attached
from tests.server.process import BIN, ServerProcess
from tests.server_kill.installation import KEY, Installation, open_installation
from tests.warm.popen import warm_run

Attach = Callable[..., AbstractAsyncContextManager[Attached]]


@dataclass(frozen=True)
class Served:
    """A running server and the installation it is in."""

    installation: Installation
    server: ServerProcess


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    folder = tmp_path_factory.mktemp("installation")
    with (
        open_installation(folder, f"sqlite:///{folder / 'server.db'}") as installation,
        installation.server() as server,
    ):
        yield Served(installation, server)


@pytest.fixture(scope="module")
def strangers_key(served: Served) -> str:
    """The key of somebody in another tenant."""
    server_command(served.installation, "tenants", "create", "Elsewhere", "--id", "elsewhere")
    there = ("--tenant", "elsewhere")
    server_command(served.installation, "users", "add", "li", *there)
    return server_command(
        served.installation, "keys", "create", "test", "--user", "li", *there
    ).strip()


@pytest.fixture(scope="module")
def colleagues_key(served: Served) -> str:
    """The key of another person of the same tenant."""
    server_command(served.installation, "users", "add", "mei")
    return server_command(served.installation, "keys", "create", "test", "--user", "mei").strip()


@pytest.fixture
def attach(served: Served) -> Attach:
    """Attach a terminal's conversation to the server."""

    @asynccontextmanager
    async def make(key: str | None = KEY, **order: Any) -> AsyncGenerator[Attached]:
        async with attached(served.server.url, key, **order) as made:
            yield made

    return make


def server_command(installation: Installation, *arguments: str) -> str:
    command = [BIN / "dataagent-server", *arguments]
    done = warm_run(
        command, env=installation.environment, cwd=installation.home.parent, stdin="", timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def servers_file(home: Path) -> dict[str, Any]:
    return json.loads((home / "servers.json").read_text())
