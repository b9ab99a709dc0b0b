"""What a skill or sub-agent waits for: tools it needs that no agent here has."""

from collections.abc import Sequence

from dataagent_cli.messages import Messages
from dataagent_core.permissions.foreign_tools import OWN_TOOLS
from dataagent_core.permissions.tool_groups import MCP_PREFIX


def say_missing_tools(say: Messages, requires_tools: Sequence[str]) -> str:
    """Name the tools; empty where nothing is missing. Any run may have tools of MCP servers."""
    missing = ", ".join(
        name for name in requires_tools if name not in OWN_TOOLS and not name.startswith(MCP_PREFIX)
    )
    return say("needs_tools", tools=missing) if missing else ""
