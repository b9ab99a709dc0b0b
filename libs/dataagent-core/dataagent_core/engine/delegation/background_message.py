"""Gives the message of a background run to its sub-agent, without a model call of the agent itself.

The agent's first turn is the `task` call, its last one the sub-agent's report, so that a background
task costs what its sub-agent costs. A task for the general sub-agent is done by the agent itself,
unless somebody has defined one of that name. Every agent has this middleware, also one that starts
no tasks: a task that it resumes is its sub-agent's, with what that may use.
"""

from collections.abc import Sequence
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.messages.tool import tool_call

from dataagent_core.engine.delegation.background_state import make_handover_id
from dataagent_core.engine.delegation.general_purpose import GENERAL_PURPOSE
from dataagent_core.engine.middleware.message_note import find_message
from dataagent_core.engine.middleware.middleware_chain import ModelHandler
from dataagent_core.errors import NotFoundError
from dataagent_core.permissions.tool_groups import TASK
from dataagent_core.runs import run_context
from dataagent_core.subagents import SubAgent


class BackgroundMessageMiddleware(AgentMiddleware[Any, Any, Any]):
    """Wraps the model calls of the agent itself, which has these named sub-agents."""

    def __init__(self, subagents: Sequence[SubAgent]) -> None:
        super().__init__()
        self._by_agent = {GENERAL_PURPOSE}.difference(one.name for one in subagents)

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: ModelHandler
    ) -> ModelResponse[Any]:
        context = run_context(request.runtime)
        background, run = context.message.background, context.run
        if background is None or background.subagent in self._by_agent or run.kind != "message":
            return await handler(request)
        messages = request.state["messages"]
        asked = find_message(messages, run.message_id)
        if asked is None:
            raise NotFoundError("the message of this background task is missing. Start it again.")
        report = next((m for m in messages[asked + 1 :] if isinstance(m, ToolMessage)), None)
        if report is not None:
            answer = AIMessage(report.text, id=f"report-{run.run_id}")
            return ModelResponse(result=[answer])
        args = {"description": messages[asked].text, "subagent_type": background.subagent}
        # The ids are the same after a crash, and so is the key of the call.
        call = tool_call(name=TASK, args=args, id=make_handover_id(run.run_id))
        return ModelResponse(result=[AIMessage("", id=f"task-{run.run_id}", tool_calls=[call])])
