"""The engine's checkpoints live in the same file as everything else."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from operator import add
from pathlib import Path
from typing import Annotated, Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from dataagent_core.errors import StorageError, ValidationError
from dataagent_core.session.stores.bundle import open_sqlite
from dataagent_core.session.stores.sqlite import SqliteDatabase
from dataagent_core.session.stores.sqlite.checkpoints import SqliteCheckpointer


class State(TypedDict):
    messages: Annotated[list[AnyMessage], add]


@dataclass
class NotOurs:
    """A type the engine does not know."""

    value: str


def thread(name: str) -> RunnableConfig:
    return {"configurable": {"thread_id": name, "checkpoint_ns": ""}}


@pytest.fixture
async def checkpointer(database: SqliteDatabase) -> SqliteCheckpointer:
    made = SqliteCheckpointer(database)
    await made.setup()
    return made


async def put(checkpointer: SqliteCheckpointer, name: str, value: Any) -> RunnableConfig:
    checkpoint = empty_checkpoint()
    checkpoint["channel_values"] = {"value": value}
    checkpoint["channel_versions"] = {"value": "1"}
    return await checkpointer.aput(thread(name), checkpoint, {"step": 1}, {"value": "1"})


async def test_a_graph_goes_on_from_what_the_file_holds(tmp_path: Path):
    def answer(state: State) -> State:
        return {"messages": [AIMessage(content=f"heard {len(state['messages'])}")]}

    builder = StateGraph(State)
    builder.add_node("answer", answer)
    builder.add_edge(START, "answer")
    builder.add_edge("answer", END)
    for said in ("你好", "👋"):
        async with open_sqlite(tmp_path / "dataagent.db", "t") as stores:
            graph = builder.compile(checkpointer=stores.checkpoints)
            await graph.ainvoke({"messages": [HumanMessage(content=said)]}, thread("s"))
    async with open_sqlite(tmp_path / "dataagent.db", "t") as stores:
        graph = builder.compile(checkpointer=stores.checkpoints)
        state = await graph.aget_state(thread("s"))
        history = [snapshot async for snapshot in graph.aget_state_history(thread("s"))]
    assert [m.content for m in state.values["messages"]] == ["你好", "heard 1", "👋", "heard 3"]
    assert history[0] == state
    assert len(history) == 6


async def test_a_deleted_thread_is_gone_and_others_stay(checkpointer: SqliteCheckpointer):
    for name in ("gone", "stays"):
        config = await put(checkpointer, name, name)
        await checkpointer.aput_writes(config, [("value", name)], "task")
    await checkpointer.adelete_thread("gone")
    assert await checkpointer.aget_tuple(thread("gone")) is None
    kept = await checkpointer.aget_tuple(thread("stays"))
    assert kept is not None
    assert kept.checkpoint["channel_values"] == {"value": "stays"}
    assert kept.pending_writes == [("task", "value", "stays")]


async def test_a_type_that_is_not_known_is_not_rebuilt_from_the_file(
    checkpointer: SqliteCheckpointer,
):
    await put(checkpointer, "s", NotOurs(value="plain"))
    kept = await checkpointer.aget_tuple(thread("s"))
    assert kept is not None
    assert kept.checkpoint["channel_values"] == {"value": {"value": "plain"}}


@pytest.mark.requirement("F2-full-disk")
async def test_on_a_full_disk_a_tasks_writes_are_kept_whole_or_not_at_all(
    database: SqliteDatabase, checkpointer: SqliteCheckpointer
):
    config = await put(checkpointer, "s", "before")
    pages = await database.read(lambda c: c.execute("PRAGMA page_count").fetchone()[0])
    await database.read(lambda c: c.execute(f"PRAGMA max_page_count = {pages}").fetchone())
    with pytest.raises(StorageError, match="The disk is full"):
        await checkpointer.aput_writes(config, [("small", "x"), ("large", "x" * 50_000)], "task")
    kept = await checkpointer.aget_tuple(thread("s"))
    assert kept is not None
    assert kept.checkpoint["channel_values"] == {"value": "before"}
    assert kept.pending_writes == []


async def test_a_write_that_cannot_be_stored_takes_the_tasks_other_writes_with_it(
    checkpointer: SqliteCheckpointer,
):
    config = await put(checkpointer, "s", "before")
    with pytest.raises(ValidationError, match="no character"):
        await checkpointer.aput_writes(config, [("good", "x"), ("\ud800", "y")], "task")
    kept = await checkpointer.aget_tuple(thread("s"))
    assert kept is not None
    assert kept.pending_writes == []


@pytest.mark.slow
async def test_the_librarys_conformance_suite_passes(tmp_path: Path):
    made = 0

    @checkpointer_test(name="SqliteCheckpointer")
    async def fresh() -> AsyncGenerator[SqliteCheckpointer, None]:
        nonlocal made
        made += 1
        async with SqliteDatabase(tmp_path / f"{made}.db") as database:
            checkpointer = SqliteCheckpointer(database)
            await checkpointer.setup()
            yield checkpointer

    report = await validate(fresh)
    failures = {name: result.failures for name, result in report.results.items() if result.failures}
    assert failures == {}
    assert report.passed_all_base()
