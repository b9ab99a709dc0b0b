"""What a tool from outside says of itself for a permission: metadata that travels with the tool.

Such a tool is described by somebody else, who may change it under its name at any time. So it
carries the version an answer counts for, and how it is put to a person.
"""

from typing import Any

from langchain_core.tools import BaseTool

from dataagent_core.hitl import ActionRequest
from dataagent_core.tools.call import Call

_OUTSIDE_KEY = "outside"


def outside_metadata(*, version: str, shown_as: str, once_only: bool) -> dict[str, Any]:
    """Give what a tool's `metadata` must hold; `shown_as` says whose tool it is, in a sentence."""
    return {_OUTSIDE_KEY: {"version": version, "shown_as": shown_as, "once_only": once_only}}


def version_of(tool: BaseTool) -> str:
    """Read the version an answer about this tool counts for; our own tools have none."""
    match (tool.metadata or {}).get(_OUTSIDE_KEY):
        case {"version": str(version)}:
            return version
        case _:
            return ""


def action_of(call: Call, tool: BaseTool) -> ActionRequest:
    """Put a call of this tool as a question to a person."""
    action = call.action_request()
    match (tool.metadata or {}).get(_OUTSIDE_KEY):
        case {"version": str(version), "shown_as": str(shown_as), "once_only": bool(once_only)}:
            action["version"] = version
            action["description"] = f"{action['description']}\n{shown_as}"
            if once_only:
                action["once_only"] = True
        case _:
            pass
    return action
