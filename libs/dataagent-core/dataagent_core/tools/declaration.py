"""What a tool from elsewhere declares of itself that a person must hear of before it runs.

A tool says it in its metadata: `effect_metadata("irreversible")`, `approval_metadata()`, or the
`destructiveHint` that adapters of MCP servers write there. Whoever handed the tool in wants it to
be used; that is no answer to what the tool says of one call. Built-in tools have defaults of their
own, and a composition is asked about member by member.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from langchain_core.tools import BaseTool

from dataagent_core.hitl import ActionRequest
from dataagent_core.tools.definition.tool_origin import (
    BUILT_IN,
    COMPOSED,
    describe_outside,
    is_once_only,
    read_origin,
)
from dataagent_core.tools.effects import MILD_EFFECTS, read_stated_effect
from dataagent_core.tools.pipeline.agent_call import AgentCall

_APPROVAL_KEY: Final = "needs_approval"
# The second is how the protocol and older objects of it write the first.
_HINT_KEYS: Final = ("destructive_hint", "destructiveHint")


@dataclass(frozen=True, slots=True)
class Declaration:
    """Why a person is asked; `once_only`: for each call anew, an "always" is not offered."""

    reason: str
    once_only: bool = False


def make_action_request(call: AgentCall, tool: BaseTool) -> ActionRequest:
    """Put a call of this tool as a question to a person."""
    action = call.action_request()
    describe_outside(action, tool)
    declared = read_declaration(tool)
    if declared is not None:
        action["declared"] = declared.reason
        if declared.once_only:
            action["once_only"] = True
    return action


def approval_metadata() -> dict[str, bool]:
    """Give what a tool's `metadata` must hold to have every call approved by a person."""
    return {_APPROVAL_KEY: True}


def read_declaration(tool: BaseTool) -> Declaration | None:
    """Read what a tool says of itself; None where nothing in it asks for a person.

    What cannot be read counts as said: an effect nobody knows is no harmless one.
    """
    origin = read_origin(tool)
    if origin in {BUILT_IN, COMPOSED}:
        return None
    metadata = tool.metadata or {}
    if metadata.get(_APPROVAL_KEY):
        return Declaration("the tool says that every call needs approval", once_only=True)
    if is_once_only(tool) or _is_destructive(metadata):
        return Declaration("the tool says that it is destructive", once_only=True)
    effect = read_stated_effect(tool)
    if origin.startswith("mcp:") or effect is None or effect in tuple(MILD_EFFECTS):
        return None
    return Declaration(f"the tool says that it is {effect!s:.50}")


def _is_destructive(metadata: Mapping[str, Any]) -> bool:
    """Look for the hint in the metadata and its annotations, a mapping or the protocol's object."""
    annotations: object = metadata.get("annotations")
    if not isinstance(annotations, Mapping):
        # The first it has: libraries warn, or fail, when the older one is read as well.
        key = next((key for key in _HINT_KEYS if hasattr(annotations, key)), "")
        annotations = {key: getattr(annotations, key)} if key else {}
    places = (metadata, cast("Mapping[str, Any]", annotations))
    return any(_is_said(place.get(key)) for place in places for key in _HINT_KEYS)


def _is_said(value: object) -> bool:
    return value not in (None, False, 0, "") and str(value).lower() not in {"false", "no", "0"}
