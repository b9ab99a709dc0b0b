"""One compiled graph for all agents that have the same name and the same kinds of middleware.

Compiling takes twice as long as making the rest of an agent, and a server makes an agent for every
session. So what differs between agents (model, prompt, tools, middleware) is in the run's context,
and the graph reads it there. LangChain supports this: middleware may change all of it for every
call, and its tools need not be known when the graph is built.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware.types import AgentMiddleware, ModelRequest
from langchain_core.language_models import BaseChatModel, FakeListChatModel
from langchain_core.messages import SystemMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.pregel import Pregel

from dataagent_core.config.limits import SHARED_GRAPHS_KEPT_MAX
from dataagent_core.engine.graph import deep
from dataagent_core.engine.middleware.middleware_chain import (
    NAME,
    Middleware,
    MiddlewareChain,
    ModelHandler,
    ToolHandler,
)
from dataagent_core.runs import RunContext

Graph = Pregel[Any, Any, Any, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentParts:
    """What an agent consists of, for the graph it shares with others."""

    model: BaseChatModel
    prompt: SystemMessage
    tools: Mapping[str, BaseTool]
    stack: MiddlewareChain

    @classmethod
    def of(
        cls,
        model: BaseChatModel,
        prompt: str,
        tools: Sequence[BaseTool],
        stack: Sequence[Middleware],
    ) -> "AgentParts | None":
        """Collect the parts; None if the agent needs a graph of its own.

        It does if a tool may end the run or more than one chain wraps the agent: both are part of
        the graph.
        """
        match stack:
            case [MiddlewareChain() as chain] if not any(tool.return_direct for tool in tools):
                return cls(
                    model=model,
                    prompt=SystemMessage(content=prompt),
                    tools={tool.name: tool for tool in (*chain.tools, *tools)},
                    stack=chain,
                )
            case _:
                return None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRunContext(RunContext):
    """The context of an agent's run; in a shared graph it holds the agent's parts."""

    agent: AgentParts | None = None


@lru_cache(maxsize=SHARED_GRAPHS_KEPT_MAX)
def compile_shared_graph(state_schema: Any, name: str) -> Graph:
    """Return the graph for agents of this name and state; each run's context holds the parts.

    It has no checkpointer; its copies have one.
    """
    return create_agent(
        # A placeholder that is never called: each run has its own model.
        FakeListChatModel(responses=[]),
        middleware=[_RunMiddleware(state_schema)],
        state_schema=deep.DeepAgentState,
        context_schema=AgentRunContext,
        name=name,
    )


class _RunMiddleware(AgentMiddleware[Any, Any, Any]):
    """Calls the middleware of the run's agent."""

    def __init__(self, state_schema: Any) -> None:
        super().__init__()
        self.state_schema = state_schema

    @property
    def name(self) -> str:
        return NAME

    async def abefore_agent(  # pyright: ignore[reportIncompatibleMethodOverride] (LangGraph hands in what is named)
        self, state: Any, runtime: Any, config: RunnableConfig
    ) -> dict[str, Any]:
        return await _parts_of_run(runtime).stack.abefore_agent(state, runtime, config)

    async def awrap_model_call(self, request: ModelRequest[Any], handler: ModelHandler) -> Any:
        agent = _parts_of_run(request.runtime)
        own = request.override(
            model=agent.model, tools=[*agent.tools.values()], system_message=agent.prompt
        )
        return await agent.stack.awrap_model_call(own, handler)

    async def awrap_tool_call(self, request: ToolCallRequest, handler: ToolHandler) -> Any:
        agent = _parts_of_run(request.runtime)
        own = replace(
            request,
            tool=agent.tools.get(request.tool_call["name"]),
            # The agent's tools, for tools that read them: the graph itself has none.
            runtime=replace(request.runtime, tools=[*agent.tools.values()]),
        )
        return await agent.stack.awrap_tool_call(own, handler)


def _parts_of_run(runtime: Any) -> AgentParts:
    context = runtime.context
    if not isinstance(context, AgentRunContext) or context.agent is None:
        raise TypeError(
            "this graph is run by an AgentExecutor, which brings the agent along; the graph that a "
            "program calls is that of AgentFactory.create_agent."
        )
    return context.agent
