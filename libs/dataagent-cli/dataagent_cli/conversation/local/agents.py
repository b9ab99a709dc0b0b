"""The agents of a conversation: the present one, and those whose background tasks are at work."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dataagent_cli.conversation.local.agent_files import AgentFiles

if TYPE_CHECKING:
    from dataagent_core.engine import AgentExecutor
    from dataagent_core.engine.delegation.local_background_runs import LocalBackgroundRuns
    from dataagent_core.mcp import MCPConfig
    from dataagent_core.permissions import ProjectRules, Rule


@dataclass(frozen=True, slots=True)
class Agent:
    """The executor of the agent, its MCP servers, and the files that it was built from."""

    executor: "AgentExecutor"
    servers: "MCPConfig"
    files: AgentFiles


Make = Callable[[str], Awaitable[Agent]]


class Agents:
    """Builds an agent, and closes the one before when its background tasks are over."""

    def __init__(
        self,
        make: Make,
        background: "LocalBackgroundRuns | None",
        on_stopped: Callable[[int], None],
    ) -> None:
        self._make = make
        self._background = background
        # Called with the number of tasks that were at work when this is closed.
        self._on_stopped = on_stopped
        self._now: Agent | None = None
        # Closes earlier agents.
        self._closing: set[asyncio.Task[None]] = set()

    async def make_agent(self, model: str) -> Agent:
        """Build an agent with a model and the current settings, rules and servers."""
        agent = await self._make(model)
        before, self._now = self._now, agent
        if self._background is not None:
            self._background.attach(agent.executor)
        if before is not None:
            closing = asyncio.create_task(self._close_when_idle(before.executor))
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)
            if self._background is None or not self._background.works_with(before.executor):
                await closing
        return agent

    def is_built_from(self, files: AgentFiles) -> bool:
        """Whether the files are still what the agent was built from."""
        return self._now is not None and self._now.files == files

    def add_saved_rules(self, rules: "Sequence[Rule]") -> None:
        """Note rules that were added to the folder's file and that the agent applies already."""
        if self._now is not None:
            self._now = replace(self._now, files=self._now.files.with_project_rules(rules))
        if self._background is not None:
            self._background.keep_rules(rules)

    def works_on(self, session_id: str) -> bool:
        """Whether a session is a background task that is at work here."""
        return self._background is not None and self._background.works_on(session_id)

    async def aclose(self) -> None:
        stopped = await self._background.aclose() if self._background is not None else 0
        if stopped:
            self._on_stopped(stopped)
        await asyncio.gather(*self._closing)
        if self._now is not None:
            await self._now.executor.aclose()

    async def _close_when_idle(self, executor: "AgentExecutor") -> None:
        if self._background is not None:
            await self._background.wait_idle(executor)
        await executor.aclose()


@dataclass(frozen=True, slots=True)
class ConversationRules:
    """Saves rules in the folder; the agent is not built again for them.

    An answer that saves a rule also allows it for the session. Background tasks are other sessions.
    """

    project: "ProjectRules"
    agents: Agents

    def save(self, rules: "Sequence[Rule]") -> "Sequence[Rule]":
        """Append the rules, and return those that are new."""
        new = self.project.save(rules)
        self.agents.add_saved_rules(new)
        return new
