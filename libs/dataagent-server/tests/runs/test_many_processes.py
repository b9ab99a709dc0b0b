"""Several servers on one database: runs change hands, and whoever lost one writes no more."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack

import pytest
from eventually import eventually
from scripted_runs import (
    PERSON,
    TENANT,
    log_of,
    open_scripted_runs,
    send_message,
    types,
    wait_for_status,
)
from sqlalchemy import Connection, update

from dataagent_core.events import DoneEvent, TextEvent
from dataagent_server.common.errors import LeaseLostError
from dataagent_server.db.database import Database
from dataagent_server.db.database_clock import database_now
from dataagent_server.db.open_database import open_database
from dataagent_server.db.tables.runs import server_instances
from dataagent_server.runs.run_services import RunServices
from dataagent_server.sessions.live.bus.choose_bus import choose_bus
from dataagent_server.sessions.live.follow import follow

pytestmark = pytest.mark.every_database

SLOW = {"text": "word " * 40, "chunk_delay_s": 0.05}
LONG = {"text": "word " * 400, "chunk_delay_s": 0.05}


@pytest.fixture
async def other_database(database: Database) -> AsyncGenerator[Database]:
    """The same database, opened as another process would."""
    open_scripted_runs = await open_database(database.url.render_as_string(hide_password=False))
    yield open_scripted_runs
    await open_scripted_runs.aclose()


@pytest.mark.requirement("F4-6")
async def test_an_answer_and_a_cancel_given_to_one_server_reach_the_other(
    database: Database, other_database: Database
) -> None:
    async with AsyncExitStack() as stack:
        bus, other_bus = choose_bus(database, None), choose_bus(other_database, None)
        first = await stack.enter_async_context(open_scripted_runs(database, LONG, bus=bus))
        second = await stack.enter_async_context(
            open_scripted_runs(other_database, LONG, bus=other_bus)
        )
        run = await send_message(first)
        await wait_for_status(second, run, "running")
        await second.service.cancel(PERSON, run.run_id)
        await wait_for_status(second, run, "cancelled")


@pytest.mark.requirement("F4-6")
async def test_a_reader_of_one_server_sees_what_another_writes(
    database: Database, other_database: Database
) -> None:
    async with AsyncExitStack() as stack:
        bus, other_bus = choose_bus(database, None), choose_bus(other_database, None)
        first = await stack.enter_async_context(open_scripted_runs(database, SLOW, bus=bus))
        second = await stack.enter_async_context(
            open_scripted_runs(other_database, SLOW, bus=other_bus)
        )
        reading = {asyncio.create_task(read_until_done(server)) for server in (first, second)}
        run = await send_message(first)
        await wait_for_status(first, run, "completed")
        one, other = [await task for task in reading]
    assert one == other == list(range(1, len(one) + 1))


async def read_until_done(runs: RunServices) -> list[int]:
    numbers: list[int] = []
    async with asyncio.timeout(30):
        log = runs.stores_of(TENANT).log
        async for lines in follow(runs.hub, log.read_lines, TENANT, "s", after=0, idle_s=5):  # pyright: ignore[reportAttributeAccessIssue]
            numbers += [line.seq for line in lines]
            if any(line.data["event_type"] == "done" for line in lines):
                break
    return numbers


@pytest.mark.requirement("F4-3")
async def test_a_server_that_was_only_frozen_writes_nothing_more(
    database: Database, other_database: Database
) -> None:
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(open_scripted_runs(database, SLOW))
        run = await send_message(first)
        await eventually(lambda: spoken(first))
        frozen = first.stores_of(TENANT).log
        # As if its heart had not been heard for long; its lock still says that it lives.
        await database.write(_forget_heartbeats)
        second = await stack.enter_async_context(open_scripted_runs(other_database, SLOW))
        await wait_for_status(second, run, "completed")
        with pytest.raises(LeaseLostError):
            await frozen.append("s", run.run_id, [TextEvent(content="late")])
        with pytest.raises(LeaseLostError):
            await first.stores_of(TENANT).messages.save_message(
                "s", "assistant", "late", message_id=f"{run.run_id}:answer"
            )
        await eventually(lambda: first.runner.active == 0)
        events = await log_of(second)
    counted = Counter(types(events))
    assert (counted["start"], counted["resumed"], counted["done"]) == (1, 1, 1)
    assert isinstance(events[-1], DoneEvent)
    assert [e.seq for e in events] == list(range(1, len(events) + 1))


async def spoken(runs: RunServices) -> bool:
    return "text" in types(await log_of(runs))


def _forget_heartbeats(connection: Connection) -> None:
    long_ago = database_now(connection).replace(year=2000)
    connection.execute(update(server_instances).values(heartbeat_at=long_ago))
