"""A step that a person leaves out while it is worked on: their answer to a loop warning in it.

The agent's own step ends at once. A sub-agent, and those it delegated to, are asked for nothing
more: their next turn is an empty answer.
"""

from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage

from dataagent_core.engine.loops.run_plan import RunPlan
from dataagent_core.engine.middleware.middleware_chain import ModelHandler
from dataagent_core.events import Event, HITLAnswerEvent, SubAgentEvent
from dataagent_core.hitl.answer_envelope import BY_NOBODY
from dataagent_core.runs import run_context
from dataagent_core.session import read_all


async def is_left_out(plan: RunPlan, after: int, task_id: str | None = None) -> bool:
    """Say whether a person left out the step of a task, or the agent's own, after an event."""
    run = plan.context.run
    events = await read_all(
        plan.log,
        run.session_id,
        after=after,
        run_id=run.run_id,
        types=("hitl_answer", "subagent"),
    )
    if task_id is None:
        return any(_leaves_out(event) and event.subagent_id is None for event in events)
    below = {task_id}
    for event in events:
        if isinstance(event, SubAgentEvent) and event.parent_id in below and event.subagent_id:
            below.add(event.subagent_id)
    return any(_leaves_out(event) and event.subagent_id in below for event in events)


def _leaves_out(event: Event) -> bool:
    return (
        isinstance(event, HITLAnswerEvent)
        and event.kind == "doom_loop"
        and event.by != BY_NOBODY
        and event.decision.get("type") == "skip"
    )


class LeftOutStep(AgentMiddleware[Any, Any, Any]):
    """Wraps the model calls of a sub-agent: for a step that is left out no model is asked."""

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: ModelHandler
    ) -> ModelResponse[Any]:
        context = run_context(request.runtime)
        task = context.subagent
        while task is not None:
            if task.id in context.progress.left_out:
                return ModelResponse(result=[AIMessage("")])
            task = task.parent
        return await handler(request)
