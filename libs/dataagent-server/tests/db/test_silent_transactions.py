"""A process that is frozen inside a transaction does not hold up the others for ever."""

import asyncio
import threading

import pytest
from sqlalchemy import Connection, select, update

from dataagent_server.db.database import Database
from dataagent_server.db.open_database import open_database
from dataagent_server.db.pool import SILENT_TRANSACTION_S
from dataagent_server.db.tables.runs import agent_executions as runs
from tests.services.rows import add_run, take_over

pytestmark = pytest.mark.every_database


@pytest.mark.slow
@pytest.mark.parametrize("database_kind", ["mariadb", "postgresql"])
@pytest.mark.requirement("F4-3")
async def test_a_run_locked_by_somebody_who_stopped_is_taken_over_and_his_write_comes_too_late(
    database: Database, database_url: str
):
    await add_run(database, "r", fence=1)
    locked, go_on = threading.Event(), threading.Event()
    seen: list[int] = []

    def work(connection: Connection) -> None:
        seen.append(connection.execute(select(runs.c.fence).with_for_update()).scalar_one())
        if len(seen) == 1:
            locked.set()
            assert go_on.wait(SILENT_TRANSACTION_S * 3)
        connection.execute(update(runs).values(attempt=seen[-1]))

    async def frozen() -> None:
        own = await open_database(database_url)
        try:
            await own.write(work)
        finally:
            await own.aclose()

    # A loop of its own, which stands still while `work` waits: that is being frozen.
    thread = asyncio.create_task(asyncio.to_thread(lambda: asyncio.run(frozen())))
    assert await asyncio.to_thread(locked.wait, 30)
    async with asyncio.timeout(SILENT_TRANSACTION_S * 2):
        await take_over(database, "r")
    go_on.set()
    await thread
    # Its transaction was ended by the database, and what it repeated saw the new number.
    assert seen == [1, 2]
