"""What a skill or sub-agent waits for: tools it needs that come with a later version."""

from collections.abc import Sequence

from dataagent_cli.messages import Messages
from dataagent_core.permissions.foreign_tools import PLANNED_TOOLS


def say_missing_tools(say: Messages, requires_tools: Sequence[str]) -> str:
    """Name the tools; empty where nothing is missing."""
    missing = ", ".join(name for name in requires_tools if name in PLANNED_TOOLS)
    return say("needs_tools", tools=missing) if missing else ""
