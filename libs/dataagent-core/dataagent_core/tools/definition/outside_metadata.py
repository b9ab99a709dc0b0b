"""What a tool from outside says of itself for a permission: metadata that travels with the tool.

Such a tool is described by somebody else, who may change it under its name at any time. So it
carries the version an answer counts for, and how it is put to a person.
"""

from typing import Any

from langchain_core.tools import BaseTool

from dataagent_core.hitl import ActionRequest

_OUTSIDE_KEY = "outside"


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
