"""What a caller holds of a server: cheap to make, and of no weight while nothing is asked."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.connections.call import Call
from dataagent_core.mcp.connections.calling import ToolCall
from dataagent_core.mcp.connections.key import Key
from dataagent_core.mcp.connections.lines import Lines
from dataagent_core.mcp.ports import Elicit, OnProgress, ServerStatus

if TYPE_CHECKING:
    from mcp_types import CallToolResult, Tool


@dataclass(frozen=True, slots=True)
class ServerConnection:
    """One server as one owner sees it; `ports.Connection` with two more arguments."""

    key: Key
    config: MCPServerConfig
    lines: Lines

    @property
    def status(self) -> ServerStatus:
        return self.lines.status(self.key)

    async def tools(self, *, fresh: bool = False) -> "tuple[Tool, ...]":
        """List its tools; only `fresh` starts a server whose tools are known from before.

        `fresh` asks it in any case, also one that failed a moment ago.
        """
        return await self.lines.of(self.key, self.config).tools(fresh=fresh)

    async def call(
        self,
        tool: str,
        arguments: dict[str, Any],
        *,
        timeout_s: float,
        on_progress: OnProgress | None = None,
        elicit: Elicit | None = None,
        expected: "Tool | None" = None,
    ) -> "CallToolResult":
        """Call a tool; with `expected`, only if it is still described as the caller knows it."""
        line = self.lines.of(self.key, self.config)
        call = ToolCall(line, tool, arguments, timeout_s, expected)
        return await call.result(Call(on_progress, elicit))
