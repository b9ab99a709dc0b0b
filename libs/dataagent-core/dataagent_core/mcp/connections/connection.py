"""What a caller holds of a server: cheap to make, and of no weight while nothing is asked."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.connections.call import Call
from dataagent_core.mcp.connections.calling import ToolCall
from dataagent_core.mcp.connections.content_request import ContentRequest
from dataagent_core.mcp.connections.key import Key
from dataagent_core.mcp.connections.lines import Lines
from dataagent_core.mcp.ports import (
    Elicit,
    OnProgress,
    PromptListing,
    ResourceListing,
    Sample,
    ServerStatus,
)

if TYPE_CHECKING:
    from mcp_types import CallToolResult, GetPromptResult, ReadResourceResult, Tool


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
        sample: Sample | None = None,
        expected: "Tool | None" = None,
    ) -> "CallToolResult":
        """Call a tool; with `expected`, only if it is still described as the caller knows it."""
        line = self.lines.of(self.key, self.config)
        call = ToolCall(line, tool, arguments, timeout_s, expected)
        return await call.result(Call(on_progress, elicit, sample))

    async def resources(self) -> ResourceListing:
        """List its resources and their templates."""
        request = self._request("the listing of its resources", self.config.timeout)
        return await request.result(lambda content: content.resources())

    async def read_resource(self, uri: str, *, timeout_s: float) -> "ReadResourceResult":
        """Read a resource by its URI."""
        request = self._request(f"the reading of {uri!r:.200}", timeout_s)
        return await request.result(lambda content: content.read(uri))

    async def prompts(self) -> PromptListing:
        """List its prompts."""
        request = self._request("the listing of its prompts", self.config.timeout)
        return await request.result(lambda content: content.prompts())

    async def get_prompt(
        self, name: str, arguments: dict[str, str], *, timeout_s: float
    ) -> "GetPromptResult":
        """Have a prompt filled in."""
        request = self._request(f"the prompt {name!r:.200}", timeout_s)
        return await request.result(lambda content: content.prompt(name, arguments))

    def _request(self, what: str, timeout_s: float) -> ContentRequest:
        return ContentRequest(self.lines.of(self.key, self.config), what, timeout_s)
