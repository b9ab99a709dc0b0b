"""What happens around every tool call, of the agent and of every sub-agent, in this order.

    finished before? > may it run? (`admission.py`) > run it and write it down (`execution.py`)

A composition's members go through the same three, one by one.
"""

import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware
from langchain_core.messages import ToolCall, ToolMessage
from langgraph.prebuilt.tool_node import ToolCallRequest

from dataagent_core.permissions import Policy
from dataagent_core.runs import RunContext, run_context
from dataagent_core.tools.composition.composition_run import run_composition
from dataagent_core.tools.composition.composition_store import CompositionStore
from dataagent_core.tools.composition.definition import ToolComposition
from dataagent_core.tools.composition.execution_count import ExecutionCounter
from dataagent_core.tools.composition.member_calls import (
    RUNS_MEMBERS,
    MemberCall,
    MemberGate,
    open_gate,
)
from dataagent_core.tools.file_tracker import FileSource
from dataagent_core.tools.files.file_probe import FileProbe
from dataagent_core.tools.pipeline.admission import Admission
from dataagent_core.tools.pipeline.agent_call import AgentCall, read_call, with_workspace_paths
from dataagent_core.tools.pipeline.call_forecast import Forecasters
from dataagent_core.tools.pipeline.execution import BoundOutput, CallExecution
from dataagent_core.tools.pipeline.hooks import Refusal
from dataagent_core.tools.pipeline.outcome import ToolReturn, find_message, unpack
from dataagent_core.tools.registry import ToolRegistry
from dataagent_core.tools.shell.shell_look import LookOutcome, ShellLook
from dataagent_core.tools.workspace_history.call_watch import CallWatch

Handler = Callable[[ToolCallRequest], Awaitable[Any]]


class ToolPipeline(AgentMiddleware[Any, Any, Any]):
    """The guard around tool calls."""

    def __init__(
        self,
        policy: Policy,
        registry: ToolRegistry,
        backend: FileSource,
        bound: BoundOutput,
        *,
        watch: CallWatch | None = None,
        probe: FileProbe | None = None,
        forecasters: Forecasters | None = None,
        shell_look: ShellLook | None = None,
        compositions: CompositionStore | None = None,
    ) -> None:
        super().__init__()
        self.registry = registry
        self._compositions = compositions
        self.policy = policy
        self._admission = Admission(policy, registry, probe, forecasters or {}, shell_look)
        self._execution = CallExecution(backend, bound, registry, watch, probe)

    async def awrap_tool_call(self, request: ToolCallRequest, handler: Handler) -> Any:
        context = run_context(request.runtime)
        call = with_workspace_paths(read_call(request), self.policy.place)
        finished = _finished(call, context)
        if finished is not None:
            return finished
        answer = await self._admission.admit(call, context)
        if isinstance(answer, Refusal):
            return await self._execution.refuse(call, context, answer)

        async def invoke(admitted: AgentCall) -> Any:
            entry = self.registry.find(call.name)
            if entry.composition is not None:
                return await self._compose(entry.composition, admitted, request, handler)
            if self._runs_members(call.name):
                with open_gate(self._make_gate(admitted, request, handler)):
                    return await handler(_request_of(admitted, request))
            return await handler(_request_of(admitted, request))

        if answer.looked is not None:
            return await self._execution.conclude_look(
                answer.call, context, answer.looked, edited=answer.edited
            )
        return await self._execution.run(answer.call, context, invoke, edited=answer.edited)

    async def _compose(
        self,
        composition: ToolComposition,
        call: AgentCall,
        request: ToolCallRequest,
        handler: Handler,
    ) -> ToolMessage:
        gate = self._make_gate(call, request, handler)
        result = await gate.count(
            await run_composition(
                composition, call.args, call_id=call.call_id, run_tool=gate.run, admit=gate.admit
            )
        )
        return ToolMessage(
            content=result.text(),
            name=call.name,
            tool_call_id=call.call_id,
            artifact=result.artifact(),
            status="success" if result.succeeded else "error",
        )

    def _runs_members(self, name: str) -> bool:
        entry = self.registry.entries.get(name)
        if entry is None:
            return False
        return entry.composition is not None or bool((entry.tool.metadata or {}).get(RUNS_MEMBERS))

    def _make_gate(self, call: AgentCall, request: ToolCallRequest, handler: Handler) -> MemberGate:
        """Make what the members of a call pass: the same as every call."""
        context = run_context(request.runtime)
        looks: dict[str, LookOutcome] = {}
        counter = ExecutionCounter(self._compositions)

        def own(member: MemberCall) -> AgentCall:
            return replace(call, name=member.name, args=member.args, call_id=member.call_id)

        async def admit(member: MemberCall) -> MemberCall | Refusal:
            if self._runs_members(member.name):
                return Refusal(
                    f"{member.name} did not run: it runs tools itself, so it cannot be a step. "
                    "Call it yourself."
                )
            # One that ran before an interrupt is met again; if it was asked about, its answer is
            # taken again too, for LangGraph hands answers out in the order of the questions.
            if (
                own(member).key not in context.questions.asked
                and _finished(own(member), context) is not None
            ):
                return member
            answer = await self._admission.admit(
                with_workspace_paths(own(member), self.policy.place), context
            )
            if isinstance(answer, Refusal):
                return answer
            if answer.looked is not None:
                looks[own(member).key] = answer.looked
            return replace(member, args=answer.call.args)

        async def run(member: MemberCall) -> ToolMessage:
            finished = _finished(own(member), context)
            looked = looks.pop(own(member).key, None)
            if finished is None and looked is not None:
                finished = await self._execution.conclude_look(
                    own(member), context, looked, remembered=True
                )
            if finished is None:
                tool = self.registry.find(member.name).tool
                began = time.perf_counter()
                finished = await self._execution.run(
                    own(member),
                    context,
                    lambda admitted: handler(_request_of(admitted, request, tool=tool)),
                    remembered=True,
                )
                counter.measure(find_message(finished, member.call_id), member.name, began)
            return find_message(finished, member.call_id)

        return MemberGate(admit, run, counter.count)


def _finished(call: AgentCall, context: RunContext) -> ToolReturn | None:
    entry = context.journal.finished.get(call.key)
    return unpack(entry.payload) if entry is not None and entry.payload is not None else None


def _request_of(call: AgentCall, request: ToolCallRequest, **changes: Any) -> ToolCallRequest:
    tool_call = ToolCall(name=call.name, args=call.args, id=call.call_id, type="tool_call")
    runtime = replace(request.runtime, tool_call_id=call.call_id)
    return replace(request, tool_call=tool_call, runtime=runtime, **changes)
