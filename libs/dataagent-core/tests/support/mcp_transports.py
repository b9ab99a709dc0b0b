"""Servers within this process that behave, fail, hang and lie, chosen by their configuration.

A server that behaves is named by its secret: its tool is called `tool_SECRET`, and says `SECRET`.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import mcp_types as types
from mcp.client import Transport
from mcp.client._memory import InMemoryTransport
from mcp.client._transport import TransportStreams
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage

from dataagent_core.errors import SignInNeededError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.owner import Owner

GOOD = "good"
BAD = ("refuses", "hangs", "closes", "lies", "raises later", "needs a sign-in")


def server(name: str, kind: str = GOOD, secret: str = "none") -> MCPServerConfig:
    return MCPServerConfig(
        name=name, command=kind, env={"SECRET": secret}, timeout=1 if kind == "hangs" else 30
    )


class FakeTransports:
    """Opens them, and knows how many are open of each owner."""

    def __init__(self) -> None:
        self.open: dict[Owner, int] = {}
        self.opened = 0
        self._alive: dict[tuple[Owner, str], list[anyio.CancelScope]] = {}

    def __call__(self, owner: Owner, config: MCPServerConfig) -> Transport:
        if config.command == "refuses":
            raise ConnectionRefusedError(111, "refused")
        if config.command == "needs a sign-in":
            raise SignInNeededError(config.name)
        return self._counted(owner, config)

    def kill(self, owner: Owner, name: str) -> None:
        """End the server's side, as a crash does."""
        for scope in self._alive.get((owner, name), []):
            scope.cancel()

    @asynccontextmanager
    async def _counted(
        self, owner: Owner, config: MCPServerConfig
    ) -> AsyncGenerator[TransportStreams]:
        self.opened += 1
        self.open[owner] = self.open.get(owner, 0) + 1
        try:
            async with self._transport(owner, config) as streams:
                yield streams
        finally:
            # As slow as a process that is waited for.
            with anyio.CancelScope(shield=True):
                await asyncio.sleep(0)
            self.open[owner] -= 1

    def _transport(self, owner: Owner, config: MCPServerConfig) -> Transport:
        match config.command:
            case "hangs":
                return _silent()
            case "closes":
                return _closing()
            case "lies":
                return _lying()
            case "raises later":
                return _raising()
            case _:
                return self._good(owner, config)

    @asynccontextmanager
    async def _good(
        self, owner: Owner, config: MCPServerConfig
    ) -> AsyncGenerator[TransportStreams]:
        alive = self._alive.setdefault((owner, config.name), [])
        async with (
            InMemoryTransport(named_by(config.env["SECRET"])) as (read, write),
            anyio.create_task_group() as tasks,
        ):
            scope = anyio.CancelScope()
            alive.append(scope)
            out, into = anyio.create_memory_object_stream[SessionMessage | Exception](0)
            tasks.start_soon(_pump, read, out, scope)
            try:
                yield into, write
            finally:
                into.close()
                alive.remove(scope)
                tasks.cancel_scope.cancel()


async def _pump(read: Any, out: Any, scope: anyio.CancelScope) -> None:
    async with out:
        with scope:
            async for message in read:
                await out.send(message)


def named_by(secret: str) -> Server[Any]:
    async def list_tools(_ctx: Any, _params: Any) -> types.ListToolsResult:
        tool = types.Tool(name=f"tool_{secret}", input_schema={"type": "object"})
        return types.ListToolsResult(tools=[tool], ttl_ms=0, cache_scope="private")

    async def call_tool(_ctx: Any, _params: Any) -> types.CallToolResult:
        await asyncio.sleep(0)
        return types.CallToolResult(content=[types.TextContent(text=secret)])

    return Server("named", on_list_tools=list_tools, on_call_tool=call_tool)


@asynccontextmanager
async def _silent() -> AsyncGenerator[TransportStreams]:
    send, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, sink = anyio.create_memory_object_stream[SessionMessage](1_000)
    with send, read, write, sink:
        yield read, write


@asynccontextmanager
async def _closing() -> AsyncGenerator[TransportStreams]:
    async with _silent() as (_, write):
        send, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        send.close()
        with read:
            yield read, write


@asynccontextmanager
async def _lying() -> AsyncGenerator[TransportStreams]:
    """Answer everything with a result that fits nothing."""
    send, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, sink = anyio.create_memory_object_stream[SessionMessage](0)

    async def answer() -> None:
        async for message in sink:
            if isinstance(message.message, types.JSONRPCRequest):
                lie = types.JSONRPCResponse(
                    jsonrpc="2.0", id=message.message.id, result={"tools": "lies"}
                )
                await send.send(SessionMessage(lie))

    async with anyio.create_task_group() as tasks:
        with send, read, write, sink:
            tasks.start_soon(answer)
            yield read, write
            tasks.cancel_scope.cancel()


@asynccontextmanager
async def _raising() -> AsyncGenerator[TransportStreams]:
    async def fail() -> None:
        await asyncio.sleep(0.01)
        raise OSError(5, "the line was cut")

    async with anyio.create_task_group() as tasks, _silent() as streams:
        tasks.start_soon(fail)
        yield streams
