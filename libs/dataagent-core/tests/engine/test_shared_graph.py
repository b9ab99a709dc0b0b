"""Agents on one graph: each run has its own model, prompt, tools and middleware."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from agents import events_of, executor, scripted
from langchain.agents.middleware.types import AgentMiddleware
from langchain_core.tools import StructuredTool

from dataagent_core.models import ScriptedChatModel

CALL = {"tool_calls": [{"name": "mine", "args": {"text": "x"}}]}


def mine(answer: str, **options: Any) -> StructuredTool:
    async def run(text: str) -> str:
        return f"{answer} {text}"

    return StructuredTool.from_function(coroutine=run, name="mine", description="Mine.", **options)


class Extra(AgentMiddleware[Any, Any, Any]):
    async def awrap_model_call(self, request: Any, handler: Any) -> Any:
        return await handler(request)


class Remembering(ScriptedChatModel):
    """Keeps what it was asked."""

    asked: list[Any] = []  # noqa: RUF012 (a field of pydantic's, copied for each)

    async def _astream(self, messages: Any, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        self.asked.append(messages)
        async for chunk in super()._astream(messages, *args, **kwargs):
            yield chunk


def results(events: list[Any]) -> list[str]:
    return [event.result for event in events if event.event_type == "tool_result"]


async def test_agents_that_share_a_graph_do_not_share_anything_else(tmp_path: Path) -> None:
    models = [
        Remembering(script=scripted(CALL, {"text": f"I am {n}"}).script, asked=[]) for n in "ab"
    ]
    agents = [
        executor(model, tmp_path, tools=[mine(f"from {n}")], system_prompt=f"You are {n}.")
        for n, model in zip("ab", models, strict=True)
    ]
    assert agents[0].agent.nodes["model"].bound is agents[1].agent.nodes["model"].bound
    done = await asyncio.gather(*(events_of(agent) for agent in agents))
    for n, model, events in zip("ab", models, done, strict=True):
        assert results(events) == [f"from {n} x"]
        assert events[-1].content == f"I am {n}"
        assert all(asked[0].text.startswith(f"You are {n}.") for asked in model.asked)


async def test_a_tool_that_ends_the_run_still_does(tmp_path: Path) -> None:
    agent = executor(
        scripted(CALL, {"text": "never said"}), tmp_path, tools=[mine("end", return_direct=True)]
    )
    events = await events_of(agent)
    assert results(events) == ["end x"]
    assert "never said" not in [e.content for e in events if e.event_type == "text"]


@pytest.mark.parametrize(
    "config",
    [{"extra_middleware": [Extra()]}, {"tools": [mine("end", return_direct=True)]}],
    ids=["middleware", "tool"],
)
def test_what_is_part_of_the_graph_makes_it_ones_own(
    tmp_path: Path, config: dict[str, Any]
) -> None:
    one, two = (executor(scripted({"text": "ok"}), tmp_path, **config) for _ in range(2))
    assert one.agent.nodes["model"].bound is not two.agent.nodes["model"].bound
