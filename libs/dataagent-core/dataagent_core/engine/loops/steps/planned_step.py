"""A step of a plan while it is worked on by one call: its events around the call.

A step that has ended does not begin again: after a crash its call is answered with what came of
it. One that only reads is made once more: its receipt, and that this process has read something,
are not in the end of a step.
"""

import time
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import ToolMessage
from langgraph.prebuilt.tool_node import ToolCallRequest

from dataagent_core.engine.delegation.subagent_report import read_report
from dataagent_core.engine.delegation.task_tool import TIMED_OUT_KEY
from dataagent_core.engine.loops.run_plan import RunPlan
from dataagent_core.engine.loops.steps.left_out import is_left_out
from dataagent_core.engine.loops.steps.step_events import (
    LEFT_OUT,
    LEFT_OUT_OF_LOOP,
    make_end,
    make_start,
)
from dataagent_core.engine.middleware.middleware_chain import ToolHandler
from dataagent_core.events.plan import StepEndStatus
from dataagent_core.planning.work_plan import StepStatus
from dataagent_core.tools.effects import read_effect
from dataagent_core.tools.pipeline.agent_call import read_call
from dataagent_core.tools.pipeline.outcome import find_message


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """One step of the run's plan, by its number."""

    plan: RunPlan
    number: int

    async def work(self, request: ToolCallRequest, handler: ToolHandler) -> Any:
        """Let the sub-agent work, and write down the beginning and the end."""
        context = self.plan.context
        plan = await self.plan.look()
        step = None if plan is None else plan.find(self.number)
        if plan is None or step is None:
            return await handler(request)
        ended = self.plan.facts.ended.get(self.number)
        only_reads = request.tool is not None and read_effect(request.tool) == "pure"
        if ended is not None and ended.status == "completed" and only_reads:
            return await handler(request)
        if ended is not None:
            return self._answer(request, ended.result, failed=ended.status in {"failed", "timeout"})
        agent = str(request.tool_call["args"].get("subagent_type", ""))
        if step.status is not StepStatus.SKIPPED:
            await context.recorder.commit(make_start(plan.id, step, agent))
            # What a person left out before the beginning was written does not begin.
            plan = await self.plan.look() or plan
            step = plan.find(self.number) or step
        if step.status is StepStatus.SKIPPED:
            return await self._leave_out(request)
        return await self._delegate(request, handler, agent)

    async def _delegate(self, request: ToolCallRequest, handler: ToolHandler, agent: str) -> Any:
        context, key = self.plan.context, read_call(request).key
        if await is_left_out(self.plan, self.plan.since, key):
            context.progress.left_out.add(key)
        began_s = time.perf_counter()
        returned = await handler(request)
        message = find_message(returned, request.tool_call["id"] or "")
        status = _read_status(message)
        if key in context.progress.left_out:
            status, returned = "skipped", self._answer(request, LEFT_OUT_OF_LOOP)
            message = returned
        # Over all attempts, without the time a person took to answer.
        worked_s = context.progress.worked_s.get(key, time.perf_counter() - began_s)
        end = make_end(
            context.run.run_id,
            self.number,
            status,
            read_report(agent, message.text),
            duration_ms=round(worked_s * 1000),
            used=context.account.by_subagent.get(key),
        )
        await context.recorder.commit(end)
        return returned

    async def _leave_out(self, request: ToolCallRequest) -> ToolMessage:
        if self.number in self.plan.facts.begun:
            end = make_end(self.plan.context.run.run_id, self.number, "skipped", LEFT_OUT)
            await self.plan.context.recorder.commit(end)
        return self._answer(request, LEFT_OUT)

    def _answer(self, request: ToolCallRequest, text: str, *, failed: bool = False) -> ToolMessage:
        call = request.tool_call
        return ToolMessage(
            content=text,
            name=call["name"],
            tool_call_id=call["id"] or "",
            status="error" if failed else "success",
        )


def _read_status(message: ToolMessage) -> StepEndStatus:
    if message.status != "error":
        return "completed"
    return "timeout" if message.additional_kwargs.get(TIMED_OUT_KEY) else "failed"
