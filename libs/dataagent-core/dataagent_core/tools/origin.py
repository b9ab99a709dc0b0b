"""Where a tool comes from: `built-in`, `extra`, `composition` or `mcp:<server>`.

`extra` is what a program handed in, `composition` what is made of other tools. It stands in the
tool's metadata beside its effect, so that it travels with the tool.
"""

from typing import Final, NewType

from langchain_core.tools import BaseTool

Origin = NewType("Origin", str)

BUILT_IN: Final = Origin("built-in")
EXTRA: Final = Origin("extra")
COMPOSED: Final = Origin("composition")

_ORIGIN_KEY = "origin"


def mcp_origin(server: str) -> Origin:
    """Name an MCP server as the origin of its tools."""
    return Origin(f"mcp:{server}")


def origin_metadata(origin: Origin) -> dict[str, str]:
    """Give what a tool's `metadata` must hold to state its origin."""
    return {_ORIGIN_KEY: origin}


def origin_of(tool: BaseTool) -> Origin:
    """Read a tool's origin; one that states none was handed in."""
    stated = (tool.metadata or {}).get(_ORIGIN_KEY)
    return Origin(stated) if isinstance(stated, str) else EXTRA
