"""How the runs of a session plan (S2 §13); what one message says is core's `MessagePlanning`."""

from pydantic import BaseModel, Field

from dataagent_core.config.limits.planning import CONCURRENT_STEPS_MAX, PLANNING_TIMEOUT_MS_MAX
from dataagent_core.planning.plan_terms import Loop
from dataagent_server.api.limits import PLANNING_TIMEOUT_MS_MIN


class SessionPlanning(BaseModel):
    """S2's columns of a conversation; the defaults leave it to the agent and the settings."""

    agent_mode: Loop = Field(
        default="react",
        description="The loop of its runs; how much the agent does by itself is `mode`",
    )
    enable_workflow_learning: bool = Field(
        default=True, description="Whether patterns are learnt from its runs"
    )
    max_concurrent_steps: int = Field(
        default=5,
        ge=1,
        le=CONCURRENT_STEPS_MAX,
        description="Steps of a plan that go on side by side",
    )
    planning_timeout_ms: int = Field(
        default=5_000,
        ge=PLANNING_TIMEOUT_MS_MIN,
        le=PLANNING_TIMEOUT_MS_MAX,
        description="How long planning may take; after that the run works without a plan",
    )
