"""Puts every call on record: its name, what went in, what came out or why not, how long it took.

Also the calls nothing came of: of a tool the caller has no scope for, of one that does not exist,
and those that were cancelled.
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
    """Stands around every call of a tool and every reading of a resource."""

    def __init__(self, house: MCPServices) -> None:
        self._house = house

    async def on_call_tool(
        self,
        context: MiddlewareContext[CallToolRequestParams],
        call_next: CallNext[CallToolRequestParams, ToolResult],
    ) -> ToolResult:
        message = context.message
        entry = _LedgerEntry(self._house, message.name, message.arguments or {})
        try:
            result = await call_next(context)
        except BaseException as error:
            await entry.failed(error)
            raise
        await entry.ended(*_judged(result))
        return result

    async def on_read_resource(
        self,
        context: MiddlewareContext[ReadResourceRequestParams],
        call_next: CallNext[ReadResourceRequestParams, ResourceResult],
    ) -> ResourceResult:
        entry = _LedgerEntry(self._house, "resources/read", {"uri": str(context.message.uri)})
        try:
            result = await call_next(context)
        except BaseException as error:
            await entry.failed(error)
            raise
        await entry.ended("ok", f"{len(result.contents)} contents")
        return result


class _LedgerEntry:
    def __init__(self, house: MCPServices, tool: str, arguments: Mapping[str, Any]) -> None:
        self._house = house
        self._tool = tool
        self._arguments = arguments
        self._began = time.perf_counter()

    async def ended(self, outcome: Outcome, answer: str) -> None:
        record = MCPCallRecord(
            tool=storable(self._tool)[:MCP_SERVED_RECORD_CHARS_MAX],
            arguments=_recorded(self._arguments),
            outcome=outcome,
            answer=_cut(storable(answer)),
            duration_ms=round((time.perf_counter() - self._began) * 1000),
        )
        await self._house.record(await self._caller(), record)

    async def failed(self, error: BaseException) -> None:
        if isinstance(error, NotFoundError):
            await self.ended("unknown", str(error))
        elif isinstance(error, asyncio.CancelledError):
            with anyio.CancelScope(shield=True), anyio.move_on_after(MCP_SERVED_LAST_WORDS_S):
                await self.ended("cancelled", "cancelled by the client")
        else:
            outcome = _OUTCOMES.get(error.code) if isinstance(error, DataAgentError) else None
            await self.ended(outcome or "error", f"{type(error).__name__}: {error}")

    async def _caller(self) -> MCPCaller | None:
        try:
            return await self._house.caller()
        except DataAgentError:
            return None


def _judged(result: ToolResult) -> tuple[Outcome, str]:
    if isinstance(result, InputRequiredToolResult):
        return "waiting", "a person is asked"
    text = "\n".join(part.text for part in result.content if isinstance(part, TextContent))
    if not result.is_error:
        return "ok", text
    code = str((result.structured_content or {}).get(ERROR_CODE, ""))
    return _OUTCOMES.get(code, "error"), text


def _recorded(arguments: Mapping[str, Any]) -> dict[str, Any]:
    written = json.dumps(dict(arguments), default=str)
    if len(written) <= MCP_SERVED_RECORD_CHARS_MAX:
        return cast("dict[str, Any]", storable(json.loads(written)))
    each = MCP_SERVED_RECORD_CHARS_MAX // max(1, len(arguments))
    parts = {str(name)[:100]: _cut(str(value), each) for name, value in arguments.items()}
    return cast("dict[str, Any]", storable(parts))


def _cut(text: str, chars_max: int = MCP_SERVED_RECORD_CHARS_MAX) -> str:
    over = len(text) - chars_max
    return text if over <= 0 else f"{text[:chars_max]}… ({over} more characters)"
