"""Which sub-agents can work: those that are enabled and have the tools they need."""

from collections.abc import Collection

from dataagent_core.subagents.subagent import SubAgent


def find_unavailable_reason(subagent: SubAgent, tools: Collection[str]) -> str | None:
    """Say why a sub-agent cannot work with these tools, even when it is asked for by name."""
    if not subagent.enabled:
        return "it is disabled."
    missing = [name for name in subagent.requires_tools if name not in tools]
    if missing:
        return f"it needs the tools {', '.join(missing)}, which this agent does not have."
    return None
