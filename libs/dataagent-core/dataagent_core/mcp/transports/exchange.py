"""Connects the SDK's two streams to a `MessageWire` that sends and receives bytes.

A wire is a program's pipes, a web socket or an event stream. `exchange` passes one message at a
time, so a flood has to wait; it limits input that is no message, and keeps the reason why a
connection ended.

When a connection ends for a known reason, each pending request is answered with it; the SDK would
only say that the connection was closed. Valid JSON that the parser of the SDK refuses (half a
surrogate pair, a number of thousands of digits, more than two hundred levels) is rewritten: such a
value becomes text.
"""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, Protocol, TypeVar

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client._transport import TransportStreams
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from mcp_types import (
    CONNECTION_CLOSED,
    INVALID_PARAMS,
    ErrorData,
    JSONRPCError,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
    jsonrpc_message_adapter,
)

from dataagent_core.config.limits.mcp import MCP_FLUSH_S, MCP_NONSENSE_LINES_MAX, MCP_TEXT_CHARS_MAX
from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.transports.problems import leaves
from dataagent_core.mcp.transports.program.secret_filter import NO_SECRETS, SecretFilter

T = TypeVar("T")


async def run_uncancelled(work: Coroutine[Any, Any, T]) -> T:
    """Run work to its end, even if this task is cancelled repeatedly; then raise that.

    anyio cancels a task again at each of its waits until it leaves the scope, so shielding a single
    wait is not enough.
    """
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    with anyio.CancelScope(shield=True):
        while not task.done():
            try:
                await asyncio.wait({task})
            except asyncio.CancelledError as error:
                cancelled = error
    if cancelled is not None:
        if not task.cancelled():
            task.exception()  # retrieved, so that asyncio does not report it
        raise cancelled
    return task.result()


# The parser accepts 200 levels, and numbers of 4,300 digits.
_DEPTH_MAX: Final = 150
_DIGITS_MAX: Final = 4_000
_TOO_DEEP: Final = json.dumps(f"(left out: nested deeper than {_DEPTH_MAX} levels)")
# Possessive, so that no text is scanned twice.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]|-?[0-9][0-9.eE+-]*+', re.DOTALL)


def readable_json(data: bytes | str) -> bytes:
    """Return the same JSON without what the parser refuses; `ValueError` if it is no JSON."""
    text = data.decode(errors="replace") if isinstance(data, bytes) else data
    limited = "".join(_limit_depth(text))
    return json.dumps(json.loads(limited), ensure_ascii=False).encode(errors="replace")


def _limit_depth(text: str) -> Iterator[str]:
    depth = copied = 0
    for token in _TOKEN.finditer(text):
        first = token[0][0]
        if first in "[{":
            depth += 1
            if depth == _DEPTH_MAX + 1:
                yield text[copied : token.start()] + _TOO_DEEP
        elif first in "]}":
            if depth == _DEPTH_MAX + 1:
                copied = token.end()
            depth -= 1
        elif first != '"' and depth <= _DEPTH_MAX and len(token[0]) > _DIGITS_MAX:
            yield f'{text[copied : token.start()]}"{token[0]}"'
            copied = token.end()
    if depth <= _DEPTH_MAX:
        yield text[copied:]


_EXCERPT_CHARS = 200
_LOOKED_AT_CHARS = 2 * MCP_TEXT_CHARS_MAX


class NoMessageError(ValueError):
    """The input is no MCP message."""


def read_message(
    data: bytes | str, secrets: SecretFilter = NO_SECRETS
) -> SessionMessage | NoMessageError:
    """Read one message; other input is returned as an error with its first characters."""
    try:
        return _parse_message(data)
    except ValueError:
        pass
    try:
        return _parse_message(readable_json(data))
    except (ValueError, RecursionError):
        # More than is shown: a truncated secret would not be found.
        start = data[:_LOOKED_AT_CHARS]
        text = start.decode(errors="replace") if isinstance(start, bytes) else start
        shown = secrets.redact(text).strip()[:_EXCERPT_CHARS]
        return NoMessageError(f"this is no MCP message: {shown!r}")


def _parse_message(data: bytes | str) -> SessionMessage:
    # By alias only: the wire has its own field names.
    return SessionMessage(jsonrpc_message_adapter.validate_json(data, by_name=False))


class PendingRequests:
    """The requests sent and not yet answered."""

    def __init__(self) -> None:
        self._ids: dict[RequestId, None] = {}

    def encode(self, message: SessionMessage) -> bytes | SessionMessage:
        """Return the bytes of a message, or the answer to one that cannot be encoded."""
        sent = message.message
        try:
            data = sent.model_dump_json(by_alias=True, exclude_unset=True).encode()
        except ValueError as error:
            if not isinstance(sent, JSONRPCRequest):
                return message
            problem = ErrorData(code=INVALID_PARAMS, message=f"it cannot be sent: {error}")
            return _answer(sent.id, problem)
        if isinstance(sent, JSONRPCRequest):
            self._ids[sent.id] = None
        return data

    def mark_answered(self, message: SessionMessage) -> None:
        answer = message.message
        if isinstance(answer, JSONRPCResponse | JSONRPCError) and answer.id is not None:
            self._ids.pop(answer.id, None)

    def answer_all(self, problem: MCPServerError) -> Sequence[SessionMessage]:
        """Return an error answer with the reason for each pending request."""
        error = ErrorData(code=CONNECTION_CLOSED, message=str(problem))
        answers = [_answer(number, error) for number in self._ids]
        self._ids.clear()
        return answers


def _answer(number: RequestId, error: ErrorData) -> SessionMessage:
    return SessionMessage(JSONRPCError(jsonrpc="2.0", id=number, error=error))


class MessageWire(Protocol):
    """Sends and receives messages as bytes."""

    async def send(self, data: bytes) -> None:
        """Send one message; raises an `MCPServerError` if the connection turns out to be closed."""
        ...

    async def receive(self) -> bytes | str:
        """Return the next message; raises an `MCPServerError` that says why there is none."""
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
        """Pass messages to the session until the connection ends."""
        async with self._incoming:
            try:
                while True:
                    data = await self._wire.receive()
                    await self._deliver(read_message(data, self._secrets))
            except MCPServerError as problem:
                await self._end(problem)
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                pass  # the session was closed

    async def send(self) -> None:
        """Send the messages of the session until it ends."""
        async with self._outgoing:
            async for message in self._outgoing:
                data = self._waiting.encode(message)
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

    async def _deliver(self, message: SessionMessage | NoMessageError) -> None:
        if isinstance(message, SessionMessage):
            self._waiting.mark_answered(message)
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
            for answer in self._waiting.answer_all(problem):
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
