"""S0 property 44: connections are taken and given back, whatever happens meanwhile."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, insert, select, text

from dataagent_core.errors import StorageError
from dataagent_core.ids import new_id
from dataagent_server.db.database import Database
from dataagent_server.db.engine_database import EngineDatabase
from dataagent_server.db.open_database import open_database
from dataagent_server.db.pool import PoolSizes
from dataagent_server.db.tables.conversations import session_counters as counters

pytestmark = pytest.mark.every_database

KINDS = st.lists(st.sampled_from(["read", "write", "fail", "cancel"]), min_size=1, max_size=16)


def taken(database: Database) -> int:
    if not isinstance(database, EngineDatabase):
        return 0
    return database.connections_in_use()


async def operate(database: Database, kind: str, tenant: str) -> None:
    def work(connection: Connection) -> None:
        row = {"tenant_id": tenant, "session_id": new_id(), "last_seq": 0}
        connection.execute(insert(counters), row)
        if kind == "fail":
            raise KeyError(kind)

    if kind == "read":
        await database.read(lambda c: c.execute(select(counters.c.last_seq).limit(1)).all())
    elif kind == "cancel":
        task = asyncio.create_task(database.read(lambda c: c.execute(text("SELECT 1")).all()))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    else:
        await database.write(work)


@pytest.mark.requirement("S0-44")
@given(kinds=KINDS)
async def test_property_44_more_operations_than_connections_all_finish(
    database_url: str, kinds: list[str]
):
    database = await open_database(database_url, PoolSizes(size=2, overflow=1))
    tenant = new_id()
    results = await asyncio.gather(
        *(operate(database, kind, tenant) for kind in kinds), return_exceptions=True
    )
    assert [type(r) for r in results] == [KeyError if k == "fail" else type(None) for k in kinds]
    kept = select(counters.c.session_id).where(counters.c.tenant_id == tenant)
    found = await database.read(lambda c: len(c.execute(kept).all()))
    assert found == kinds.count("write")
    assert taken(database) == 0
    await database.aclose()


@pytest.mark.parametrize("database_kind", ["mariadb", "postgresql"])
async def test_who_waits_too_long_for_a_connection_hears_why(database_url: str):
    database = await open_database(database_url, PoolSizes(size=1, overflow=0, wait_s=0.2))
    sleep = "SELECT SLEEP(1)" if "mysql" in database_url else "SELECT pg_sleep(1)"
    slow = asyncio.create_task(database.read(lambda c: c.execute(text(sleep)).all()))
    await asyncio.sleep(0)
    with pytest.raises(StorageError, match="every connection"):
        await database.read(lambda c: c.execute(text("SELECT 1")).all())
    await slow
    assert await database.read(lambda c: c.execute(text("SELECT 1")).scalar()) == 1
    await database.aclose()
