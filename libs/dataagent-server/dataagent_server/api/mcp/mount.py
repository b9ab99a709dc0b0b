"""`/mcp` in the application: its route, and the MCP server behind it."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from contextvars import Context
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from dataagent_core.mcp.server.tool_table import SCOPES
from dataagent_core.secrets import Keyring
from dataagent_server.api.mcp.mcp_sessions import SESSION_IDLE_S
from dataagent_server.common.errors import OverloadedError
from dataagent_server.composition import Services
from dataagent_server.settings import ServerSettings

if TYPE_CHECKING:
    from fastmcp import FastMCP

    Opened = tuple[ASGIApp, FastMCP[Any]]

PATH: Final = "/mcp"
_METADATA: Final = "/.well-known/oauth-protected-resource"


class MCPEndpoint:
    """The target of requests to `/mcp`; a server is behind it while the application runs."""

    def __init__(self) -> None:
        self.route = Route(PATH, self, name="mcp")
        self.behind: ServerOnDemand | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # The name for the access log and the metrics, as FastAPI gives its own routes.
        scope["route"] = self.route
        if self.behind is None:
            raise OverloadedError("The server is starting or stopping; try again.")
        app, _ = await self.behind.opened()
        await app(scope, receive, send)


def add_mcp(app: FastAPI, settings: ServerSettings) -> None:
    """Add the route, and with an issuer the metadata for clients."""
    if not settings.mcp_enabled:
        return
    app.state.mcp = MCPEndpoint()
    app.router.routes.append(app.state.mcp.route)
    if settings.mcp_oauth_issuer is not None:
        for path in (_METADATA, _METADATA + PATH):
            app.router.routes.append(Route(path, _get_metadata, name="mcp_metadata"))


@asynccontextmanager
async def serve_mcp(app: FastAPI, services: Services) -> AsyncGenerator[None]:
    """Serve it, from the first request on."""
    endpoint: MCPEndpoint | None = getattr(app.state, "mcp", None)
    if endpoint is None:
        yield
        return
    endpoint.behind = ServerOnDemand(services)
    try:
        yield
    finally:
        behind, endpoint.behind = endpoint.behind, None
        await behind.aclose()


class ServerOnDemand:
    """The MCP server with our entry in front of it, built at the first request.

    FastMCP takes a second to import and a server some time to build; the start does not wait for
    it.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self._contexts = AsyncExitStack()
        # In its own task: the first request may end before it is built.
        self._opening: asyncio.Task[Opened] | None = None

    async def opened(self) -> "Opened":
        """Return the application and the server in it; a failed build is tried again."""
        if self._opening is None or _has_failed(self._opening):
            # Without the context of the request that came first.
            self._opening = asyncio.create_task(self._open(), context=Context())
        return await asyncio.shield(self._opening)

    async def aclose(self) -> None:
        """Stop serving; wait for a build in progress."""
        if self._opening is not None:
            await asyncio.wait([self._opening])
        await self._contexts.aclose()

    async def _open(self) -> "Opened":
        await asyncio.to_thread(import_module, "dataagent_core.mcp.server.build_server")
        from dataagent_core.mcp.server.build_server import build_server
        from dataagent_server.api.mcp.endpoint_services import EndpointServices
        from dataagent_server.api.mcp.entry import MCPEntry

        services, settings = self._services, self._services.settings
        served = EndpointServices(services)
        server = build_server(served, state_keys=_derive_keys(services.keyring))
        hosts, origins = _list_hosts(settings)
        inner = server.http_app(
            path=PATH,
            stateless_http=is_stateless(settings),
            host_origin_protection=True,
            allowed_hosts=hosts,
            allowed_origins=origins,
            session_idle_timeout=SESSION_IDLE_S,
        )
        async with AsyncExitStack() as contexts:
            contexts.callback(served.leave)
            await contexts.enter_async_context(_hold_in_task(inner.lifespan(inner)))
            self._contexts = contexts.pop_all()
        return MCPEntry(inner, services), server


def _has_failed(opening: "asyncio.Task[Opened]") -> bool:
    return opening.done() and (opening.cancelled() or opening.exception() is not None)


@asynccontextmanager
async def _hold_in_task(context: AbstractAsyncContextManager[Any]) -> AsyncGenerator[None]:
    """Hold a context that must end in the task in which it began."""
    held: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    leaving = asyncio.Event()

    async def hold() -> None:
        async with context:
            held.set_result(None)
            await leaving.wait()

    task = asyncio.create_task(hold())
    await asyncio.wait({held, task}, return_when=asyncio.FIRST_COMPLETED)
    try:
        if held.done():
            yield
    finally:
        leaving.set()
        await task


def is_stateless(settings: ServerSettings) -> bool:
    """Return whether sessions cannot live in this process because there are several."""
    if settings.mcp_stateless is not None:
        return settings.mcp_stateless
    return settings.workers > 1


def _list_hosts(settings: ServerSettings) -> tuple[list[str], list[str]]:
    hosts, origins = [settings.host], list(settings.cors_origins)
    if settings.public_url is not None:
        parts = urlsplit(settings.public_url)
        hosts.append(parts.hostname or "")
        origins.append(f"{parts.scheme}://{parts.netloc}")
    return [host for host in hosts if host], origins


def _derive_keys(keyring: Keyring) -> list[bytes]:
    return [key.derive("mcp-state") for key in keyring.keys]


async def _get_metadata(request: Request) -> JSONResponse:
    """RFC 9728: who issues tokens for `/mcp`, and for which resource."""
    from dataagent_server.api.mcp.token_reader import resource_of

    settings: ServerSettings = request.app.state.settings
    metadata = {
        "resource": resource_of(settings),
        "authorization_servers": [settings.mcp_oauth_issuer],
        "scopes_supported": list(SCOPES),
        "bearer_methods_supported": ["header"],
        "resource_name": "DataAgent",
    }
    return JSONResponse(metadata)
