"""The general-purpose sub-agent that the tool `task` delegates to, built at its first use.

Most runs never delegate, and it takes as much time and memory to build as the agent itself.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.tools import BaseTool

from dataagent_core.engine.graph import deep
from dataagent_core.engine.middleware.middleware_chain import Middleware

GENERAL_PURPOSE = "general-purpose"
_DESCRIPTION = (
    "Works on one self-contained task with all your tools and its own context, and returns "
    "only the result. Use it for searches and long side work; start several at once when their "
    "tasks are independent."
)
_PROMPT = (
    "You are a sub-agent. Do exactly the task you are given with the tools you have, then answer "
    "with the result in full: whoever asked sees nothing else of your work."
)


def make_delegation(
    model: BaseChatModel,
    tools: Sequence[BaseTool],
    backend: deep.CompositeBackend,
    build_stack: Callable[[], list[Middleware]],
) -> Middleware:
    """Make the middleware that offers the sub-agent; `build_stack` makes its middleware."""

    def build() -> deep.Agent:
        general: deep.SubAgent = {
            "name": GENERAL_PURPOSE,
            "description": _DESCRIPTION,
            "system_prompt": _PROMPT,
            "model": model,
            "tools": list(tools),
            "middleware": build_stack(),
        }
        return deep.create_sub_agent(general, state_schema=deep.DeepAgentState)

    lazy: deep.CompiledSubAgent = {
        "name": GENERAL_PURPOSE,
        "description": _DESCRIPTION,
        "runnable": LazyAgent(build),
    }
    return deep.SubAgentMiddleware(
        backend=backend, subagents=[lazy], state_schema=deep.DeepAgentState
    )


@dataclass(eq=False)
class LazyAgent(Runnable[Any, Any]):
    """Builds the agent at its first call, and passes all calls on to it."""

    build: Callable[[], deep.Agent]

    @cached_property
    def _agent(self) -> deep.Agent:
        return self.build()

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:  # noqa: A002 (the library's name)
        return self._agent.invoke(input, config, **kwargs)

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:  # noqa: A002 (the library's name)
        return await self._agent.ainvoke(input, config, **kwargs)
