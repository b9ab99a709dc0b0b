"""Connections to an address: what a stream of bytes cannot show."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp_addresses import served
from mcp_openers import ALICE, link_of, text_of
from pydantic import BaseModel
from starlette.types import ASGIApp, Receive, Scope, Send

from dataagent_core.errors import MCPServerError, SignInNeededError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.connections import MCPConnectionManager, ServerConnection
from dataagent_core.mcp.ports import Elicitation, ElicitationResult
from dataagent_core.mcp.transports.open import transport_opener


class Name(BaseModel):
    name: str


def asking_server() -> MCPServer:
    server = MCPServer("asking")

    @server.tool()
    async def ask(ctx: Context[Any]) -> str:
        answer = await ctx.elicit("Who?", Name)
        return answer.data.name if answer.action == "accept" else answer.action

    return server


class Guarded:
    """Lets everything through until told to refuse calls."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self.status = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not self.status or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": self.status, "headers": []})
        await send({"type": "http.response.body", "body": b""})


@pytest.fixture
def guarded() -> Guarded:
    return Guarded(asking_server().streamable_http_app())


@pytest.fixture
async def server(guarded: Guarded) -> AsyncGenerator[ServerConnection]:
    async with served(guarded) as port:
        config = MCPServerConfig(
            name="web", transport="http", url=f"http://127.0.0.1:{port}/mcp", timeout=10
        )
        manager = MCPConnectionManager(transport_opener(policy=None))
        server = manager.connection(ALICE, config)
        # As after a first connect to a server of the handshake era.
        link_of(server).health.legacy = True
        yield server
        await manager.aclose()


async def test_questions_at_the_same_time_reach_each_its_own_call(server: ServerConnection):
    assert [tool.name for tool in await server.tools()] == ["ask"]
    assert server.status.protocol_version == "2025-11-25"
    together = asyncio.Barrier(10)

    async def session(name: str) -> str:
        async def elicit(_: Elicitation) -> ElicitationResult:
            async with asyncio.timeout(60):
                await together.wait()
            return ElicitationResult("accept", {"name": name})

        return text_of(await server.call("ask", {}, timeout_s=20, elicit=elicit))

    names = [f"person {number}" for number in range(10)]
    assert await asyncio.gather(*(session(name) for name in names)) == names


async def test_a_sign_in_that_a_call_needs_leaves_the_connection(
    server: ServerConnection, guarded: Guarded
):
    await server.tools()
    guarded.status = 401
    with pytest.raises(SignInNeededError):
        await server.call("ask", {}, timeout_s=10)
    assert server.status.state == "needs_auth"
    guarded.status = 0
    assert text_of(await server.call("ask", {}, timeout_s=10)) == "decline"
    assert server.status.state == "connected"


async def test_a_session_the_server_forgot_is_begun_anew_by_the_next_call(
    server: ServerConnection, guarded: Guarded
):
    await server.tools()
    guarded.status = 404
    with pytest.raises(MCPServerError, match="forgot our session, so the call was not done"):
        await server.call("ask", {}, timeout_s=10)
    guarded.status = 0
    assert text_of(await server.call("ask", {}, timeout_s=10)) == "decline"


async def test_a_server_out_of_order_is_a_refused_call(server: ServerConnection, guarded: Guarded):
    await server.tools()
    guarded.status = 503
    with pytest.raises(MCPServerError, match="refused the call of 'ask': HTTP 503"):
        await server.call("ask", {}, timeout_s=10)
    assert server.status.state == "connected"
