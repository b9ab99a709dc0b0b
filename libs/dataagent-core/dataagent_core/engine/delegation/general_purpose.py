"""The sub-agent that every agent has: it may use all that the agent may, in its own context."""

from collections.abc import Callable
from typing import Final

from dataagent_core.engine.delegation.subagent_graph import SubAgentGraph, SubAgentParts
from dataagent_core.engine.delegation.task_tool import Delegate

GENERAL_PURPOSE: Final = "general-purpose"
_DESCRIPTION: Final = (
    "Works on one self-contained task with all your tools and its own context, and returns "
    "only the result. Use it for searches and long side work; start several at once when their "
    "tasks are independent."
)
PROMPT: Final = (
    "You are a sub-agent. Do exactly the task you are given with the tools you have, then answer "
    "with the result in full: whoever asked sees nothing else of your work."
)


def make_general_purpose(build: Callable[[], SubAgentParts]) -> Delegate:
    """Make the sub-agent as it is offered."""
    graph = SubAgentGraph(GENERAL_PURPOSE, build)
    return Delegate(
        name=GENERAL_PURPOSE, agent_id=GENERAL_PURPOSE, description=_DESCRIPTION, graph=graph
    )
