"""The agent's stack with the tools that its MCP servers offer when a run begins.

Servers come, go and change their tools, and are asked only when a run needs them. So the part of
the stack that knows the tools (`stack.py` builds it) is built here, again only after a change. A
problem of a server is only a warning (S0 48). A program that needs an approval is asked about
before it is started.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool
from langgraph.prebuilt.tool_node import ToolCallRequest

from dataagent_core.engine.middleware.middleware_chain import (
    NAME,
    MiddlewareChain,
    ModelHandler,
    ToolHandler,
)
from dataagent_core.errors import DeniedError
from dataagent_core.events import WarningEvent
from dataagent_core.permissions import program_approval
from dataagent_core.runs import RunContext, run_context

if TYPE_CHECKING:
    from dataagent_core.mcp.programs import ProgramApprovalRequests

MCP_UNAVAILABLE = "mcp_unavailable"


class OfferedTools(Protocol):
    """What an agent's servers currently offer: the same object until something changes."""

    @property
    def tools(self) -> Sequence[BaseTool]: ...

    @property
    def warnings(self) -> Sequence[str]: ...


class Servers(Protocol):
    """An agent's MCP servers; asking takes a bounded time and never fails for one of them."""

    async def list_offers(self) -> OfferedTools: ...


@dataclass(frozen=True, slots=True)
class _StackWithTools:
    offer: OfferedTools
    stack: MiddlewareChain
    tools: dict[str, BaseTool]


class ServerToolsMiddleware(AgentMiddleware[Any, Any, Any]):
    """Contains the agent's own middleware, built with the servers' tools."""

    def __init__(
        self,
        servers: Servers,
        build: Callable[[Sequence[BaseTool]], MiddlewareChain],
        programs: "ProgramApprovalRequests | None" = None,
    ) -> None:
        super().__init__()
        self._servers = servers
        self._programs = programs
        self._build = build
        without = build(())
        # The servers' tools add no state and no steps, so the graph does not depend on them.
        self.state_schema = without.state_schema
        self.tools = without.tools
        self._current: _StackWithTools | None = None

    @property
    def name(self) -> str:
        return NAME

    async def abefore_agent(  # pyright: ignore[reportIncompatibleMethodOverride] (LangGraph hands in what is named)
        self, state: Any, runtime: Any, config: RunnableConfig
    ) -> dict[str, Any]:
        context = run_context(runtime)
        if self._programs is not None:
            await _ask_about(self._programs, context)
        current = await self._ask()
        warnings = [
            WarningEvent(code=MCP_UNAVAILABLE, message=problem)
            for problem in current.offer.warnings
        ]
        if warnings:
            await context.recorder.commit(*warnings)
        return await current.stack.abefore_agent(state, runtime, config)

    async def awrap_model_call(self, request: ModelRequest[Any], handler: ModelHandler) -> Any:
        current = await self._stack_of_run()
        given = {tool.name: tool for tool in request.tools if isinstance(tool, BaseTool)}
        others = [tool for tool in request.tools if not isinstance(tool, BaseTool)]
        own = request.override(tools=[*(given | current.tools).values(), *others])
        return await current.stack.awrap_model_call(own, handler)

    async def awrap_tool_call(self, request: ToolCallRequest, handler: ToolHandler) -> Any:
        current = await self._stack_of_run()
        known = {tool.name: tool for tool in request.runtime.tools} | current.tools
        own = replace(
            request,
            tool=current.tools.get(request.tool_call["name"], request.tool),
            runtime=replace(request.runtime, tools=[*known.values()]),
        )
        return await current.stack.awrap_tool_call(own, handler)

    async def ask_servers(self) -> tuple[OfferedTools, MiddlewareChain]:
        """Ask the servers; return their offer and the stack with it."""
        current = await self._ask()
        return current.offer, current.stack

    async def _stack_of_run(self) -> _StackWithTools:
        # A resumed run continues in the middle, without `abefore_agent`.
        return self._current or await self._ask()

    async def _ask(self) -> _StackWithTools:
        offer = await self._servers.list_offers()
        current = self._current
        if current is None or current.offer is not offer:
            stack = self._build(offer.tools)
            tools = {tool.name: tool for tool in (*stack.tools, *offer.tools)}
            self._current = current = _StackWithTools(offer, stack, tools)
        return current


async def _ask_about(programs: "ProgramApprovalRequests", context: RunContext) -> None:
    """Ask about each program that needs an approval; one without it is left out with a warning.

    A resumed run asks in the same order again, so that it finds its answers.
    """
    from dataagent_core.mcp.programs import program_request

    for config in await programs.waiting(frozenset(context.questions.asked)):
        decision = program_approval(program_request(config), context.permissions)
        if decision["type"] == "approve":
            # If the approval no longer holds, the server refuses to start, and a warning says why.
            with suppress(DeniedError):
                await programs.allow(config)
