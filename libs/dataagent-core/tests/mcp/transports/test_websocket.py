"""Servers that speak MCP over a web socket."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from leftovers import Leftovers
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_addresses import answering, says
from mcp_programs import ANA, called
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from dataagent_core.errors import MCPServerError, SignInNeededError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.transports.open import transport_opener
from dataagent_core.mcp.transports.problems import problem_of
from dataagent_core.tools.web.web_policy import WebPolicy

Handle = Callable[[ServerConnection, str, dict[str, Any]], Awaitable[Any]]


def at(port: int, **changes: Any) -> MCPServerConfig:
    given: dict[str, Any] = {
        "name": "socket",
        "transport": "ws",
        "url": f"ws://127.0.0.1:{port}/mcp",
    }
    return MCPServerConfig(**{**given, **changes})


async def tools(socket: ServerConnection, tool: str, arguments: dict[str, Any]) -> str:
    match tool:
        case "big":
            return "x" * arguments["size"]
        case "key":
            assert socket.request is not None
            return socket.request.headers.get("X-Key", "")
        case "drop":
            socket.transport.abort()
            return ""
        case _:
            return str(arguments.get("text", ""))


@asynccontextmanager
async def socket_server(**options: Any) -> AsyncGenerator[int]:
    async def talk(socket: ServerConnection) -> None:
        async for line in socket:
            message = json.loads(line)
            match message.get("method"):
                case "initialize":
                    result: Any = {
                        "protocolVersion": "2025-11-25",
                        "capabilities": {"tools": {}},
                        "serverInfo": {"name": "socket", "version": "1"},
                    }
                case "tools/list":
                    result = {"tools": []}
                case "tools/call":
                    params = message["params"]
                    text = await tools(socket, params["name"], params.get("arguments", {}))
                    result = {"content": [{"type": "text", "text": text}]}
                case _:
                    result = None
            if "id" in message:
                answer: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
                no = {"code": -32601, "message": "no"}
                answer |= {"error": no} if result is None else {"result": result}
                await socket.send(json.dumps(answer))

    given: dict[str, Any] = {"subprotocols": [Subprotocol("mcp")], **options}
    async with serve(talk, "127.0.0.1", 0, **given) as server:
        yield next(iter(server.sockets)).getsockname()[1]


async def problem(config: MCPServerConfig, **rules: Any) -> MCPServerError:
    with pytest.raises(Exception) as caught:
        async with Client(transport_opener(policy=None, **rules)(ANA, config)):
            pass
    return problem_of(caught.value, config.name)


@pytest.mark.requirement("S2-10.1-websocket")
async def test_a_server_is_talked_to_with_its_headers():
    async with socket_server() as port:
        left = Leftovers()
        config = at(port, headers={"X-Key": "mine"})
        async with Client(transport_opener(policy=None)(ANA, config)) as client:
            assert await called(client, "echo", text="hi") == "hi"
            assert await called(client, "key") == "mine"
            assert len(await called(client, "big", size=5_000_000)) == 5_000_000
        assert len(left.descriptors) <= 1


async def test_a_message_beyond_the_limit_ends_it():
    async with socket_server() as port:
        opened = transport_opener(policy=None)(ANA, at(port))
        with pytest.raises(MCPServerError, match="more than 16 MiB"):
            async with Client(opened) as client:
                await client.call_tool("big", {"size": 17 * 2**20})


async def test_a_dropped_connection_is_told():
    async with socket_server() as port:
        opened = transport_opener(policy=None)(ANA, at(port))

        async def drop() -> None:
            async with Client(opened) as client:
                with pytest.raises(MCPError, match="closed the connection"):
                    await client.call_tool("drop", {})

        with pytest.raises(MCPServerError, match="closed the connection"):
            await drop()


async def test_one_that_does_not_speak_mcp_is_told():
    async with socket_server(subprotocols=None) as port:
        assert "does not speak MCP" in str(await problem(at(port)))


async def test_a_private_address_is_refused():
    async with socket_server() as port:
        assert "loopback" in str(await problem(at(port), dialable=WebPolicy().dialable))


async def test_refusals_are_told():
    async with answering(says("401 No")) as port:
        assert isinstance(await problem(at(port)), SignInNeededError)
    async with answering(says("200 OK")) as port:
        assert "(HTTP 200)" in str(await problem(at(port)))
    assert "nothing listens" in str(await problem(at(port)))


async def test_a_redirect_is_not_followed():
    async with socket_server() as other:
        answer = says("302 Away", Location=f"ws://127.0.0.1:{other}/mcp")
        async with answering(answer) as port:
            said = await problem(at(port, headers={"Authorization": "secret"}))
    assert "redirect" in str(said)


async def test_one_that_never_answers_is_given_up():
    async def silent(
        head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        del head, reader, writer

    async with answering(silent) as port:
        assert "in time" in str(await problem(at(port, timeout=1)))
