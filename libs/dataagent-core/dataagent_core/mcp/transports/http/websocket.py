"""The web socket transport, which is not in the MCP specification.

Older servers use it with the subprotocol `mcp`, one text frame for each message; the SDK dropped it
in its second version. Authentication is by headers only.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress

import httpx2
from mcp.client._transport import TransportStreams
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

from dataagent_core.config.limits.mcp import (
    MCP_GOODBYE_S,
    MCP_MESSAGE_BYTES_MAX,
    MCP_WS_FRAMES_WAITING_MAX,
)
from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.transports.exchange import exchange, run_uncancelled
from dataagent_core.mcp.transports.http.checked_dial import Dialable, open_checked_socket
from dataagent_core.mcp.transports.http.http_client import check_url
from dataagent_core.mcp.transports.problems import problem_of
from dataagent_core.sandbox.network.addresses import Address

_PORTS = {"ws": 80, "wss": 443}


class _WebSocketWire:
    """A web socket as a `MessageWire`."""

    def __init__(self, server: str, socket: ClientConnection) -> None:
        self._server = server
        self._socket = socket

    async def send(self, data: bytes) -> None:
        """Send a message as a text frame; `receive` reports a closed socket."""
        with suppress(WebSocketException, OSError):
            await self._socket.send(data, text=True)

    async def receive(self) -> bytes | str:
        try:
            return await self._socket.recv()
        except (WebSocketException, OSError) as error:
            raise problem_of(error, self._server) from error


@asynccontextmanager
async def websocket_transport(
    config: MCPServerConfig, dialable: Dialable | None
) -> AsyncGenerator[TransportStreams]:
    """Connect and exchange messages; redirects are not followed."""
    socket = await _connect(config, check_url(config, tuple(_PORTS)), dialable)
    try:
        async with exchange(config.name, _WebSocketWire(config.name, socket)) as streams:
            yield streams
    finally:
        await run_uncancelled(socket.close())


async def _connect(
    config: MCPServerConfig, url: httpx2.URL, dialable: Dialable | None
) -> ClientConnection:
    port = url.port or _PORTS[url.scheme]
    try:
        dialled = await open_checked_socket(url.host, port, dialable or _allow_all)
        try:
            socket = await connect(
                config.url,
                sock=dialled,
                subprotocols=[Subprotocol("mcp")],
                additional_headers=config.headers,
                open_timeout=config.timeout,
                close_timeout=MCP_GOODBYE_S,
                max_size=MCP_MESSAGE_BYTES_MAX,
                max_queue=MCP_WS_FRAMES_WAITING_MAX,
                # A few bytes can decompress to gigabytes.
                compression=None,
            )
        except BaseException:
            dialled.close()
            raise
    except (WebSocketException, OSError, ValueError) as error:
        raise problem_of(error, config.name) from error
    if socket.subprotocol != "mcp":
        await run_uncancelled(socket.close())
        raise MCPServerError(
            config.name, "answers as a web socket, but does not speak MCP there. Check its address."
        )
    return socket


def _allow_all(_host: str, _port: int, addresses: Sequence[Address]) -> Sequence[Address]:
    return addresses
