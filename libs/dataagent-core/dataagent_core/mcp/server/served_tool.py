"""A tool as FastMCP knows it, around the agent's own.

scope > arguments > gate (`gate.py`) > run within its time > answer (`call_results.py`)
"""

import asyncio
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Final, cast

from fastmcp.server.dependencies import get_context
from fastmcp.tools.base import InputRequiredToolResult, Tool, ToolResult
from langchain_core.messages import ToolCall, ToolMessage
from langchain_core.tools import BaseTool
from mcp_types import ToolAnnotations
from pydantic import BaseModel, PrivateAttr

from dataagent_core.errors import DataAgentError, DeniedError, RunTimeoutError
from dataagent_core.mcp.server.call_results import answer_of, error_result, failure_of
from dataagent_core.mcp.server.file_content import content_of_files, files_in
from dataagent_core.mcp.server.form_request import FormRequester, InputNeededError
from dataagent_core.mcp.server.gate import CallGate
from dataagent_core.mcp.server.picture_content import pictures_in
from dataagent_core.mcp.server.ports import MCPCaller, MCPServices, MCPToolset
from dataagent_core.mcp.server.tool_table import ServedToolRow
from dataagent_core.tools.effects import Effect, read_effect
from dataagent_core.tools.pipeline.agent_call import AgentCall
from dataagent_core.tools.pipeline.arguments import describe_wrong_arguments, find_argument_problems

_OPEN_WORLD: Final = False


class GuardedTool(Tool):
    """What every served tool has in common; a subclass says what is wrong with arguments, and acts.

    Whatever goes wrong is answered in one form, so that a client can tell a wrong argument from a
    missing right.
    """

    _house: MCPServices = PrivateAttr()
    _served: ServedToolRow = PrivateAttr()

    def guarded_by(self, house: MCPServices, served: ServedToolRow) -> "GuardedTool":
        """Say whose house it serves, and under which conditions."""
        self._house, self._served = house, served
        return self

    def is_for(self, caller: MCPCaller) -> bool:
        """Say whether a caller may use it at all."""
        return self._served.scope in caller.scopes

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        caller = await self._house.caller()
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
        """List what is wrong with arguments."""

    @abstractmethod
    async def act(self, caller: MCPCaller, arguments: dict[str, Any]) -> ToolResult:
        """Do it."""

    def timeout_error(self) -> RunTimeoutError:
        """Say that the time was over."""
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
        asker = await FormRequester.opened(get_context(), self._house, caller)
        async with self._house.bench(caller) as bench:
            gate = CallGate(bench, asker, self._served.timeout_s)
            try:
                # A person may take their time to answer, within the gate; a tool may not.
                call = await gate.pass_through(self.name, arguments)
                async with asyncio.timeout(self._served.timeout_s):
                    message = await _invoked(bench, call)
                    files = await content_of_files(files_in(message), bench.workspace)
                    pictures = await pictures_in(message, bench.workspace)
                    return answer_of(message, [*pictures, *files])
            except TimeoutError:
                raise self.timeout_error() from None


def make_served_tool(house: MCPServices, served: ServedToolRow, tool: BaseTool) -> ServedTool:
    """Describe one of the agent's tools to FastMCP; a call opens the caller's own."""
    made = ServedTool(
        name=tool.name,
        description=tool.description,
        parameters=_parameters(tool),
        annotations=_annotations(read_effect(tool)),
        meta={"scope": served.scope, "timeout_s": served.timeout_s},
    )
    made.guarded_by(house, served)
    made._schema = tool  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] (pydantic keeps what is not a field private)
    return made


async def _invoked(bench: MCPToolset, call: AgentCall) -> ToolMessage:
    tool = bench.registry.find(call.name).tool
    asked = ToolCall(name=call.name, args=call.args, id=call.call_id, type="tool_call")
    result = await tool.ainvoke(asked)
    return cast("ToolMessage", bench.registry.after(call, result))


def _parameters(tool: BaseTool) -> dict[str, Any]:
    schema = tool.tool_call_schema
    if isinstance(schema, dict):
        return schema
    parameters = cast("type[BaseModel]", schema).model_json_schema()
    return {name: value for name, value in parameters.items() if name != "description"}


def _annotations(effect: Effect) -> ToolAnnotations:
    return ToolAnnotations(
        read_only_hint=effect == "pure",
        destructive_hint=effect == "irreversible",
        idempotent_hint=effect in {"pure", "idempotent"},
        open_world_hint=_OPEN_WORLD,
    )
