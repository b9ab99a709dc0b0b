"""Which skills an agent can follow: those whose tools it has."""

from collections.abc import Collection

from dataagent_core.skills.skill import Skill

_OF_SERVERS = "mcp__"


def has_its_tools(skill: Skill, tools: Collection[str]) -> bool:
    """Say whether an agent with these tools can follow a skill.

    Tools of MCP servers may come with any run.
    """
    return all(name in tools or name.startswith(_OF_SERVERS) for name in skill.requires_tools)
