"""FastMCP tools around the agent's own tools, and the gate that decides whether a call may run.

scope > arguments > `CallGate` > run within its time > answer (`call_results.py`)

The gate is the agent's own admission, with the person at the MCP client to ask. Rules allow, ask
and deny as they do for the agent. If a rule asks and the client cannot show a form, the call is
refused with the way to allow it; nothing is approved automatically.
"""

import asyncio
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from fastmcp.server.dependencies import get_context
from fastmcp.tools.base import InputRequiredToolResult, Tool, ToolResult
from langchain_core.messages import ToolCall, ToolMessage
from langchain_core.tools import BaseTool
from mcp_types import ToolAnnotations
from pydantic import BaseModel, PrivateAttr

from dataagent_core.errors import (
    DataAgentError,
    DeniedError,
    NoOneToAskError,
    RunTimeoutError,
    ToolExecutionError,
)
from dataagent_core.hitl import ActionRequest, Decision, bound, plain
from dataagent_core.mcp.server.call_results import answer_of, error_result, failure_of
from dataagent_core.mcp.server.file_content import content_of_files, files_in, pictures_in
from dataagent_core.mcp.server.form_request import (
    FormRequester,
    InputNeededError,
    decision_from,
    form_for,
)
from dataagent_core.mcp.server.ports import MCPCaller, MCPServices, MCPToolset
from dataagent_core.mcp.server.tool_table import ServedToolRow
from dataagent_core.permissions import RunPermissions, RunQuestions, judge
from dataagent_core.runs import RunContext
from dataagent_core.session import Run, RunRecorder
from dataagent_core.session.stores.memory import MemoryEventLog
from dataagent_core.tools.effects import Effect, read_effect
from dataagent_core.tools.pipeline.admission import Admission
from dataagent_core.tools.pipeline.agent_call import AgentCall
from dataagent_core.tools.pipeline.arguments import describe_wrong_arguments, find_argument_problems
from dataagent_core.tools.pipeline.hooks import Refusal

_QUESTIONS_MAX: Final = 4


class _PersonNeededError(Exception):
    def __init__(self, request: Mapping[str, Any]) -> None:
        super().__init__("a person must decide")
        self.request = request


@dataclass(frozen=True, slots=True)
class CallGate:
    """Decides whether the calls of one toolset may run."""

    toolset: MCPToolset
    requester: FormRequester
    # How long a forecast may take before `TimeoutError`.
    timeout_s: float

    async def admit(self, name: str, args: dict[str, Any]) -> AgentCall:
        """Return the admitted call, or raise the reason for its refusal."""
        # The same ids in every round: a person's answer is bound to them and the arguments.
        call = AgentCall(name=name, args=args, call_id="call", message_id="mcp", subagent=None)
        answers: list[dict[str, Any]] = []
        for _ in range(_QUESTIONS_MAX):
            context = self._make_context(list(answers))
            effect = self.toolset.registry.find(name).effect
            decision = judge(
                call.action_request(), effect, self.toolset.policy, context.permissions
            )
            if decision.action == "deny":
                raise DeniedError(f"{name} is denied: {decision.reason}.")
            admission = Admission(
                self.toolset.policy, self.toolset.registry, forecasters=self.toolset.forecasters
            )
            try:
                async with asyncio.timeout(self.timeout_s):
                    answer = await admission.admit(call, context)
            except _PersonNeededError as needed:
                answers.append(plain(await self._ask_person(name, needed.request)))
                continue
            if isinstance(answer, Refusal):
                raise _refusal_error(answer, answers)
            return answer.call
        raise DeniedError(f"{name} was not run: each answer was about other arguments.")

    def _make_context(self, answers: list[dict[str, Any]]) -> RunContext:
        def ask(request: dict[str, Any]) -> dict[str, Any]:
            if answers:
                return answers.pop(0)
            raise _PersonNeededError(request)

        run = Run(run_id="mcp", session_id="mcp", message_id="mcp")
        recorder = RunRecorder(MemoryEventLog(), run, lambda _: None)
        permissions = RunPermissions(
            questions=RunQuestions(session_id=run.session_id, ask=ask),
            session_rules=list(self.toolset.kept_rules),
        )
        return RunContext(run=run, recorder=recorder, permissions=permissions)

    async def _ask_person(self, name: str, request: Mapping[str, Any]) -> Decision:
        form = form_for(request)
        if form is None or not self.requester.can_ask:
            raise NoOneToAskError(
                f"{name} was not run: a person must allow it ({request.get('context')}), and this "
                f"client cannot ask one (MCP elicitation). {self.toolset.how_to_allow}".rstrip()
            )
        action = cast("ActionRequest", request["action_requests"][0])
        binding = bound({"type": "approve"}, action)
        answer, state = await self.requester.ask(form, {"bound_to": binding.get("bound_to")})
        decision = decision_from(request, answer.action, answer.content)
        if decision is None or decision["type"] != "approve":
            raise DeniedError(f"{name} was not run: the person declined.")
        # An answer to an earlier round counts for the arguments of that round.
        return cast("Decision", {**decision, "bound_to": state["bound_to"]})


