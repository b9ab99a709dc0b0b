"""Whether the tools that a sub-agent names exist on this server. Pure.

Which of them a run really has is known only in the run: MCP servers bring tools of their own.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from dataagent_core.permissions.foreign_tools import OWN_TOOLS
from dataagent_core.skills.tool_names import is_known_tool
from dataagent_core.subagents import SubAgent
from dataagent_core.subagents.availability import find_unavailable_reason

_MCP_PREFIX: Final = "mcp__"


@dataclass(frozen=True, slots=True)
class SubAgentProblems:
    """Why a sub-agent is not used, and what it names in vain."""

    unavailable: str | None = None
    warnings: tuple[str, ...] = ()


def find_problems(subagent: SubAgent, withheld_tools: frozenset[str]) -> SubAgentProblems:
    """Find what is missing for people whose agents do not get the withheld tools."""
    # Whether it is switched off is said elsewhere.
    switched_on = replace(subagent, enabled=True)
    tools = list_possible_tools([subagent], withheld_tools)
    unknown = [name for name in subagent.allowed_tools or () if not is_known_tool(name)]
    return SubAgentProblems(
        find_unavailable_reason(switched_on, tools),
        (
            *subagent.warnings,
            *(f"'allowed_tools' names {name!r}, which no tool here is called." for name in unknown),
        ),
    )


def list_possible_tools(
    subagents: Iterable[SubAgent], withheld_tools: frozenset[str]
) -> frozenset[str]:
    """List the tools that an agent here may have, with those of servers that one of these needs."""
    of_servers = (
        name for one in subagents for name in one.requires_tools if name.startswith(_MCP_PREFIX)
    )
    return OWN_TOOLS.difference(withheld_tools).union(of_servers)
