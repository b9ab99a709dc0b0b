"""How runs plan: of a session, and of one message (S2 §13)."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from dataagent_server.api.limits import (
    CONCURRENT_STEPS_MAX,
    PLANNING_TIMEOUT_MS_MAX,
    PLANNING_TIMEOUT_MS_MIN,
)
from dataagent_server.api.models.base import RequestModel
from dataagent_server.stores.session_planning import LoopName

_ConcurrentSteps = Annotated[
    int,
    Field(ge=1, le=CONCURRENT_STEPS_MAX, description="Steps of a plan that go on side by side"),
]
_PlanningTimeout = Annotated[
    int,
    Field(
        ge=PLANNING_TIMEOUT_MS_MIN,
        le=PLANNING_TIMEOUT_MS_MAX,
        description="How long planning may take; after that the run works without a plan",
    ),
]


class SessionPlanning(BaseModel):
    """S2's columns of a conversation."""

    agent_mode: LoopName = Field(
        default="react",
        description="The loop of its runs; how much the agent does by itself is `mode`",
    )
    enable_workflow_learning: bool = Field(
        default=True, description="Whether patterns are learnt from its runs"
    )
    max_concurrent_steps: _ConcurrentSteps = 5
    planning_timeout_ms: _PlanningTimeout = 5_000


class MessagePlanning(RequestModel):
    """How one message is planned; what is left out is as in its session."""

    loop: LoopName | None = None
    mode: Literal["auto", "always", "never"] | None = Field(
        default=None, description="Whether a plan is made: if the message is complex, or regardless"
    )
    max_concurrent_steps: _ConcurrentSteps | None = None
    planning_timeout_ms: _PlanningTimeout | None = None


def planning_of(given: MessagePlanning | None) -> dict[str, Any]:
    """Return what a message says of its planning, as it is stored with it."""
    return {} if given is None else given.model_dump(exclude_none=True)
