"""Item 8 over HTTP, in OpenAI's shape and in Anthropic's: requests that begin alike, and the share
of them that the provider had cached, from its own count to the report, the events and the book."""

import json
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from agents import events_of
from provider_failures import agent_over

from dataagent_core.context.report import last_report
from dataagent_core.engine import AgentExecutor
from dataagent_core.testing import Script, ScriptedEndpoint

WIRES = ("openai", "anthropic")
USAGE = {"input_tokens": 1_000, "output_tokens": 10, "cached_read_tokens": 750}
LOOK = {"tool_calls": [{"name": "echo", "args": {"text": "long " * 50}}], "usage": USAGE}
Body = Mapping[str, Any]


def endpoint() -> ScriptedEndpoint:
    return ScriptedEndpoint(
        Script.model_validate({"steps": [LOOK, {"text": "ok", "usage": USAGE}]})
    )


async def talk(agent: AgentExecutor, turns: int = 2) -> list[Any]:
    events: list[Any] = []
    for n in range(turns):
        events += await events_of(agent, f"Question {n}.")
        assert events[-1].reason == "completed", events[-2]
    return events


async def report_of(agent: AgentExecutor) -> Any:
    stores = agent._stores  # pyright: ignore[reportPrivateUsage] (of this test's own agent)
    return await last_report(stores.log, stores.checkpoints, "s")


@pytest.mark.requirement("F7-8")
@pytest.mark.parametrize("wire", WIRES)
async def test_what_the_provider_had_cached_is_in_the_report_the_events_and_the_book(
    tmp_path: Path, wire: str
) -> None:
    with endpoint() as server:
        async with agent_over(wire, server, tmp_path) as agent:
            events = await talk(agent)
            report = await report_of(agent)
    assert (report.reported_tokens, report.cached_tokens) == (1_000, 750)
    assert report.cached_share == 0.75
    steps = [event for event in events if event.event_type == "step_finish"]
    assert [step.tokens["cached_read_tokens"] for step in steps] == [750] * 4
    costs = [event.tokens for event in events if event.event_type == "cost_update"]
    assert costs[1]["cached_read_tokens"] == 1_500
    assert events[-1].token_usage["cached_read_tokens"] == 1_500


@pytest.mark.requirement("F7-8")
@pytest.mark.parametrize("wire", WIRES)
async def test_a_request_begins_with_the_bytes_of_the_one_before_it(
    tmp_path: Path, wire: str
) -> None:
    with endpoint() as server:
        async with agent_over(wire, server, tmp_path) as agent:
            await talk(agent, 3)
        sent = [received.body for received in server.requests]
    assert len(sent) == 6
    for earlier, later in pairwise(sent):
        before, after = prefix(earlier), prefix(later)
        assert after.startswith(before)
        assert len(after) > len(before) > 5_000


def prefix(body: Body) -> str:
    """Write what a provider caches, in its order: tools, instructions, messages."""
    parts = [body.get("tools"), body.get("system"), *map(without_marks, body["messages"])]
    return "\n".join(json.dumps(part, ensure_ascii=False) for part in parts)


def without_marks(message: Body) -> Body:
    # The mark on the newest message moves on with it; it says what to keep, and is not kept itself.
    content = message.get("content")
    if not isinstance(content, list):
        return message
    blocks = [{k: v for k, v in block.items() if k != "cache_control"} for block in content]
    return {**message, "content": blocks}


@pytest.mark.requirement("F7-8")
async def test_where_the_provider_wants_it_marked_it_is(tmp_path: Path) -> None:
    with endpoint() as server:
        async with agent_over("anthropic", server, tmp_path) as agent:
            await talk(agent)
        bodies = [received.body for received in server.requests]
    for body in bodies:
        assert body["tools"][-1]["cache_control"]["type"] == "ephemeral"
        assert body["system"][-1]["cache_control"]["type"] == "ephemeral"
        assert body["cache_control"]["type"] == "ephemeral"
        # Anthropic takes four at most.
        assert json.dumps(body).count('"cache_control"') <= 4


async def test_where_it_does_not_it_is_not(tmp_path: Path) -> None:
    with endpoint() as server:
        async with agent_over("openai", server, tmp_path) as agent:
            await talk(agent, 1)
        assert all("cache_control" not in json.dumps(one.body) for one in server.requests)
