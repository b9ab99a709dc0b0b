"""The transport HTTP+SSE, for older servers.

Superseded by Streamable HTTP in 2025. Implemented here because the SDK's transport never returns
when a message is refused, and limits an event to 1 MiB.
"""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import cast
from urllib.parse import urljoin

import httpx2
from mcp.client._transport import TransportStreams
from mcp.shared._httpx_utils import request_within_origin, sse_within_origin

from dataagent_core.config.limits.mcp import MCP_MESSAGE_BYTES_MAX
from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.transports.exchange import exchange
from dataagent_core.mcp.transports.http.checked_dial import Dialable
from dataagent_core.mcp.transports.http.http_client import server_client
from dataagent_core.mcp.transports.problems import problem_of


class _EventStreamWire:
    """The event stream of a server as a `MessageWire`; its first event names the POST address."""

    def __init__(
        self, server: str, client: httpx2.AsyncClient, events: AsyncIterator[httpx2.ServerSentEvent]
    ) -> None:
        self._server = server
        self._client = client
        self._events = events
        self._post_url = ""

    async def begin(self, url: str) -> None:
        """Wait for the address to send messages to."""
        while True:
            event = await self._next()
            if event.event == "endpoint":
                self._post_url = urljoin(url, event.data)
                break
        here, there = httpx2.URL(url), httpx2.URL(self._post_url)
        if (here.scheme, here.host, here.port) != (there.scheme, there.host, there.port):
            raise MCPServerError(
                self._server, f"wants its messages at {self._post_url!r}, which is another server."
            )

    async def send(self, data: bytes) -> None:
        """Send a message; a refusal is not on the event stream, so it is raised here."""
        try:
            response = await request_within_origin(
                self._client,
                "POST",
                self._post_url,
                content=data,
                headers={"Content-Type": "application/json"},
            )
            response.raise_for_status()
        except (httpx2.HTTPError, httpx2.StreamError, OSError) as error:
            raise problem_of(error, self._server) from error

    async def receive(self) -> str:
        while True:
            event = await self._next()
            if event.event == "message" and event.data:
                return event.data

    async def _next(self) -> httpx2.ServerSentEvent:
        try:
            return await anext(self._events)
        except StopAsyncIteration:
            raise MCPServerError(self._server, "closed the connection.") from None
        except (httpx2.HTTPError, httpx2.StreamError, OSError) as error:
            raise problem_of(error, self._server) from error


@asynccontextmanager
async def sse_transport(
    config: MCPServerConfig, dialable: Dialable | None, auth: httpx2.Auth | None
) -> AsyncGenerator[TransportStreams]:
    """Open the event stream, wait for the POST address, and exchange messages."""
    async with (
        server_client(config, dialable, auth) as client,
        sse_within_origin(client, config.url, max_event_size=MCP_MESSAGE_BYTES_MAX) as source,
    ):
        source.response.raise_for_status()
        # A generator, which holds the connection until it is closed.
        opened = cast("AsyncGenerator[httpx2.ServerSentEvent]", aiter(source))
        async with aclosing(opened) as events:
            wire = _EventStreamWire(config.name, client, events)
            await wire.begin(config.url)
            async with exchange(config.name, wire) as streams:
                yield streams
