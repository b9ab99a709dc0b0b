"""Records every call: its name, arguments, outcome, answer and duration.

Refused, unknown and cancelled calls are recorded too.
"""

import asyncio
import json
import time
from collections.abc import Mapping
from typing import Any, Final, cast

import anyio
from fastmcp.exceptions import NotFoundError
from fastmcp.resources.base import ResourceResult
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools.base import InputRequiredToolResult, ToolResult
from mcp_types import CallToolRequestParams, ReadResourceRequestParams, TextContent

from dataagent_core.config.limits.mcp import MCP_SERVED_LAST_WORDS_S, MCP_SERVED_RECORD_CHARS_MAX
from dataagent_core.errors import DataAgentError
from dataagent_core.language.unicode_text import storable
from dataagent_core.mcp.server.call_results import ERROR_CODE
from dataagent_core.mcp.server.ports import MCPCaller, MCPCallRecord, MCPServices, Outcome

_OUTCOMES: Final[dict[str, Outcome]] = {
    "VALIDATION_ERROR": "invalid",
    "PERMISSION_DENIED": "denied",
    "APPROVAL_REQUIRED": "denied",
    "TIMEOUT": "timeout",
}


class CallLedger(Middleware):
    """Wraps every tool call and every read of a resource."""

    def __init__(self, services: MCPServices) -> None:
        self._services = services

    async def on_call_tool(
        self,
        context: MiddlewareContext[CallToolRequestParams],
        call_next: CallNext[CallToolRequestParams, ToolResult],
    ) -> ToolResult:
        message = context.message
        entry = _LedgerEntry(self._services, message.name, message.arguments or {})
        try:
            result = await call_next(context)
        except BaseException as error:
            await entry.record_failure(error)
            raise
        await entry.record_end(*_read_outcome(result))
        return result

    async def on_read_resource(
        self,
        context: MiddlewareContext[ReadResourceRequestParams],
        call_next: CallNext[ReadResourceRequestParams, ResourceResult],
    ) -> ResourceResult:
        entry = _LedgerEntry(self._services, "resources/read", {"uri": str(context.message.uri)})
        try:
            result = await call_next(context)
        except BaseException as error:
            await entry.record_failure(error)
            raise
        await entry.record_end("ok", f"{len(result.contents)} contents")
        return result


class _LedgerEntry:
    def __init__(self, services: MCPServices, tool: str, arguments: Mapping[str, Any]) -> None:
        self._services = services
        self._tool = tool
        self._arguments = arguments
        self._started_s = time.perf_counter()

    async def record_end(self, outcome: Outcome, answer: str) -> None:
        record = MCPCallRecord(
            tool=storable(self._tool)[:MCP_SERVED_RECORD_CHARS_MAX],
            arguments=_bound_arguments(self._arguments),
            outcome=outcome,
            answer=_truncate(storable(answer)),
            duration_ms=round((time.perf_counter() - self._started_s) * 1000),
        )
        await self._services.record(await self._caller(), record)

    async def record_failure(self, error: BaseException) -> None:
        if isinstance(error, NotFoundError):
            await self.record_end("unknown", str(error))
        elif isinstance(error, asyncio.CancelledError):
            with anyio.CancelScope(shield=True), anyio.move_on_after(MCP_SERVED_LAST_WORDS_S):
                await self.record_end("cancelled", "cancelled by the client")
        else:
            outcome = _OUTCOMES.get(error.code) if isinstance(error, DataAgentError) else None
            await self.record_end(outcome or "error", f"{type(error).__name__}: {error}")

    async def _caller(self) -> MCPCaller | None:
        try:
            return await self._services.caller()
        except DataAgentError:
            return None


def _read_outcome(result: ToolResult) -> tuple[Outcome, str]:
    if isinstance(result, InputRequiredToolResult):
        return "waiting", "a person is asked"
    text = "\n".join(part.text for part in result.content if isinstance(part, TextContent))
    if not result.is_error:
        return "ok", text
    code = str((result.structured_content or {}).get(ERROR_CODE, ""))
    return _OUTCOMES.get(code, "error"), text


def _bound_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    encoded = json.dumps(dict(arguments), default=str)
    if len(encoded) <= MCP_SERVED_RECORD_CHARS_MAX:
        return cast("dict[str, Any]", storable(json.loads(encoded)))
    each = MCP_SERVED_RECORD_CHARS_MAX // max(1, len(arguments))
    parts = {str(name)[:100]: _truncate(str(value), each) for name, value in arguments.items()}
    return cast("dict[str, Any]", storable(parts))


def _truncate(text: str, chars_max: int = MCP_SERVED_RECORD_CHARS_MAX) -> str:
    over = len(text) - chars_max
    return text if over <= 0 else f"{text[:chars_max]}… ({over} more characters)"
