"""How large a request is, by S2's estimate: what is sent is counted once for each message."""

from typing import Any

from langchain.agents.middleware.types import ModelRequest

from dataagent_core.context.counting import TokenCounter, content_tokens, tools_tokens


class RequestSizes:
    """Estimates requests; share it between the calls of one agent."""

    def __init__(self) -> None:
        self._count = TokenCounter()

    def of(self, request: ModelRequest[Any]) -> int:
        """Give the tokens of instructions, tools and messages."""
        system = request.system_message
        instructions = 0 if system is None else content_tokens(system.content)
        return instructions + tools_tokens(request.tools) + self._count.total(request.messages)
