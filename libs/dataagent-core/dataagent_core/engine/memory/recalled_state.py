"""What a run has of memory, as it stands in the state of its graph."""

from typing import Annotated, Any, Final, NotRequired, TypedDict

from langchain.agents.middleware.types import AgentState, PrivateStateAttr

from dataagent_core.permissions.tool_groups import GROUPS

MEMORY_STATE: Final = "recalled_memory"


class Recalled(TypedDict):
    """Whether anything is remembered, and which memories the run is told of."""

    has_any: bool
    memory_ids: list[str]


class RecalledState(AgentState[Any]):
    """What the recall adds to the agent's state."""

    recalled_memory: NotRequired[Annotated[Recalled, PrivateStateAttr]]


def list_idle_tools(state: Any) -> frozenset[str]:
    """List the tools that have nothing to work on in a run, and are not spoken of in it."""
    recalled: Recalled | None = state.get(MEMORY_STATE)
    has_none = recalled is not None and not recalled["has_any"]
    return GROUPS["memory"] if has_none else frozenset()
