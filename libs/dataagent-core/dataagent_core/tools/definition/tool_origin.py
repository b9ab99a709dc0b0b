"""Where a tool comes from: `built-in`, `extra`, `composition` or `mcp:<server>`.

`extra` is what a program handed in, `composition` what is made of other tools. It stands in the
tool's metadata beside its effect, so that it travels with the tool.
"""

from typing import Final, NewType

from langchain_core.tools import BaseTool

ToolOrigin = NewType("ToolOrigin", str)

BUILT_IN: Final = ToolOrigin("built-in")
EXTRA: Final = ToolOrigin("extra")
COMPOSED: Final = ToolOrigin("composition")

_ORIGIN_KEY = "origin"


def make_mcp_origin(server: str) -> ToolOrigin:
    """Name an MCP server as the origin of its tools."""
    return ToolOrigin(f"mcp:{server}")


def make_origin_metadata(origin: ToolOrigin) -> dict[str, str]:
    """Give what a tool's `metadata` must hold to state its origin."""
    return {_ORIGIN_KEY: origin}


def read_origin(tool: BaseTool) -> ToolOrigin:
    """Read a tool's origin; one that states none was handed in."""
    stated = (tool.metadata or {}).get(_ORIGIN_KEY)
    return ToolOrigin(stated) if isinstance(stated, str) else EXTRA
