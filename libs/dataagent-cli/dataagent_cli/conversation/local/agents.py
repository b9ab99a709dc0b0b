"""The agent that answers the next message, made anew when the model or the rules are others.

What an agent holds (connections, programs) is closed when another one takes its place.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataagent_core.engine import AgentExecutor
    from dataagent_core.mcp import MCPConfig


@dataclass(frozen=True, slots=True)
class Agent:
    """What runs the agent, and the MCP servers it was given."""

    executor: "AgentExecutor"
    servers: "MCPConfig"


Make = Callable[[str], Awaitable[Agent]]


class Agents:
    """Makes one agent after the other, and keeps the last."""

    def __init__(self, make: Make) -> None:
        self._make = make
        self._now: Agent | None = None

    async def made(self, model: str) -> Agent:
        """Make an agent with a model, as the settings, rules and servers are now."""
        made = await self._make(model)
        before, self._now = self._now, made
        if before is not None:
            await before.executor.aclose()
        return made

    async def aclose(self) -> None:
        if self._now is not None:
            await self._now.executor.aclose()
