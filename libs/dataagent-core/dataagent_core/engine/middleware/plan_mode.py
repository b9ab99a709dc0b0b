"""Tells the model that the session is in plan mode, and offers it the tool `propose_plan`.

In the other modes a request does not mention modes, so that a provider's cache of it stays valid;
only with a message of several steps there is `plan_enter`, which proposes plan mode.
For the same reason the notice is at the end of the system message. `permissions/mode.py` enforces
that nothing is changed.
"""

from collections.abc import Sequence
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.tools import BaseTool

from dataagent_core.config.prompts import PLAN_MODE_NOTICE, PLAN_MODE_NOTICE_OF_SUBAGENT
from dataagent_core.engine.loops.plan_middleware import suggests_steps
from dataagent_core.engine.middleware.middleware_chain import ModelHandler
from dataagent_core.models.system_message import append_to_system
from dataagent_core.permissions.mode import PLAN_ENTER, PROPOSE_PLAN
from dataagent_core.runs import RunContext, run_context
from dataagent_core.tools.conversation.plan_entry import make_plan_entry
from dataagent_core.tools.conversation.plan_proposal import make_plan_proposal


class PlanModeMiddleware(AgentMiddleware[Any, Any, Any]):
    """Wraps the model calls of an agent; a sub-agent gets a notice but no tool.

    So does a background task: it follows the mode of the conversation that started it.
    """

    def __init__(self, *, subagent: bool = False) -> None:
        super().__init__()
        self.tools: Sequence[BaseTool] = (
            [] if subagent else [make_plan_proposal(), make_plan_entry()]
        )
        self._is_subagent = subagent

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: ModelHandler
    ) -> ModelResponse[Any]:
        context = run_context(request.runtime)
        await context.permissions.update_mode()
        is_delegated = self._is_subagent or context.message.background is not None
        if context.permissions.mode == "plan":
            notice = PLAN_MODE_NOTICE_OF_SUBAGENT if is_delegated else PLAN_MODE_NOTICE
            system_message = append_to_system(request.system_message, notice)
            request = request.override(system_message=system_message)
        shown = None if is_delegated else _choose_tool(request, context)
        hidden = {PROPOSE_PLAN, PLAN_ENTER} - {shown}
        others = [t for t in request.tools if isinstance(t, dict) or t.name not in hidden]
        return await handler(request.override(tools=others))


def _choose_tool(request: ModelRequest[Any], context: RunContext) -> str | None:
    """Return the tool for the way out of plan mode, or for the way in."""
    if context.permissions.mode == "plan":
        return PROPOSE_PLAN
    return PLAN_ENTER if suggests_steps(request.state) else None
