"""What tests of MCP servers that are programs share: the small server, openers, and counts."""

import asyncio
import gc
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
from mcp import Client
from mcp_types import TextContent

from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.ports import OpenTransport
from dataagent_core.mcp.transports.open import transport_opener
from dataagent_core.mcp.transports.place import StdioPlace

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
    return transport_opener(place=StdioPlace(folder=folder, **changes))


async def called(client: Client, tool: str, **arguments: Any) -> str:
    """Call a tool and give its text."""
    result = await client.call_tool(tool, arguments)
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def descriptors() -> int:
    """Count our open descriptors, but for those that only wait for the collector."""
    gc.collect()
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - quick


def descendants() -> set[int]:
    """List the processes we started and they started."""
    return {child.pid for child in psutil.Process().children(recursive=True)}


async def becomes(true: Callable[[], bool], within_s: float = 90.0) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + within_s
    while not true():
        assert time.monotonic() < deadline, "it never came to be"
        await asyncio.sleep(0.01)
