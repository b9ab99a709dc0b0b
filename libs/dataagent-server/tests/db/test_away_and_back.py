"""A database that goes away: the caller hears so, and everything works when it is back."""

import asyncio
import itertools
from collections.abc import AsyncGenerator, Callable
from typing import Any

import aiomysql
import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import empty_checkpoint
from sqlalchemy import make_url, text

from dataagent_core.errors import StorageError
from dataagent_core.events import TextEvent
from dataagent_server.db import engine_database
from dataagent_server.db.database import Database
from dataagent_server.db.migrate import migrate
from dataagent_server.db.open_database import open_database
from dataagent_server.db.pool import PoolSizes
from dataagent_server.stores.checkpoints import open_checkpoints
from dataagent_server.stores.event_log import ServerEventLog
from dataagent_server.stores.log_writer import LogWriter
from dataagent_server.stores.messages import ServerMessageStore
from tests.services.mariadb import MariaDBService
from tests.services.postgresql import PostgreSQLService
from tests.services.process import Service
from tests.services.tcp_server import tcp_server

_numbers = itertools.count(1)
CONFIG: RunnableConfig = {"configurable": {"thread_id": "r", "checkpoint_ns": ""}}


@pytest.fixture(params=["mariadb", "postgresql"])
def service(
    request: pytest.FixtureRequest, own_services: Callable[[str], Service]
) -> MariaDBService | PostgreSQLService:
    """A server of this file's own: others would miss the shared one."""
    started = own_services(request.param)
    assert isinstance(started, MariaDBService | PostgreSQLService)
    return started


@pytest.fixture
async def database(service: MariaDBService | PostgreSQLService) -> AsyncGenerator[Database]:
    name = f"away_{next(_numbers)}"
    service.client.create(name)
    url = service.client.url(name)
    await migrate(url)
    opened = await open_database(url)
    yield opened
    await opened.aclose()


async def test_a_server_that_was_restarted_is_used_again_as_if_nothing_had_been(
    database: Database, service: Service
):
    log = ServerEventLog(LogWriter(database), "t")
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
    log = ServerEventLog(LogWriter(database), "t")
    messages = ServerMessageStore(database, "t")
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


async def test_a_cancellation_that_comes_with_the_connection_is_not_lost(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(engine_database, "_CONNECT_S", 600)

    async def say_nothing(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.read()

    driver: Any = aiomysql.connection
    connect = driver._open_connection

    async def connect_and_cancel(*place: Any) -> Any:
        pair = await connect(*place)
        asyncio.get_running_loop().call_soon(reading.cancel)
        return pair

    monkeypatch.setattr(driver, "_open_connection", connect_and_cancel)
    async with tcp_server(say_nothing) as port:
        database = engine_database.EngineDatabase(
            make_url(f"mysql+aiomysql://root@127.0.0.1:{port}/x"), PoolSizes()
        )
        reading = asyncio.create_task(database.read(lambda c: c.execute(text("SELECT 1"))))
        await asyncio.wait([reading], timeout=60)
        assert reading.cancelled()
        await database.aclose()


async def test_a_server_that_takes_a_connection_and_says_nothing_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(engine_database, "_CONNECT_S", 0.05)
    monkeypatch.setattr(engine_database, "_TRIES", 2)

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async with tcp_server(say_nothing) as port:
        database = engine_database.EngineDatabase(
            make_url(f"mysql+aiomysql://root@127.0.0.1:{port}/x"), PoolSizes()
        )
        with pytest.raises(StorageError, match=r"said nothing for 0\.05 seconds"):
            await database.read(lambda connection: connection.execute(text("SELECT 1")))
        await database.aclose()
