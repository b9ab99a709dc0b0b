"""The transport Streamable HTTP: the SDK's, over our own client."""

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
    """Open the transport; a request that cannot be sent ends it, as in the SDK.

    After a modern server's first refusal the SDK tries the older protocol, which fails for another
    reason: the first one is raised.
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
            # Whatever the SDK raises, the cause is a refusal that asked for a sign-in.
            if client.sign_in_needed is None:
                raise
            raise client.sign_in_needed from error
