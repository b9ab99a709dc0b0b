"""The pytest plugin: `api`, `make_api`, `make_settings`, `clean_environment`.

The real application with a home of its own, asked in this process.
"""

import os
import shutil
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

import httpx
import pytest

if TYPE_CHECKING:  # tests of other packages do not pay for the server's imports
    from fastapi import FastAPI

    from dataagent_server.settings import ServerSettings

MakeApi = Callable[..., AbstractAsyncContextManager[httpx.AsyncClient]]
MakeSettings = Callable[..., "ServerSettings"]

_FOREIGN = ("DATAAGENT_", "_API_KEY", "_BASE_URL", "_PROXY", "OLLAMA")


def environment_of(home: Path) -> dict[str, str]:
    """Return this process's environment with another home and without providers' keys."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not any(part in name.upper() for part in _FOREIGN)
    }
    # Nothing listens on port 9, so an Ollama of this machine is not found.
    return kept | {
        "DATAAGENT_HOME": str(home),
        "OLLAMA_HOST": "127.0.0.1:9",
        "LC_ALL": "C.UTF-8",
    }


def app_of(client: httpx.AsyncClient) -> "FastAPI":
    """Return the application behind a client of `make_api`."""
    transport = cast("httpx.ASGITransport", client._transport)  # pyright: ignore[reportPrivateUsage]
    return cast("FastAPI", transport.app)


@pytest.fixture
def clean_environment(tmp_path: Path) -> dict[str, str]:
    """An environment with its own home."""
    return environment_of(tmp_path / "home")


@pytest.fixture
def make_settings(
    clean_environment: dict[str, str], tmp_path: Path, sqlite_template: Path
) -> MakeSettings:
    """Make server settings from values by their names, as the environment would give them.

    The home's own database is migrated already: doing it costs more than most tests.
    """
    from dataagent_server.settings import ServerSettings

    def make(**values: str) -> ServerSettings:
        named = {f"DATAAGENT_{name.upper()}": value for name, value in values.items()}
        settings = ServerSettings.load(clean_environment | named, tmp_path)
        settings.home.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not (database := settings.home / "dataagent.db").exists():
            shutil.copyfile(sqlite_template, database)
        return settings

    return make


@pytest.fixture
def make_api(make_settings: MakeSettings, tmp_path: Path) -> MakeApi:
    """Start the application with these settings and the probes beside its routes.

    Its console is what a test puts into `tmp_path / "console"`, whether ours was built or not.
    """
    from dataagent_server.app import create_app
    from tests.server.probes import add_probes

    @asynccontextmanager
    async def make(**values: str) -> AsyncGenerator[httpx.AsyncClient]:
        app = create_app(make_settings(**values), tmp_path / "console")
        add_probes(app)
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client,
        ):
            yield client

    return make


@pytest.fixture
async def api(make_api: MakeApi) -> AsyncGenerator[httpx.AsyncClient]:
    """The application with its default settings."""
    async with make_api() as opened:
        yield opened
