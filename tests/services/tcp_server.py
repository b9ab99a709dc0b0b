"""A TCP server inside a test, on a port of its own, that leaves nothing open when it ends.

`asyncio.Server.wait_closed` does not wait for connections in Python 3.11: one that outlives its
loop is reported as unclosed by whichever test runs when it is collected.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def tcp_server(
    handler: Handler, host: str = "127.0.0.1", port: int = 0
) -> AsyncGenerator[int]:
    """Call `handler` with each connection; yield the port, and close every connection at the end."""
    connections: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await handler(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass  # The peer disconnected, as these tests make it do.
        finally:
            writer.close()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections[asyncio.create_task(handle(reader, writer))] = writer

    server = await asyncio.start_server(accept, host, port)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task, writer in connections.items():
            task.cancel()
            # Not `close`, which waits for a peer to read what was written.
            writer.transport.abort()
        ends = await asyncio.gather(*connections, return_exceptions=True)
        await asyncio.gather(
            *(writer.wait_closed() for writer in connections.values()), return_exceptions=True
        )
        for end in ends:
            if isinstance(end, Exception):
                raise end
