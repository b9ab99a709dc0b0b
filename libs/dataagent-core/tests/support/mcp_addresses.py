"""What tests of MCP servers at an address share: a real server, and ones that misbehave."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import uvicorn
from mcp.server import MCPServer
from starlette.types import ASGIApp

from tests.services.tcp_server import tcp_server

Answer = Callable[[bytes, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def real_server() -> MCPServer:
    """Make a server of the SDK with two tools."""
    server = MCPServer("real")

    @server.tool()
    def echo(text: str) -> str:
        return text

    @server.tool()
    def big(size: int) -> str:
        return "x" * size

    return server


@asynccontextmanager
async def served(app: ASGIApp) -> AsyncGenerator[int]:
    """Serve an application on a free port of loopback."""
    config = uvicorn.Config(app, port=0, log_level="error", timeout_graceful_shutdown=1, ws="none")
    server = uvicorn.Server(config)
    # The application's signals are not ours to take.
    running = asyncio.create_task(server._serve())  # pyright: ignore[reportPrivateUsage]
    while not server.started:  # noqa: ASYNC110 - uvicorn tells nobody
        await asyncio.sleep(0.005)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        await running


@asynccontextmanager
async def answering(answer: Answer) -> AsyncGenerator[int]:
    """Serve HTTP by hand: `answer` gets the head of each request."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.readuntil(b"\r\n\r\n"):
            await answer(head, reader, writer)
            await writer.drain()

    async with tcp_server(serve) as port:
        yield port


def says(status: str, body: bytes = b"", **headers: str) -> Answer:
    """Answer every request alike."""

    async def answer(
        head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        for line in head.split(b"\r\n"):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                await reader.readexactly(int(value))
        given = {"Content-Length": str(len(body)), **headers}
        lines = [f"HTTP/1.1 {status}", *(f"{n.replace('_', '-')}: {v}" for n, v in given.items())]
        writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)

    return answer
