"""Serves our MCP server over standard input and output, for a client that started this process.

The real output is moved away first: whatever else prints goes to standard error.
"""

from dataagent_core.mcp.server.build_server import build_server
from dataagent_core.mcp.server.ports import MCPServices


async def serve_stdio(house: MCPServices) -> None:
    """Serve until the client closes our input."""
    await build_server(house).run_stdio_async(show_banner=False)
