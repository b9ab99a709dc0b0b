"""The SDK's own client, talking to the real application's `/mcp` in either era."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Literal

import httpx2
from live_server import Caller, LiveServer
from mcp import Client
from mcp.client.session import ElicitationFnT
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, ElicitResult, TextContent

Era = Literal["legacy", "auto"]
ERAS: tuple[Era, ...] = ("legacy", "auto")
VERSIONS = {"legacy": "2025-11-25", "auto": "2026-07-28"}


@asynccontextmanager
async def mcp_client(
    live: LiveServer,
    headers: dict[str, str],
    era: Era = "auto",
    answering: ElicitationFnT | None = None,
    **more: Any,
) -> AsyncGenerator[Client]:
    """Connect as the principal of the headers."""
    async with httpx2.AsyncClient(headers=headers, timeout=60, trust_env=False) as http:
        transport = streamable_http_client(f"http://127.0.0.1:{live.port}/mcp", http_client=http)
        async with Client(transport, mode=era, elicitation_callback=answering, **more) as client:
            yield client


def text_of(result: Any) -> str:
    """Join the text of an answer."""
    assert isinstance(result, CallToolResult), result
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


def code_of(result: Any) -> str | None:
    """Return the code of an error; None without one."""
    assert isinstance(result, CallToolResult), result
    return (result.structured_content or {}).get("error_code") if result.is_error else None


async def approve(context: Any, params: Any) -> ElicitResult:
    del context, params
    return ElicitResult(action="accept", content={"decision": "approve"})


async def audit_of(live: LiveServer, caller: Caller) -> list[Any]:
    """Read the MCP calls in the audit log of a tenant, the oldest first."""
    from dataagent_server.identity.audit.audit_rows import page_of

    found = await live.services.database.read(lambda c: page_of(c, caller.who.tenant_id, 0, 1_000))
    return [row for row in found if row.action == "mcp.call"]
