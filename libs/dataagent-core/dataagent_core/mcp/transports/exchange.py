"""The two streams the SDK talks to, joined to something that sends and receives bytes.

What is sent and received is `Wire`'s: a program's pipes, a web socket, an event stream. Here is
the rest: one message at a time (so whoever floods has to wait), a bound on nonsense, and the
reason why a connection ended, told to all who wait and raised when the transport is left.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Protocol

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client._transport import TransportStreams
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage

from dataagent_core.config.limits.mcp import MCP_FLUSH_S, MCP_NONSENSE_LINES_MAX
from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.transports.cancellation import run_uncancelled
from dataagent_core.mcp.transports.messages import NoMessageError, PendingRequests, read_message
from dataagent_core.mcp.transports.problems import leaves
from dataagent_core.mcp.transports.program.secret_filter import NO_SECRETS, SecretFilter


class MessageWire(Protocol):
    """Bytes out, bytes in."""

    async def send(self, data: bytes) -> None:
        """Send one message; raises an `MCPServerError` if only this shows that the end has come."""
        ...

    async def receive(self) -> bytes | str:
        """Give the next message; raises an `MCPServerError` that says why there is none."""
        ...


class _Exchange:
    def __init__(
        self,
        server: str,
        wire: MessageWire,
        incoming: MemoryObjectSendStream[SessionMessage | Exception],
        outgoing: MemoryObjectReceiveStream[SessionMessage],
        secrets: SecretFilter,
    ) -> None:
        self._server = server
        self._wire = wire
        self._incoming = incoming
        self._outgoing = outgoing
        self._secrets = secrets
        self._waiting = PendingRequests()
        self._nonsense = 0
        self.problem: MCPServerError | None = None

    async def receive(self) -> None:
        """Hand on what comes until the connection ends."""
        async with self._incoming:
            try:
                while True:
                    came = await self._wire.receive()
                    await self._hand_on(read_message(came, self._secrets))
            except MCPServerError as problem:
                await self._end(problem)
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                pass  # the session has gone

    async def send(self) -> None:
        """Send what the session gives until it gives no more."""
        async with self._outgoing:
            async for message in self._outgoing:
                data = self._waiting.encoded(message)
                if isinstance(data, bytes):
                    try:
                        await self._wire.send(data)
                    except MCPServerError as problem:
                        await self._end(problem)
                        self._incoming.close()
                        return
                elif data is not message:
                    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                        await self._incoming.send(data)

    async def _hand_on(self, message: SessionMessage | NoMessageError) -> None:
        if isinstance(message, SessionMessage):
            self._waiting.saw(message)
        else:
            self._nonsense += 1
            if self._nonsense > MCP_NONSENSE_LINES_MAX:
                raise MCPServerError(
                    self._server,
                    f"sent more than {MCP_NONSENSE_LINES_MAX} lines that are no MCP messages, the "
                    f"last one: {message}. A server over stdio must log to stderr only.",
                )
        await self._incoming.send(message)

    async def _end(self, problem: MCPServerError) -> None:
        self.problem = problem
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            await self._incoming.send(problem)
            for answer in self._waiting.answers(problem):
                await self._incoming.send(answer)


@asynccontextmanager
async def exchange(
    server: str, wire: MessageWire, secrets: SecretFilter = NO_SECRETS
) -> AsyncGenerator[TransportStreams]:
    """Give the SDK its streams; raises why the connection ended, if it ended by itself."""
    incoming, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, outgoing = anyio.create_memory_object_stream[SessionMessage](0)
    joined = _Exchange(server, wire, incoming, outgoing, secrets)
    receiving = asyncio.create_task(joined.receive())
    sending = asyncio.create_task(joined.send())
    try:
        yield read, write
    except Exception as error:
        # Whatever else went wrong meanwhile is not ours to cover up.
        if joined.problem is not None and all(isinstance(one, MCPError) for one in leaves(error)):
            raise joined.problem from error
        raise
    finally:
        # What nobody reads any more must not hold up what is still to be written.
        read.close()
        write.close()
        await run_uncancelled(_finish(sending, receiving))
    if joined.problem is not None:
        raise joined.problem


async def _finish(sending: asyncio.Task[None], receiving: asyncio.Task[None]) -> None:
    await asyncio.wait({sending}, timeout=MCP_FLUSH_S)
    for task in (sending, receiving):
        task.cancel()
    for result in await asyncio.gather(sending, receiving, return_exceptions=True):
        if isinstance(result, Exception):
            raise result
