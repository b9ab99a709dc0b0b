"""Which skills an agent can follow: those whose tools it has."""

from collections.abc import Collection

from dataagent_core.permissions.tool_groups import MCP_PREFIX
from dataagent_core.skills.skill import Skill


def has_its_tools(skill: Skill, tools: Collection[str]) -> bool:
    """Say whether an agent with these tools can follow a skill."""
    return not list_missing_tools(skill, tools)


def list_missing_tools(skill: Skill, tools: Collection[str]) -> list[str]:
    """List the tools that a skill needs and an agent with these tools does not have.

    Tools of MCP servers may come with any run.
    """
    return [
        name
        for name in skill.requires_tools
        if name not in tools and not name.startswith(MCP_PREFIX)
    ]
