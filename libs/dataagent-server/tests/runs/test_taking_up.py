"""Which queued run is taken up, on each database."""

import pytest
from scripted_runs import open_scripted_runs, send_message, wait_for_status
from sqlalchemy import Connection, update

from dataagent_server.db.database import Database
from dataagent_server.db.tables.runs import agent_executions
from dataagent_server.runs.worker import leases

pytestmark = pytest.mark.every_database

SLOW = {"text": "word " * 200, "chunk_delay_s": 0.05}


class UndoneError(Exception):
    """Takes a transaction back."""


async def test_a_session_takes_no_other_run_until_the_last_one_is_put_away(database: Database):
    """A run is over in the database before its agent is: the next would find the session taken."""
    taken: list[list[str]] = []
    async with open_scripted_runs(database, SLOW, {"text": "x"}) as runs:
        first = await send_message(runs)
        await wait_for_status(runs, first, "running")
        second = await send_message(runs)

        def over_and_claimed(connection: Connection) -> None:
            is_first = agent_executions.c.run_id == first.run_id
            connection.execute(update(agent_executions).where(is_first).values(status="completed"))
            for busy_with in ([first.run_id], []):
                found = leases.claim(connection, "another", limit=5, busy_with=busy_with)
                taken.append([run.run_id for run in found])
            raise UndoneError

        with pytest.raises(UndoneError):
            await database.write(over_and_claimed)
    assert taken == [[], [second.run_id]]
