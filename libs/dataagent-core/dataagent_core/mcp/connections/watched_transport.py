"""A transport that reports when its server is gone, and corrects common mistakes of servers.

The SDK's client notices a lost server with its next request only; an owner task must know at once,
to reap the process and to let the next call open a new one.

A result without `resultType` is complete (2026-07-28 says so, mcp 2.3 refuses it); older revisions
ignore the field. A malformed tool is removed from its listing.
"""

from collections.abc import Callable
from contextvars import Context
from types import TracebackType
from typing import Self

import anyio
from mcp.client import Transport
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from mcp_types.jsonrpc import JSONRPCResponse

from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.connections.fetch_listing import ListingPages

Received = SessionMessage | Exception
OnEnd = Callable[[MCPServerError | None], None]


class WatchedTransport:
    """Wraps a transport; `on_end` is called when nothing more will come."""

    def __init__(self, transport: Transport, pages: ListingPages, on_end: OnEnd) -> None:
        self._transport = transport
        self._pages = pages
        self._on_end = on_end

    async def __aenter__(self) -> "tuple[ReadStream[Received], WriteStream[SessionMessage]]":
        read, write = await self._transport.__aenter__()
        return _WatchedStream(read, self._pages, self._on_end), write

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool | None:
        return await self._transport.__aexit__(exc_type, exc, traceback)


class _WatchedStream:
    def __init__(self, inner: ReadStream[Received], pages: ListingPages, on_end: OnEnd) -> None:
        self._inner = inner
        self._pages = pages
        self._on_end = on_end

    @property
    def last_context(self) -> Context | None:
        """The context of the call this answers, if the transport knows it."""
        return getattr(self._inner, "last_context", None)

    async def receive(self) -> Received:
        try:
            item = await self._inner.receive()
        except (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError):
            self._on_end(None)
            raise
        if isinstance(item, MCPServerError):
            self._on_end(item)  # the last item of a transport: why it ended
        elif isinstance(item, SessionMessage) and isinstance(item.message, JSONRPCResponse):
            item.message.result.setdefault("resultType", "complete")
            self._pages.remove_malformed(item.message.result)
        return item

    def __aiter__(self) -> ReadStream[Received]:
        return self

    async def __anext__(self) -> Received:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        await self.aclose()
