"""Our application with what the conformance suite wants to find in it, on a port of this machine.

    python -m tests.mcp.conformance_server PORT HOME

The suite cannot send a key, so a layer around the application adds one to what comes from this
machine. Everything behind it is the product: its route, entry, limits, ledger and library.
"""

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send

from dataagent_server.app import create_app
from dataagent_server.settings import ServerSettings
from tests.mcp import conformance_asking as asking
from tests.mcp import conformance_fixtures as fixtures

KEY = "conformance-key-of-this-machine"


class WithKey:
    """Adds the key to every request from this machine."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (scope.get("client") or ("",))[0] == "127.0.0.1":
            scope = {**scope, "headers": [*scope["headers"], (b"x-api-key", KEY.encode())]}
        await self._app(scope, receive, send)


def conformance_app(home: Path, port: int) -> ASGIApp:
    """Build the application; once it runs, its MCP server has the fixtures too."""
    named = {
        "DATAAGENT_HOME": str(home),
        "DATAAGENT_PORT": str(port),
        "DATAAGENT_API_KEYS": f'["{KEY}"]',
        "DATAAGENT_RATE_LIMIT_PER_MINUTE": "0",
    }
    app = create_app(ServerSettings.load(named, home))
    started = app.router.lifespan_context

    @asynccontextmanager
    async def with_fixtures(running: FastAPI) -> AsyncGenerator[None]:
        async with started(running):
            await add_fixtures(running)
            yield

    app.router.lifespan_context = with_fixtures
    return WithKey(app)


async def add_fixtures(app: FastAPI) -> None:
    """Add the fixtures to the server behind `/mcp`."""
    _, server = await app.state.mcp.behind.opened()
    for add in (
        fixtures.add_contents,
        fixtures.add_talking,
        fixtures.add_resources,
        fixtures.add_prompts,
        asking.add_requests,
        asking.add_rounds,
        asking.add_states,
        asking.add_capabilities,
    ):
        add(server)


async def serve(port: int, home: Path) -> None:
    """Serve until interrupted."""
    home.mkdir(parents=True, exist_ok=True)
    config = uvicorn.Config(
        conformance_app(home, port),
        host="127.0.0.1",
        port=port,
        lifespan="on",
        log_level="warning",
        timeout_graceful_shutdown=2,
    )
    await uvicorn.Server(config).serve()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), Path(sys.argv[2])))
