"""The time of the agent's own step while a tool works for it: a call that never ends does not last.

A sub-agent has a limit of its own, and is told to end in its own way; its calls are left alone.
So is the end of a step: what came of it is there, however late.
"""

import asyncio
from typing import Any, Final

from langchain_core.messages import ToolMessage
from langgraph.prebuilt.tool_node import ToolCallRequest

from dataagent_core.engine.loops.run_plan import RunPlan
from dataagent_core.engine.loops.steps.own_work import read_own_work
from dataagent_core.engine.loops.steps.step_events import find_own_start
from dataagent_core.engine.middleware.middleware_chain import ToolHandler
from dataagent_core.permissions.tool_groups import PLAN_TOOLS, TASK_TOOLS

_WITHOUT_LIMIT: Final = TASK_TOOLS | PLAN_TOOLS
_STOPPED: Final = (
    "{tool} was stopped, because the time of step {number} was up. Nobody knows how much of it was "
    "done."
)


async def call_in_time(
    plan: RunPlan, limit_s: float, request: ToolCallRequest, handler: ToolHandler
) -> Any:
    """Make a call; one of the agent's own step is stopped when the time of the step is up."""
    await plan.look()
    start = find_own_start(plan)
    if start is None or request.tool_call["name"] in _WITHOUT_LIMIT:
        return await handler(request)
    work = await read_own_work(plan, start)
    limit = asyncio.timeout(max(0.0, limit_s - work.worked_s))
    try:
        async with limit:
            return await handler(request)
    except TimeoutError:
        if not limit.expired():
            raise
    name = request.tool_call["name"]
    return ToolMessage(
        content=_STOPPED.format(tool=name, number=start.step_number),
        name=name,
        tool_call_id=request.tool_call["id"] or "",
        status="error",
    )
