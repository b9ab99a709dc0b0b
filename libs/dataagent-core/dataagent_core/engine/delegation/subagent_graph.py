"""The graph of a sub-agent, made at its first use, and one task on it.

Most runs never delegate. Where a sub-agent needs no graph of its own it uses the one that all
sub-agents of the process share (`engine/graph/shared_graph.py`), so that making it is cheap. The
events, limits and failures of a task are in `subagent_run.py`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, HumanMessage
from langchain_core.tools import BaseTool
from langgraph.errors import GraphInterrupt
from langgraph.types import Interrupt

from dataagent_core.engine.graph import deep
from dataagent_core.engine.graph.shared_graph import AgentParts, Graph, compile_shared_graph
from dataagent_core.engine.middleware.middleware_chain import Middleware
from dataagent_core.permissions.rules import Rule
from dataagent_core.runs import RunContext, SubAgentTask

_GRAPH_NAME = "subagent"


@dataclass(frozen=True, slots=True, kw_only=True)
class SubAgentParts:
    """What a sub-agent consists of."""

    model: BaseChatModel
    prompt: str
    tools: Sequence[BaseTool]
    stack: Sequence[Middleware]


@dataclass(eq=False)
class SubAgentGraph:
    """A sub-agent that can be given tasks, several at once."""

    name: str
    build: Callable[[], SubAgentParts]
    rules: tuple[Rule, ...] = ()

    async def work(
        self, description: str, task: SubAgentTask, context: RunContext
    ) -> list[BaseMessage]:
        """Work on a task, and return the messages of it; it begins with its description alone."""
        graph, shared = self._compiled
        changes: dict[str, Any] = {} if shared is None else {"agent": shared}
        try:
            state = await graph.ainvoke(
                {"messages": [HumanMessage(description)]},
                {"run_name": self.name, "metadata": {"lc_agent_name": self.name}},
                context=context.for_subagent(task, self.rules, **changes),
            )
        except GraphInterrupt as stopped:
            raise _mark_requests(stopped, task.id) from None
        return cast("list[BaseMessage]", state["messages"])

    @cached_property
    def _compiled(self) -> tuple[Graph, AgentParts | None]:
        parts = self.build()
        shared = AgentParts.of(parts.model, parts.prompt, parts.tools, parts.stack)
        if shared is not None:
            return compile_shared_graph(shared.stack.state_schema, _GRAPH_NAME), shared
        own = create_agent(
            parts.model,
            tools=parts.tools,
            system_prompt=parts.prompt,
            middleware=parts.stack,
            state_schema=deep.DeepAgentState,
            context_schema=RunContext,
            name=self.name,
        )
        return own, None


def _mark_requests(stopped: GraphInterrupt, subagent_id: str) -> GraphInterrupt:
    """Note in each request to a person whose it is; the request of a deeper one keeps its own."""
    found: Sequence[Interrupt] = stopped.args[0] if stopped.args else ()
    return GraphInterrupt(
        [
            Interrupt(value={"subagent_id": subagent_id, **one.value}, id=one.id)
            if isinstance(one.value, dict)
            else one
            for one in found
        ]
    )
