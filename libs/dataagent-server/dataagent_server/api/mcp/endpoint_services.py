"""Core's `MCPServices` for all tenants: each call belongs to the principal of its request."""

import json
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, aclosing
from typing import Any, Final, cast

from fastmcp.server.dependencies import get_http_request

from dataagent_core.config.limits.mcp import MCP_SERVED_OUTPUT_BYTES_MAX
from dataagent_core.mcp.server.ports import MCPCaller, MCPCallRecord, MCPToolset
from dataagent_core.session.state import Message
from dataagent_core.tools.data.results import ResultStore
from dataagent_server.api.chat.live_events import AccessWatch, lines_after, log_of
from dataagent_server.api.limits import MESSAGES_MAX
from dataagent_server.api.mcp.caller_tools import ReadLedgers, open_caller_tools
from dataagent_server.api.mcp.server_agent import ServerAgent
from dataagent_server.composition import Services
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.runs.idempotency import RepeatedError, key_for
from dataagent_server.runs.idempotency.idempotency_rows import claim
from dataagent_server.stores.session_lists import SessionFilter

CALLER: Final = "mcp_caller"
_WATCH_QUIET_S: Final = 60.0


class EndpointServices:
    """Everything `/mcp` serves."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._ledgers = ReadLedgers()

    def leave(self) -> None:
        """Release the application.

        FastMCP keeps the functions it serves in caches of the process, and these keep this object.
        """
        del self._services

    async def caller(self) -> MCPCaller:
        """Read the caller from the request; `entry.py` has authenticated it."""
        return cast("MCPCaller", get_http_request().scope["state"][CALLER])

    def open_toolset(self, caller: MCPCaller) -> AbstractAsyncContextManager[MCPToolset]:
        who = _principal_of(caller)
        return open_caller_tools(self._services, who, self._ledgers.of(who))

    def agent(self, caller: MCPCaller) -> ServerAgent:
        return ServerAgent(self._services, _principal_of(caller))

    async def results(self, caller: MCPCaller) -> ResultStore:
        return self._services.data.own_results(_principal_of(caller))

    async def sessions(self, caller: MCPCaller, limit: int) -> list[dict[str, Any]]:
        who = _principal_of(caller)
        own = SessionFilter(user_id=who.user_id)
        page = await self._services.sessions.list(who, own, limit=limit, cursor=None)
        return [
            {
                "session_id": one.session.session_id,
                "title": one.title,
                "assistant_id": one.session.assistant_id,
                "last_active": one.session.last_active.isoformat(),
            }
            for one in page.items
        ]

    async def session(self, caller: MCPCaller, session_id: str) -> dict[str, Any]:
        who = _principal_of(caller)
        found = await self._services.sessions.get(who, session_id)
        store = self._services.runs.stores_of(who.tenant_id).messages
        messages = await store.get_messages(session_id, MESSAGES_MAX, 0)
        waiting = await self._services.runs.service.open_requests(who, session_id)
        running = await self._services.runs.service.runs(
            who.tenant_id, session_id, only_open=True, limit=1
        )
        return {
            "session_id": session_id,
            "title": found.title,
            "status": running[0].status if running else "idle",
            "requests": [one.request for one in waiting],
            "messages": _render_newest(messages),
        }

    async def session_changes(self, caller: MCPCaller, session_id: str) -> AsyncGenerator[None]:
        who = _principal_of(caller)
        services = self._services
        await services.sessions.get(who, session_id)
        after = await log_of(services, who.tenant_id).last_seq(session_id)
        watch = AccessWatch(services, who, session_id)
        batches = lines_after(services, who.tenant_id, session_id, after, idle_s=_WATCH_QUIET_S)
        async with aclosing(batches):
            async for lines in batches:
                await watch.check()
                if lines:
                    yield

    async def use_once(self, caller: MCPCaller, answer_id: str) -> bool:
        """Claim it as a request of the user: the database knows the claims of other processes."""
        who = _principal_of(caller)
        key = key_for(who.tenant_id, who.user_id, f"mcp-answer:{answer_id}"[:255], "mcp", {})
        try:
            await self._services.database.write(lambda c: claim(c, key))
        except RepeatedError:
            return False
        return True

    async def record(self, caller: MCPCaller | None, record: MCPCallRecord) -> None:
        """Write it to the tenant's audit chain."""
        if caller is None:
            return
        who = _principal_of(caller)
        detail = {
            "input": dict(record.arguments),
            "outcome": record.outcome,
            "output" if record.outcome in {"ok", "waiting"} else "error": record.answer,
            "duration_ms": record.duration_ms,
        }
        audit = self._services.people.audit
        await self._services.database.write(
            lambda c: audit.record(
                c, who.tenant_id, who.actor, "mcp.call", f"tool:{record.tool}", detail
            )
        )


def _principal_of(caller: MCPCaller) -> Principal:
    return cast("Principal", caller.who)


def _render_newest(messages: list[Message]) -> list[dict[str, Any]]:
    """Render the last messages that fit, in their order."""
    shown: list[dict[str, Any]] = []
    size_bytes = 0
    for message in reversed(messages):
        one = {"message_id": message.message_id, "role": message.role, "content": message.content}
        size_bytes += len(json.dumps(one, default=str))
        if shown and size_bytes > MCP_SERVED_OUTPUT_BYTES_MAX:
            break
        shown.append(one)
    return shown[::-1]
