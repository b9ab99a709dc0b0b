"""A database that goes away: the caller hears so, and everything works when it is back."""

import asyncio

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import empty_checkpoint

from dataagent_core.errors import StorageError
from dataagent_core.events import TextEvent
from dataagent_server.db.database import Database
from dataagent_server.stores.checkpoints import open_checkpoints
from dataagent_server.stores.log import SqlEventLog
from dataagent_server.stores.log_writer import LogWriter
from dataagent_server.stores.messages import SqlMessageStore
from tests.services.process import Service

CONFIG: RunnableConfig = {"configurable": {"thread_id": "r", "checkpoint_ns": ""}}


@pytest.fixture(params=["mariadb", "postgresql"])
def database_kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def service(database_kind: str, request: pytest.FixtureRequest) -> Service:
    return request.getfixturevalue(f"{database_kind}_service")


async def test_a_server_that_was_restarted_is_used_again_as_if_nothing_had_been(
    database: Database, service: Service
):
    log = SqlEventLog(LogWriter(database), "t")
    # Several connections in the pool, all of which the restart will break.
    await asyncio.gather(*(log.append(f"s{n}", "r", [TextEvent(content="a")]) for n in range(5)))
    await asyncio.gather(*(log.read(f"s{n}") for n in range(5)))
    service.stop()
    service.start()
    assert [e.seq for e in await log.append("s0", "r", [TextEvent(content="b")])] == [2]
    assert [e.seq for e in await log.read("s0")] == [1, 2]


async def test_while_a_server_is_away_callers_hear_so_and_afterwards_nothing_is_missing(
    database: Database, service: Service
):
    log = SqlEventLog(LogWriter(database), "t")
    messages = SqlMessageStore(database, "t")
    async with open_checkpoints(database) as saver:
        await log.append("s", "r", [TextEvent(content="a")])
        await messages.save_message("s", "user", "hello", message_id="m")
        config = await saver.aput(CONFIG, empty_checkpoint(), {"step": 1}, {})
        service.stop()
        for doing in (
            log.append("s", "r", [TextEvent(content="lost")]),
            log.read("s"),
            messages.save_message("s", "user", "lost"),
            asyncio.wait_for(saver.aput_writes(config, [("c", "lost")], "task"), 60),
        ):
            with pytest.raises(StorageError):
                await doing
        service.start()
        assert [e.seq for e in await log.append("s", "r", [TextEvent(content="b")])] == [2]
        assert [m.message_id for m in await messages.get_messages("s")] == ["m"]
        await saver.aput_writes(config, [("c", "kept")], "task")
        kept = await saver.aget_tuple(CONFIG)
    assert kept is not None
    assert kept.pending_writes == [("task", "c", "kept")]