def _refusal_error(refusal: Refusal, answers: list[dict[str, Any]]) -> Exception:
    return DeniedError(refusal.reason) if answers else ToolExecutionError(refusal.reason)


class GuardedTool(Tool):
    """Base of the served tools: checks scope and arguments; a subclass runs the call.

    All errors are answered in one form, so that a client can tell a wrong argument from a
    missing right.
    """

    _services: MCPServices = PrivateAttr()
    _served: ServedToolRow = PrivateAttr()

    def guarded_by(self, services: MCPServices, served: ServedToolRow) -> "GuardedTool":
        """Set the services it works with, and its conditions."""
        self._services, self._served = services, served
        return self

    def is_for(self, caller: MCPCaller) -> bool:
        """Return whether a caller may use the tool at all."""
        return self._served.scope in caller.scopes

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        caller = await self._services.caller()
        try:
            if not self.is_for(caller):
                raise DeniedError(
                    f"{caller.name} may not call {self.name}: it needs the scope "
                    f"{self._served.scope!r}."
                )
            if problems := self.problems(arguments):
                errors = {"errors": problems}
                return error_result(
                    "VALIDATION_ERROR", describe_wrong_arguments(self.name, problems), errors
                )
            return await self.act(caller, arguments)
        except InputNeededError as needed:
            return InputRequiredToolResult(needed.result)
        except DataAgentError as error:
            return failure_of(error)

    @abstractmethod
    def problems(self, arguments: Mapping[str, Any]) -> list[str]:
        """List the problems of the arguments."""

    @abstractmethod
    async def act(self, caller: MCPCaller, arguments: dict[str, Any]) -> ToolResult:
        """Run the call."""

    def timeout_error(self) -> RunTimeoutError:
        return RunTimeoutError(
            f"{self.name} took longer than {self._served.timeout_s:g} seconds and was given up. "
            "Ask for less at once."
        )


class ServedTool(GuardedTool):
    """One of the agent's own tools."""

    _schema: BaseTool = PrivateAttr()

    def problems(self, arguments: Mapping[str, Any]) -> list[str]:
        return find_argument_problems(self._schema, arguments)

    async def act(self, caller: MCPCaller, arguments: dict[str, Any]) -> ToolResult:
        requester = await FormRequester.open(get_context(), self._services, caller)
        async with self._services.open_toolset(caller) as toolset:
            gate = CallGate(toolset, requester, self._served.timeout_s)
            try:
                # The gate has its own time limit: a person may answer slowly, a tool may not.
                call = await gate.admit(self.name, arguments)
                async with asyncio.timeout(self._served.timeout_s):
                    message = await _invoke(toolset, call)
                    files = await content_of_files(files_in(message), toolset.workspace)
                    pictures = await pictures_in(message, toolset.workspace)
                    return answer_of(message, [*pictures, *files])
            except TimeoutError:
                raise self.timeout_error() from None


def make_served_tool(services: MCPServices, served: ServedToolRow, tool: BaseTool) -> ServedTool:
    """Make the FastMCP tool for one of the agent's tools; a call opens the caller's own."""
    served_tool = ServedTool(
        name=tool.name,
        description=tool.description,
        parameters=_make_parameters(tool),
        annotations=_make_annotations(read_effect(tool)),
        meta={"scope": served.scope, "timeout_s": served.timeout_s},
    )
    served_tool.guarded_by(services, served)
    served_tool._schema = tool  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] (pydantic keeps what is not a field private)
    return served_tool


async def _invoke(toolset: MCPToolset, call: AgentCall) -> ToolMessage:
    tool = toolset.registry.find(call.name).tool
    tool_call = ToolCall(name=call.name, args=call.args, id=call.call_id, type="tool_call")
    result = await tool.ainvoke(tool_call)
    return cast("ToolMessage", toolset.registry.after(call, result))


def _make_parameters(tool: BaseTool) -> dict[str, Any]:
    schema = tool.tool_call_schema
    if isinstance(schema, dict):
        return schema
    parameters = cast("type[BaseModel]", schema).model_json_schema()
    return {name: value for name, value in parameters.items() if name != "description"}


def _make_annotations(effect: Effect) -> ToolAnnotations:
    return ToolAnnotations(
        read_only_hint=effect == "pure",
        destructive_hint=effect == "irreversible",
        idempotent_hint=effect in {"pure", "idempotent"},
        open_world_hint=False,
    )
