"""Serves a house over standard input and output, for a client that started this process.

The library moves the real output away first: whatever else prints reaches standard error.
"""

from dataagent_core.mcp.server.build_server import build_server
from dataagent_core.mcp.server.ports import MCPServices


async def serve_stdio(house: MCPServices) -> None:
    """Serve until the client closes our input."""
    await build_server(house).run_stdio_async(show_banner=False)
