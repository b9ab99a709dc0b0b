"""The sub-agent that every agent has: it may use all that the agent may, in its own context."""

from collections.abc import Callable
from typing import Final

from dataagent_core.engine.delegation.subagent_graph import SubAgentGraph, SubAgentParts
from dataagent_core.engine.delegation.task_tool import Delegate
from dataagent_core.subagents import SubAgent, SubAgentTrigger

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

# As a person may ask for it; the model has it in the description of its tool.
BY_NAME: Final = SubAgent(
    id=GENERAL_PURPOSE,
    name=GENERAL_PURPOSE,
    trigger=SubAgentTrigger(description=_DESCRIPTION),
    system_prompt=PROMPT,
    hidden=True,
)


def make_general_purpose(build: Callable[[], SubAgentParts]) -> Delegate:
    """Make the sub-agent as it is offered."""
    graph = SubAgentGraph(GENERAL_PURPOSE, build)
    return Delegate(
        name=GENERAL_PURPOSE, agent_id=GENERAL_PURPOSE, description=_DESCRIPTION, graph=graph
    )
