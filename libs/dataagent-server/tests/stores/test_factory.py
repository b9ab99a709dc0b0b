"""The setting `session_store` makes the store it names."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis.asyncio import Redis
from sqlalchemy import make_url

from dataagent_core.errors import ConfigurationError
from dataagent_core.session.stores.memory import MemorySessionStore
from dataagent_core.session.stores.redis import RedisSessionStore
from dataagent_server.db.database import Database
from dataagent_server.db.open_database import open_database
from dataagent_server.stores.factory import SessionStoreFactory
from dataagent_server.stores.mysql import MySQLSessionStore
from dataagent_server.stores.sessions import ServerSessionStore

pytestmark = pytest.mark.every_database

_NAMES = {"sqlite": "sqlite", "mysql": "mysql", "postgresql": "postgres"}


@pytest.mark.requirement("S0-43")
@given(name=st.sampled_from(["memory", *_NAMES.values()]), tenant=st.text("ab", min_size=1))
async def test_property_43_a_name_makes_the_store_it_names(
    database: Database, name: str, tenant: str
):
    if name in {"memory", _NAMES[database.dialect]}:
        store = SessionStoreFactory.create(name, tenant, database=database)
        assert isinstance(store, MemorySessionStore if name == "memory" else ServerSessionStore)
        created = await store.create("ada", "helper")
        assert await store.get(created.session_id) == created
    else:
        with pytest.raises(ConfigurationError, match="DATAAGENT_DATABASE_URL"):
            SessionStoreFactory.create(name, tenant, database=database)


async def test_property_43_memory_and_redis_make_theirs(redis_url: str):
    # As S0 writes it.
    memory = SessionStoreFactory.create("memory")
    created = await memory.create("ada", "helper")
    assert await memory.get(created.session_id) == created
    assert await SessionStoreFactory.create("memory").get(created.session_id) is None
    with pytest.raises(ConfigurationError, match="DATAAGENT_REDIS_URL"):
        SessionStoreFactory.create("redis")
    async with Redis.from_url(redis_url) as redis:
        created = await SessionStoreFactory.create("redis", redis=redis).create("ada", "helper")
        again = SessionStoreFactory.create("redis", redis=redis)
        assert isinstance(again, RedisSessionStore)
        assert await again.get(created.session_id) == created


@pytest.mark.requirement("S0-43")
async def test_property_43_mysql_is_opened_with_s0s_account(mariadb_url: str):
    url = make_url(mariadb_url)
    account: dict[str, Any] = {
        "host": url.host, "port": url.port, "user": url.username, "password": "",
        "database": url.database, "pool_size": 2,
    }  # fmt: skip
    first = SessionStoreFactory.create("mysql", **account)
    second = SessionStoreFactory.create("mysql", **account)
    assert isinstance(first, MySQLSessionStore)
    assert isinstance(second, MySQLSessionStore)
    try:
        await first.init_tables()
        created = await first.create("ada", "helper")
        assert await second.get(created.session_id) == created
    finally:
        await first.aclose()
        await second.aclose()


@pytest.mark.requirement("S0-43")
@given(
    st.text().filter(lambda name: name not in {"memory", "sqlite", "mysql", "postgres", "redis"})
)
def test_property_43_another_name_is_refused_with_the_choices(name: str):
    with pytest.raises(ConfigurationError, match="memory, sqlite, mysql, postgres, redis"):
        SessionStoreFactory.create(name)


@pytest.mark.parametrize(
    "url", ["oracle://u:secret@h/d", "nonsense", "", "postgresql://u:se cret@:x/", "sqlite://"]
)
async def test_a_url_that_names_no_database_is_refused_without_its_password(
    url: str, tmp_path: Path
):
    with pytest.raises(ConfigurationError) as refused:
        await open_database(url)
    assert "secret" not in str(refused.value)
    assert "se cret" not in str(refused.value)
