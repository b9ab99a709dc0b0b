"""Checkpoints on every database: a graph goes on, deltas keep their order, a lost run is refused."""

import itertools
from collections.abc import AsyncGenerator, Sequence
from typing import Annotated, Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.channels import DeltaChannel
from langgraph.checkpoint.base import BaseCheckpointSaver, empty_checkpoint
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from dataagent_server.common.errors import LeaseLostError
from dataagent_server.db.database import Database
from dataagent_server.stores.checkpoints import open_checkpoints
from tests.services.rows import Held, add_run, take_over

pytestmark = pytest.mark.every_database

Saver = BaseCheckpointSaver[Any]


def thread(name: str) -> RunnableConfig:
    return {"configurable": {"thread_id": name, "checkpoint_ns": ""}}


async def put(saver: Saver, name: str, value: Any, parent: RunnableConfig | None = None):
    checkpoint = empty_checkpoint()
    version = saver.get_next_version(None, None)
    checkpoint["channel_values"] = {"value": value}
    checkpoint["channel_versions"] = {"value": version}
    return await saver.aput(parent or thread(name), checkpoint, {"step": 1}, {"value": version})


@pytest.fixture
async def saver(database: Database) -> AsyncGenerator[Saver]:
    async with open_checkpoints(database) as opened:
        yield opened


async def test_a_checkpoint_with_the_right_number_is_taken(database: Database):
    await add_run(database, "r1", fence=4)
    async with open_checkpoints(database, Held(r1=4)) as saver:
        config = await put(saver, "r1", ["a"])
        await saver.aput_writes(config, [("value", "w")], "task")
        kept = await saver.aget_tuple(thread("r1"))
    assert kept is not None
    assert kept.checkpoint["channel_values"] == {"value": ["a"]}
    assert kept.pending_writes == [("task", "value", "w")]


async def test_what_a_lost_run_writes_is_refused_and_leaves_nothing(database: Database):
    await add_run(database, "r1")
    async with open_checkpoints(database, Held(r1=1)) as saver:
        config = await put(saver, "r1", "mine")
        await take_over(database, "r1")
        with pytest.raises(LeaseLostError, match="r1"):
            await put(saver, "r1", "late", config)
        with pytest.raises(LeaseLostError, match="r1"):
            await saver.aput_writes(config, [("value", "late")], "task")
        kept = await saver.aget_tuple(thread("r1"))
    assert kept is not None
    assert kept.checkpoint["channel_values"] == {"value": "mine"}
    assert kept.pending_writes == []


async def test_a_deleted_thread_is_gone_and_others_stay(saver: Saver):
    for name in ("gone", "stays"):
        config = await put(saver, name, name)
        await saver.aput_writes(config, [("value", name)], "task")
    await saver.adelete_thread("gone")
    assert await saver.aget_tuple(thread("gone")) is None
    kept = await saver.aget_tuple(thread("stays"))
    assert kept is not None
    assert kept.pending_writes == [("task", "value", "stays")]


async def test_the_deltas_of_parallel_tasks_come_in_the_order_they_were_applied(saver: Saver):
    first = await put(saver, "r", "x")
    await saver.aput_writes(first, [("messages", "second")], "aaa", "~__pregel_pull, b")
    await saver.aput_writes(first, [("messages", "first")], "zzz", "~__pregel_pull, a")
    last = await put(saver, "r", "y", first)
    history = await saver.aget_delta_channel_history(config=last, channels=["messages"])
    assert [write[2] for write in history["messages"]["writes"]] == ["first", "second"]
    assert "seed" not in history["messages"]


def joined(values: Any, writes: Sequence[Any]) -> list[AnyMessage]:
    return [*values, *itertools.chain(*writes)]


class State(TypedDict):
    messages: Annotated[list[AnyMessage], DeltaChannel(joined, snapshot_frequency=5)]


async def test_a_long_run_of_deltas_goes_on_from_what_the_database_holds(database: Database):
    def answer(state: State) -> dict[str, Any]:
        return {"messages": [AIMessage(content=f"heard {len(state['messages'])}")]}

    builder = StateGraph(State)
    for name in ("left", "right"):
        builder.add_node(name, answer)
        builder.add_edge(START, name)
        builder.add_edge(name, END)
    for turn in range(8):
        async with open_checkpoints(database) as saver:
            graph = builder.compile(checkpointer=saver)
            await graph.ainvoke({"messages": [HumanMessage(content=str(turn))]}, thread("r"))
    async with open_checkpoints(database) as saver:
        graph = builder.compile(checkpointer=saver)
        state = await graph.aget_state(thread("r"))
        history = [one async for one in graph.aget_state_history(thread("r"))]
    said = [message.content for message in state.values["messages"]]
    expected = [(str(n), f"heard {3 * n + 1}", f"heard {3 * n + 1}") for n in range(8)]
    assert said == list(itertools.chain(*expected))
    assert [len(one.values.get("messages", [])) for one in history][:3] == [24, 22, 21]


async def test_a_name_space_of_any_length_is_kept(saver: Saver):
    long = "|".join(f"agent:{n:032}" for n in range(30))
    config: RunnableConfig = {"configurable": {"thread_id": "r", "checkpoint_ns": long}}
    await put(saver, "r", "deep", config)
    kept = await saver.aget_tuple(config)
    listed = [one async for one in saver.alist({"configurable": {"thread_id": "r"}})]
    assert kept is not None
    assert kept.checkpoint["channel_values"] == {"value": "deep"}
    assert [one.config.get("configurable", {})["checkpoint_ns"] for one in listed] == [long]


@pytest.mark.slow
@pytest.mark.requirement("F4-1")
async def test_the_librarys_conformance_suite_passes(database: Database):
    async with open_checkpoints(database) as saver:

        @checkpointer_test(name="server")
        async def fresh() -> AsyncGenerator[Saver, None]:
            yield saver

        report = await validate(fresh)
    failures = {name: result.failures for name, result in report.results.items() if result.failures}
    assert failures == {}
    assert report.passed_all_base()
