"""Which tools beyond the core a conversation has loaded, in the state of its graph."""

from collections.abc import Sequence
from typing import Annotated, Any, NotRequired

from langchain.agents.middleware.types import (
    AgentState,
    PrivateStateAttr,
)
from langchain_core.messages import AnyMessage, ToolMessage

LOADED_KEY = "loaded_tools"


def merge_loaded_names(known: Sequence[str] | None, added: Sequence[str] | None) -> list[str]:
    """Append what is new; parallel loads meet here."""
    return list(dict.fromkeys([*(known or ()), *(added or ())]))


class CatalogState(AgentState[Any]):
    """What the catalogue adds to the agent's state."""

    # The reducer stands last, where LangGraph looks for it.
    loaded_tools: NotRequired[Annotated[list[str], PrivateStateAttr, merge_loaded_names]]


def make_loaded_artifact(names: Sequence[str]) -> dict[str, list[str]]:
    """Note on a message what it loaded."""
    return {LOADED_KEY: list(names)}


def read_loaded_names(messages: Sequence[AnyMessage]) -> list[str]:
    """Read from earlier messages what they loaded."""
    names: list[str] = []
    for message in messages:
        artifact = message.artifact if isinstance(message, ToolMessage) else None
        found = artifact.get(LOADED_KEY) if isinstance(artifact, dict) else None
        names = merge_loaded_names(names, found if isinstance(found, list) else None)
    return names
