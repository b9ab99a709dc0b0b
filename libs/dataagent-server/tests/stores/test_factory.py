"""The setting `session_store` makes the store it names."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis.asyncio import Redis

from dataagent_core.errors import ConfigurationError
from dataagent_core.session.stores.memory import MemorySessionStore
from dataagent_core.session.stores.redis import RedisSessionStore
from dataagent_server.db.database import Database
from dataagent_server.db.open import open_database
from dataagent_server.stores.factory import SessionStoreFactory
from dataagent_server.stores.sessions import SqlSessionStore

pytestmark = pytest.mark.every_database

_NAMES = {"sqlite": "sqlite", "mysql": "mysql", "postgresql": "postgres"}


@pytest.mark.requirement("S0-43")
@given(name=st.sampled_from(["memory", *_NAMES.values()]), tenant=st.text("ab", min_size=1))
async def test_property_43_a_name_makes_the_store_it_names(
    database: Database, name: str, tenant: str
):
    if name in {"memory", _NAMES[database.dialect]}:
        store = SessionStoreFactory.create(name, tenant, database=database)
        assert isinstance(store, MemorySessionStore if name == "memory" else SqlSessionStore)
        created = await store.create("ada", "helper")
        assert await store.get(created.session_id) == created
    else:
        with pytest.raises(ConfigurationError, match="DATAAGENT_DATABASE_URL"):
            SessionStoreFactory.create(name, tenant, database=database)


async def test_property_43_memory_and_redis_make_theirs(redis_url: str):
    assert isinstance(SessionStoreFactory.create("memory", "t"), MemorySessionStore)
    with pytest.raises(ConfigurationError, match="DATAAGENT_REDIS_URL"):
        SessionStoreFactory.create("redis", "t")
    async with Redis.from_url(redis_url) as redis:
        made = SessionStoreFactory.create("redis", "t", redis=redis)
        assert isinstance(made, RedisSessionStore)


@pytest.mark.requirement("S0-43")
@given(
    st.text().filter(lambda name: name not in {"memory", "sqlite", "mysql", "postgres", "redis"})
)
def test_property_43_another_name_is_refused_with_the_choices(name: str):
    with pytest.raises(ConfigurationError, match="memory, sqlite, mysql, postgres, redis"):
        SessionStoreFactory.create(name, "t")


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
