"""A cancel reaches every sub-agent at once, whatever each of them is doing."""

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest
from agents import executor
from mcp_waiting import eventually
from subagent_scripts import called, playing, specialist, task

from dataagent_core.events import DoneEvent

ENDLESS = {"text": "x" * 1_000, "chunk_chars": 1, "chunk_delay_s": 0.1}
# A file that the command makes shows that it really runs.
COMMAND = "touch running && sleep 60 && touch finished"


@pytest.mark.requirement("S0-40")
async def test_a_cancel_ends_streams_commands_and_nested_sub_agents_within_a_second(
    tmp_path: Path,
) -> None:
    tasks_before = asyncio.all_tasks()
    model = playing(
        task("STREAM", to="talker"),
        task("COMMAND", to="operator"),
        task("NEST", to="boss"),
        STREAM=[ENDLESS],
        COMMAND=[{"tool_calls": [called("shell", command=COMMAND)]}, {"text": "never"}],
        NEST=[{"tool_calls": [task("DEEP", to="talker")]}, {"text": "never"}],
        DEEP=[ENDLESS],
    )
    subagents = tuple(specialist(name) for name in ("talker", "operator", "boss"))
    agent = executor(model, tmp_path, subagents=subagents, auto_approve=True)
    token = asyncio.Event()

    async def read() -> list[Any]:
        return [event async for event in agent.execute("go", "s", cancellation_token=token)]

    async with asyncio.TaskGroup() as group:
        reading = group.create_task(read())
        # Four model calls of sub-agents have begun, and the command runs.
        await eventually(lambda: len(model.requests) == 5 and (tmp_path / "running").exists())
        began_s = time.monotonic()
        token.set()
        events = await reading
        took_s = time.monotonic() - began_s
    assert took_s < 1
    done = events[-1]
    assert isinstance(done, DoneEvent)
    assert (done.cancelled, done.reason) == (True, "user_cancelled")
    # A cancelled one has not failed: it counts in no statistics.
    assert [e.phase for e in events if e.event_type == "subagent"] == ["started"] * 4
    assert len(model.requests) == 5
    await agent.aclose()
    assert not (tmp_path / "finished").exists()
    await eventually(lambda: asyncio.all_tasks() == tasks_before)
