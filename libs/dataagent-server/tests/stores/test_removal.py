"""A deleted session is gone at once; what was said in it goes a piece at a time."""

import asyncio
import time

import pytest
from sqlalchemy import Connection, func, select

from dataagent_core.errors import ConflictError
from dataagent_core.session.state import Session
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.db.tables.conversations import (
    agent_execution_events,
    messages,
    session_removals,
    tool_execution_records,
)
from dataagent_server.sessions.session_rows import remove_whole
from dataagent_server.stores.limits import REMOVED_ROWS_AT_ONCE_MAX
from dataagent_server.stores.removal import finish_removals, remove_rest
from dataagent_server.stores.sessions import insert_session

pytestmark = pytest.mark.every_database

TENANT = TenantId("t")
TABLES = (agent_execution_events, messages, tool_execution_records, session_removals)


def make(connection: Connection, session_id: str, events: int) -> None:
    insert_session(connection, TENANT, Session(session_id, "u", "a"), None, None)
    connection.execute(
        agent_execution_events.insert(),
        [
            {
                "tenant_id": TENANT,
                "session_id": session_id,
                "seq": number + 1,
                "run_id": "r",
                "event_id": f"e{number}",
                "event_type": "text",
                "event_data": "{}",
            }
            for number in range(events)
        ],
    )


def left(connection: Connection) -> list[int]:
    return [
        connection.execute(select(func.count()).select_from(one)).scalar_one() for one in TABLES
    ]


async def test_a_long_session_is_removed_to_its_last_row_and_its_neighbour_stays(
    database: Database,
):
    await database.write(lambda c: make(c, "long", 2 * REMOVED_ROWS_AT_ONCE_MAX + 1))
    await database.write(lambda c: make(c, "other", 3))
    await database.write(lambda c: remove_whole(c, TENANT, "long"))
    await remove_rest(database, TENANT, "long")
    assert await database.read(left) == [3, 0, 0, 0]


async def test_an_id_is_free_again_when_nothing_is_left_of_it(database: Database):
    await database.write(lambda c: make(c, "again", 3))
    await database.write(lambda c: remove_whole(c, TENANT, "again"))
    with pytest.raises(ConflictError, match="still being removed"):
        await database.write(lambda c: make(c, "again", 1))
    # As after a crash: only the note tells of it.
    await finish_removals(database)
    await database.write(lambda c: make(c, "again", 1))
    assert await database.read(left) == [1, 0, 0, 0]


@pytest.mark.parametrize("database_kind", ["sqlite"])
async def test_nobody_waits_long_for_the_writer_while_a_long_session_goes(database: Database):
    for part in range(10):
        await database.write(lambda c, part=part: make(c, f"long{part}", 5_000))

    async def delete() -> None:
        for part in range(10):
            await database.write(lambda c, part=part: remove_whole(c, TENANT, f"long{part}"))
            await remove_rest(database, TENANT, f"long{part}")

    deleting = asyncio.create_task(delete())
    waits: list[float] = []
    while not deleting.done():
        began = time.monotonic()
        await database.write(lambda c: c.execute(select(1)).scalar())
        waits.append(time.monotonic() - began)
    await deleting
    # Others had their turn in between; how long each took is the machine's affair.
    assert len(waits) > 20
