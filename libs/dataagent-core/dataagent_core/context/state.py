"""What the context adds to the agent's state: how the history is shown, and what a turn cost."""

from typing import Annotated, Any, NotRequired

from langchain.agents.middleware.types import AgentState, PrivateStateAttr

RECORD_KEY = "context_record"
REPORT_KEY = "context_report"


class ContextState(AgentState[Any]):
    """Both are plain values: a checkpoint holds them, and another version may read them."""

    context_record: NotRequired[Annotated[dict[str, Any], PrivateStateAttr]]
    context_report: NotRequired[Annotated[dict[str, Any], PrivateStateAttr]]
