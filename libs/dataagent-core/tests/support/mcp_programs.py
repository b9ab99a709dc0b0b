"""What tests of MCP servers that are programs share: the small server, openers, and counts."""

import sys
from pathlib import Path
from typing import Any

from mcp import Client
from mcp_types import TextContent

from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.ports import OpenTransport
from dataagent_core.mcp.transports.open import transport_opener
from dataagent_core.mcp.transports.program.program_policy import ProgramPolicy

SMALL_SERVER = str(Path(__file__).with_name("mcp_small_server.py"))
ANA = Owner("tenant", "ana")


def small(*words: str, **changes: Any) -> MCPServerConfig:
    """Configure the small server, started with these words."""
    given: dict[str, Any] = {
        "name": "small",
        "command": sys.executable,
        "args": [SMALL_SERVER, *words],
    }
    return MCPServerConfig(**{**given, **changes})


def opener(folder: Path, **changes: Any) -> OpenTransport:
    """Give an opener of programs that keep their homes in a folder."""
    return transport_opener(policy=ProgramPolicy(folder=folder, **changes))


async def called(client: Client, tool: str, **arguments: Any) -> str:
    """Call a tool and give its text."""
    result = await client.call_tool(tool, arguments)
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text
