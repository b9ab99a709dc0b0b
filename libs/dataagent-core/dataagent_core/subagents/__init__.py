"""Sub-agents: specialists that an agent delegates to (S2 §9)."""

from dataagent_core.subagents.built_in_subagents import built_in_subagents
from dataagent_core.subagents.subagent import (
    AgentColor,
    SubAgent,
    SubAgentTrigger,
)
from dataagent_core.subagents.subagent_file import parse_subagent, render_subagent
from dataagent_core.subagents.subagent_folder import SubAgentSet, load_subagents

__all__ = [
    "AgentColor",
    "SubAgent",
    "SubAgentSet",
    "SubAgentTrigger",
    "built_in_subagents",
    "load_subagents",
    "parse_subagent",
    "render_subagent",
]
