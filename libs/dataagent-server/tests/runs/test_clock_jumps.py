"""The clock is set: whoever is taken for dead by mistake, no run is lost and none is doubled."""

from collections import Counter
from collections.abc import AsyncGenerator
from datetime import timedelta

import pytest
from eventually import eventually
from scripted_runs import log_of, open_scripted_runs, send_message, types, wait_for_status
from sqlalchemy import Connection, select, update

from dataagent_core.session.state import now
from dataagent_server.db.database import Database
from dataagent_server.db.open_database import open_database
from dataagent_server.db.tables.runs import agent_executions, server_instances
from dataagent_server.runs.run_services import RunServices
from dataagent_server.runs.worker import leases

pytestmark = pytest.mark.every_database

SLOW = {"text": "word " * 40, "chunk_delay_s": 0.05}
DAY = timedelta(days=1)


@pytest.fixture
async def other_database(database: Database) -> AsyncGenerator[Database]:
    """The same database, opened as another process would."""
    open_scripted_runs = await open_database(database.url.render_as_string(hide_password=False))
    yield open_scripted_runs
    await open_scripted_runs.aclose()


@pytest.mark.parametrize("jump", [DAY, -DAY], ids=["forward", "back"])
@pytest.mark.requirement("F4-clock-jumps")
async def test_a_run_under_way_ends_once_when_the_clock_is_set(
    database: Database, other_database: Database, jump: timedelta
) -> None:
    async with open_scripted_runs(database, SLOW) as first:
        run = await send_message(first)
        await eventually(lambda: spoken(first))
        # Seen from a clock that was set, every sign of life is a day away.
        await database.write(lambda c: move_heartbeats(c, -jump))
        async with open_scripted_runs(other_database, SLOW) as second:
            await wait_for_status(second, run, "completed")
            await eventually(lambda: first.runner.active + second.runner.active == 0)
            await check_ended_once(second)


@pytest.mark.requirement("F4-clock-jumps")
async def test_the_run_of_a_dead_process_is_taken_up_though_its_last_sign_is_of_tomorrow(
    database: Database, other_database: Database
) -> None:
    async with open_scripted_runs(database, SLOW) as first:
        run = await send_message(first)
        await eventually(lambda: spoken(first))
        # As if another host had taken the run over, and died before the clock was set back.
        await database.write(die_tomorrow)
        async with open_scripted_runs(other_database, SLOW) as second:
            await wait_for_status(second, run, "completed")
            await check_ended_once(second)


@pytest.mark.requirement("F4-3")
async def test_a_claim_whose_end_was_not_heard_is_given_back_and_nothing_else(
    database: Database,
) -> None:
    async with open_scripted_runs(database, SLOW) as runs:
        await runs.runner.aclose()
        lost, known = await send_message(runs), await send_message(runs, session_id="known")
        claimed = await database.write(lambda c: leases.claim(c, "me", limit=10))
        assert {run.run_id for run in claimed} == {lost.run_id, known.run_id}
        await database.write(lambda c: leases.release_unknown(c, "me", known=[known.run_id]))
        await database.write(lambda c: leases.release_unknown(c, "you", known=[]))
        await wait_for_status(runs, lost, "queued")
        await wait_for_status(runs, known, "running")


async def spoken(runs: RunServices) -> bool:
    return "text" in types(await log_of(runs))


async def check_ended_once(runs: RunServices) -> None:
    events = await log_of(runs)
    counted = Counter(types(events))
    assert (counted["start"], counted["done"]) == (1, 1)
    assert types(events)[-1] == "done"
    assert [event.seq for event in events] == list(range(1, len(events) + 1))


def move_heartbeats(connection: Connection, by: timedelta) -> None:
    beats = select(server_instances.c.instance_id, server_instances.c.heartbeat_at)
    for instance_id, beat_at in connection.execute(beats).all():
        moved = update(server_instances).where(server_instances.c.instance_id == instance_id)
        connection.execute(moved.values(heartbeat_at=beat_at + by))


def die_tomorrow(connection: Connection) -> None:
    row = {
        "instance_id": "elsewhere",
        "host": "elsewhere",
        "process_id": 1,
        "started_at": now(),
        "heartbeat_at": now() + DAY,
    }
    connection.execute(server_instances.insert(), row)
    runs = agent_executions
    connection.execute(update(runs).values(owner="elsewhere", fence=runs.c.fence + 1))
