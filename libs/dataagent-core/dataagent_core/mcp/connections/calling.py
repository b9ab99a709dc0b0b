"""Calls a tool on a line, and says what became of the call when there is no result.

A call that was sent is never sent again by itself: nobody knows whether the server did it.
"""

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dataagent_core.config.mcp_limits import MCP_MESSAGE_BYTES_MAX
from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.connections.call import Call, CallLateError
from dataagent_core.mcp.connections.failures import doubt, late, refusal
from dataagent_core.mcp.connections.line import Line
from dataagent_core.mcp.connections.reasons import shortened

if TYPE_CHECKING:
    from mcp_types import CallToolResult, Tool

    from dataagent_core.mcp.connections.live import Live

_UNSURE = "; whether it was done is unknown"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """Which tool, with what, and for how long at most."""

    line: Line
    tool: str
    arguments: dict[str, Any]
    timeout_s: float
    # The tool as the caller knows it; a tool that is another one by now is not called.
    expected: "Tool | None" = None

    async def result(self, call: Call) -> "CallToolResult":
        self._check_arguments()
        live = await self.line.opened()
        with self.line.using(live, call):
            return await self._outcome(live, call)

    async def _outcome(self, live: "Live", call: Call) -> "CallToolResult":
        from mcp.shared.exceptions import MCPError
        from pydantic import ValidationError

        try:
            await live.relisted(self.line.config.timeout, only_if_stale=True)
            self._check_tool(live)
            result = await live.call(call, self.tool, self.arguments, self.timeout_s)
        except CallLateError:
            doubt(self.line, live)
            raise late(self.line, live, self._what, self.timeout_s, _UNSURE) from None
        except asyncio.CancelledError:
            doubt(self.line, live)
            raise
        except MCPError as error:
            raise await refusal(self.line, live, error, self._what, _UNSURE) from None
        except ValidationError as error:
            raise self._problem(
                f"answered the call of {self.tool!r} with something that is no valid result:"
                f" {shortened(str(error))}"
            ) from None
        self.line.standing.answered()
        return result

    @property
    def _what(self) -> str:
        return f"the call of {self.tool!r}"

    def _check_arguments(self) -> None:
        try:
            size = len(json.dumps(self.arguments, ensure_ascii=False, allow_nan=False).encode())
        except (TypeError, ValueError) as error:
            raise self._problem(
                f"was not called: the arguments of {self.tool!r} are no JSON ({error})."
            ) from None
        if size > MCP_MESSAGE_BYTES_MAX:
            raise self._problem(
                f"was not called: the arguments of {self.tool!r} take {size:,} bytes; at most"
                f" {MCP_MESSAGE_BYTES_MAX:,} can be sent."
            )

    def _check_tool(self, live: "Live") -> None:
        now = next((tool for tool in live.tools if tool.name == self.tool), None)
        if now is None:
            names = shortened(", ".join(tool.name for tool in live.tools)) or "none"
            raise self._problem(f"has no tool {self.tool!r} (any more). It has: {names}.")
        if self.expected is not None and now != self.expected:
            raise self._problem(
                f"changed its tool {self.tool!r} since it was listed, so it was not called. Look at"
                " what it says now, and call it again."
            )

    def _problem(self, text: str) -> MCPServerError:
        return MCPServerError(self.line.key.server, text)
