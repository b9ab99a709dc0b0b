"""Where a tool comes from: `built-in`, `extra`, `composition` or `mcp:<server>`.

`extra` is what a program handed in, `composition` what is made of other tools. It stands in the
tool's metadata beside its effect, so that it travels with the tool.

A tool from outside is described by somebody else, who may change it under its name at any time.
So its metadata also holds the version an answer counts for, and how it is put to a person.
"""

from typing import Any, Final, NewType

from langchain_core.tools import BaseTool

from dataagent_core.hitl import ActionRequest

ToolOrigin = NewType("ToolOrigin", str)

BUILT_IN: Final = ToolOrigin("built-in")
EXTRA: Final = ToolOrigin("extra")
COMPOSED: Final = ToolOrigin("composition")

_ORIGIN_KEY = "origin"
_OUTSIDE_KEY = "outside"


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


def make_outside_metadata(*, version: str, shown_as: str, once_only: bool) -> dict[str, Any]:
    """Give what a tool's `metadata` must hold; `shown_as` says whose tool it is, in a sentence."""
    return {_OUTSIDE_KEY: {"version": version, "shown_as": shown_as, "once_only": once_only}}


def read_version(tool: BaseTool) -> str:
    """Read the version an answer about this tool counts for; our own tools have none."""
    match (tool.metadata or {}).get(_OUTSIDE_KEY):
        case {"version": str(version)}:
            return version
        case _:
            return ""


def describe_outside(action: ActionRequest, tool: BaseTool) -> None:
    """Add to a question which version of whose tool it is about; ours say nothing."""
    match (tool.metadata or {}).get(_OUTSIDE_KEY):
        case {"version": str(version), "shown_as": str(shown_as)}:
            action["version"] = version
            action["description"] = f"{action['description']}\n{shown_as}"
        case _:
            pass


def is_once_only(tool: BaseTool) -> bool:
    """Say whether every call of this tool is asked about anew."""
    match (tool.metadata or {}).get(_OUTSIDE_KEY):
        case {"once_only": True}:
            return True
        case _:
            return False
