"""Which event a message is, also where a model names all its calls alike."""

from pathlib import Path
from typing import Any

import pytest
from agents import echo, events_of, executor, scripted
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from dataagent_core.context.event_numbers import EventNumbers, read_seqs
from dataagent_core.engine.checkpoints.history import thread
from dataagent_core.events import ToolCallEvent, ToolResultEvent
from dataagent_core.session.stores.bundle import Stores


def call(text: str) -> dict[str, Any]:
    return {"tool_calls": [{"name": "echo", "args": {"text": text}, "id": "call_0"}]}


@pytest.mark.requirement("F7-3")
async def test_a_result_is_found_although_every_call_has_the_same_id(tmp_path: Path) -> None:
    stores = Stores.in_memory()
    agent = executor(
        scripted(call("one"), call("two"), {"text": "ok"}), tmp_path, tools=[echo], stores=stores
    )
    events = [*await events_of(agent), *await events_of(agent, "again")]
    state = await agent.agent.aget_state(thread(events[-1].run_id))
    messages: list[BaseMessage] = state.values["messages"]
    seqs = await read_seqs(stores.log, "s", 0, messages)
    assert set(seqs) == {message.id for message in messages}
    by_seq = {event.seq: event for event in events}
    for message in messages:
        event = by_seq[seqs[str(message.id)]]
        if isinstance(message, ToolMessage):
            assert isinstance(event, ToolResultEvent)
            assert event.result == message.text
        elif isinstance(message, AIMessage):
            assert event.event_type == ("tool_call" if message.tool_calls else "text")
        else:
            assert (event.event_type, event.message_id) == ("start", message.id)
    assert len(set(seqs.values())) == len(messages)


async def test_the_question_of_a_turn_is_found_when_what_follows_is_read_from_later_on(
    tmp_path: Path,
) -> None:
    stores = Stores.in_memory()
    agent = executor(scripted(call("one"), {"text": "ok"}), tmp_path, tools=[echo], stores=stores)
    events = await events_of(agent)
    state = await agent.agent.aget_state(thread(events[-1].run_id))
    seqs = await read_seqs(stores.log, "s", 3, state.values["messages"])
    assert seqs[f"{events[0].run_id}:m0"] == 1


def test_a_result_of_a_sub_agent_is_not_that_of_another_at_the_same_time() -> None:
    numbers = EventNumbers()
    numbers.add(
        ToolCallEvent(
            event_id=f"call:r:m-{by}:call_0:1", run_id="r", seq=seq, subagent_id=by,
            tool_call_id="call_0",
        )
        for seq, by in enumerate(("one", "two"), start=1)
    )  # fmt: skip
    numbers.add(
        ToolResultEvent(run_id="r", seq=seq, subagent_id=by, tool_call_id="call_0")
        for seq, by in enumerate(("one", "two"), start=3)
    )
    assert (numbers.seqs["result:m-one:call_0"], numbers.seqs["result:m-two:call_0"]) == (3, 4)
