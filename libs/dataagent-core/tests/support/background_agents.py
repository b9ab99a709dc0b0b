"""Agents that start tasks in the background, for tests."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from agents import echo, events_of, executor, scripted
from langchain_core.tools import tool
from subagent_scripts import called, results_of

from dataagent_core.engine import AgentExecutor
from dataagent_core.engine.delegation.background_state import BackgroundState
from dataagent_core.engine.delegation.background_tools import BackgroundServices
from dataagent_core.engine.delegation.local_background_runs import LocalBackgroundRuns
from dataagent_core.session import read_all
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.tools.effects import effect_metadata


class TaskAgent:
    """An agent with background runs, its stores, and a tool that waits for the test."""

    def __init__(
        self,
        tmp_path: Path,
        *subagents: Any,
        handler: Any = None,
        make_runs: Callable[[Stores, str], LocalBackgroundRuns] = LocalBackgroundRuns,
        **config: Any,
    ) -> None:
        self.config = config
        self.path, self.subagents, self.handler = tmp_path, subagents, handler
        self.make_runs = make_runs
        self.stores = Stores.in_memory()
        self.began, self.go_on = asyncio.Event(), asyncio.Event()
        self.runs = 0

        @tool
        async def slow(text: str) -> str:
            """Wait for the test."""
            self.runs += 1
            self.began.set()
            await self.go_on.wait()
            return f"slow {text}"

        slow.metadata = effect_metadata("idempotent")
        self.slow = slow
        self.tools: list[Any] = [echo, slow]

    async def start(self, model: Any) -> AgentExecutor:
        """Build the agent, as a process does that starts."""
        self.background = self.make_runs(self.stores, "ann")
        agent = executor(
            model,
            self.path,
            handler=self.handler,
            tools=self.tools,
            stores=self.stores,
            subagents=self.subagents,
            background_runs=self.background,
            **self.config,
        )
        self.background.attach(agent)
        return agent


def starting(what: str, to: str = "worker") -> dict[str, Any]:
    return {"tool_calls": [called("start_task", description=what, subagent_type=to)]}


def checking(task_id: str, **more: Any) -> dict[str, Any]:
    return {"tool_calls": [called("check_task", task_id=task_id, **more)]}


def play(**parts: list[dict[str, Any]]) -> Any:
    return scripted(scripts=[{"match": f"^{key}", "steps": steps} for key, steps in parts.items()])


def id_in(events: list[Any]) -> str:
    return next(e.subagent_id for e in events if e.event_type == "subagent")


WORK = [{"tool_calls": [called("slow", text="x")]}, {"text": "the report"}]


async def started(agents: TaskAgent, **parts: list[dict[str, Any]]) -> tuple[AgentExecutor, str]:
    agent = await agents.start(play(go=[starting("WORK hard"), {"text": "ok"}], WORK=WORK, **parts))
    events = await events_of(agent)
    assert events[-1].reason == "completed"
    assert "Started task-" in str(results_of(events, "start_task")[0].result)
    return agent, id_in(events)


def agent_with(agent: AgentExecutor, **parts: list[dict[str, Any]]) -> AgentExecutor:
    """Give the same agent another script for the next messages."""
    graph: Any = agent.agent
    model: Any = graph.resources.models[0].model
    model.script = play(**parts, WORK=WORK).script
    return agent


async def until_quiet(agents: TaskAgent, task_id: str) -> BackgroundState:
    """Wait until a task is over or waits for a person."""
    services = BackgroundServices(
        agents.background, agents.stores.log, lambda name, _: name, lambda _: frozenset()
    )
    return await services.look(task_id, 20)


async def until_over(agents: TaskAgent, task_id: str) -> Any:
    assert (await until_quiet(agents, task_id)).is_over
    return (await read_all(agents.stores.log, task_id, types=("done",)))[-1]


async def read_ids(agents: TaskAgent) -> list[str]:
    events = await read_all(agents.stores.log, "s", types=("subagent",))
    return [e.subagent_id for e in events if e.subagent_id is not None]
