"""A server at an address, by Streamable HTTP: the SDK's transport over a client of our own."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import httpx2
from mcp.client._transport import TransportStreams
from mcp.client.streamable_http import streamable_http_client

from dataagent_core.config.limits.mcp import MCP_MESSAGE_BYTES_MAX
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.transports.http.checked_dial import Dialable
from dataagent_core.mcp.transports.http.http_client import server_client


@asynccontextmanager
async def http_transport(
    config: MCPServerConfig, dialable: Dialable | None, auth: httpx2.Auth | None
) -> AsyncGenerator[TransportStreams]:
    """Talk to a server; a request that cannot be sent ends it, as the SDK does.

    A modern server's first refusal makes the SDK try the older way, which fails for another reason:
    whoever connects is told the first one.
    """
    async with (
        server_client(config, dialable, auth) as client,
        streamable_http_client(
            config.url, http_client=client, max_sse_event_size=MCP_MESSAGE_BYTES_MAX
        ) as streams,
    ):
        try:
            yield streams
        except Exception as error:
            # However the SDK puts it, a refusal that asked for a sign-in is that.
            if client.sign_in_needed is None:
                raise
            raise client.sign_in_needed from error
