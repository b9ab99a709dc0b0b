"""A sub-agent that is built when somebody first delegates to it: most runs never do.

Building one takes as long, and as much memory, as the agent itself.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from langchain_core.runnables import Runnable, RunnableConfig

Agent = Runnable[Any, Any]


class LaterAgent(Runnable[Any, Any]):
    """Stands for the agent until it is wanted, and then passes everything on."""

    def __init__(self, build: Callable[[], Agent]) -> None:
        self._build = build

    @cached_property
    def _agent(self) -> Agent:
        return self._build()

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:  # noqa: A002 (the library's name)
        return self._agent.invoke(input, config, **kwargs)

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:  # noqa: A002 (the library's name)
        return await self._agent.ainvoke(input, config, **kwargs)
