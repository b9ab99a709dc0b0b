"""A sub-agent as a row of the tenant: what a person said of it, and how it has done."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from dataagent_core.permissions import Rule
from dataagent_core.subagents import AgentColor, SubAgentTrigger


@dataclass(frozen=True, slots=True, kw_only=True)
class SubAgentDefinition:
    """What a person says of a sub-agent; None is the tenant's default (`agent_defaults.py`)."""

    name: str
    display_name: str = ""
    trigger: SubAgentTrigger
    system_prompt: str
    model: str | None = None
    color: AgentColor = "blue"
    # None: all that the agent itself may use.
    allowed_tools: tuple[str, ...] | None = None
    allowed_skills: tuple[str, ...] | None = None
    allowed_mcp_servers: tuple[str, ...] | None = None
    rules: tuple[Rule, ...] = ()
    # Without all of these it can do nothing.
    requires_tools: tuple[str, ...] = ()
    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    max_iterations: int | None = None
    hidden: bool = False
    enabled: bool = True
    version: str = "1.0.0"


@dataclass(frozen=True, slots=True, kw_only=True)
class SubAgentStatistics:
    """How a sub-agent has done, over all its invocations."""

    total_invocations: int = 0
    avg_execution_time_ms: float = 0.0
    success_rate: float = 1.0


NO_STATISTICS: Final = SubAgentStatistics()


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSubAgent:
    """A row; without a project it is the whole tenant's."""

    id: str
    project_id: str | None
    definition: SubAgentDefinition
    # Whether a built-in one has its name, which it replaces.
    is_override: bool
    created_by: str
    statistics: SubAgentStatistics = NO_STATISTICS
    created_at: datetime
    updated_at: datetime

    @property
    def name(self) -> str:
        """The name by which agents and people ask for it."""
        return self.definition.name
