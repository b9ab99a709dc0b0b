"""Which tools are loaded: names in the order of loading, kept in the agent's state.

The order only grows at its end, so the schemas a provider has cached stay where they were. A run
begins with a fresh state and the messages of the run before it; what those loaded stays loaded.
"""

from collections.abc import Sequence
from typing import Annotated, Any, NotRequired

from langchain.agents.middleware.types import AgentState, PrivateStateAttr
from langchain_core.messages import AnyMessage, ToolMessage

LOADED_KEY = "loaded_tools"


def merged(known: Sequence[str] | None, added: Sequence[str] | None) -> list[str]:
    """Append what is new; parallel loads meet here."""
    return list(dict.fromkeys([*(known or ()), *(added or ())]))


class CatalogState(AgentState[Any]):
    """What the catalogue adds to the agent's state."""

    # The reducer stands last, where LangGraph looks for it.
    loaded_tools: NotRequired[Annotated[list[str], PrivateStateAttr, merged]]


def loaded_artifact(names: Sequence[str]) -> dict[str, list[str]]:
    """Note on a message what it loaded."""
    return {LOADED_KEY: list(names)}


def loaded_by(messages: Sequence[AnyMessage]) -> list[str]:
    """Read from earlier messages what they loaded."""
    names: list[str] = []
    for message in messages:
        artifact = message.artifact if isinstance(message, ToolMessage) else None
        found = artifact.get(LOADED_KEY) if isinstance(artifact, dict) else None
        names = merged(names, found if isinstance(found, list) else None)
    return names
