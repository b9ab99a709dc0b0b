"""S0's MySQL stores, opened as S0 opens them: by host, user and password, on an empty database."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest
from sqlalchemy import make_url

from dataagent_server.stores.mysql import MySQLMessageStore, MySQLSessionStore

pytestmark = pytest.mark.parametrize("database_kind", ["mariadb"])


@pytest.fixture
def account(empty_database_url: str) -> dict[str, Any]:
    url = make_url(empty_database_url)
    return {
        "host": url.host,
        "port": url.port,
        "user": url.username,
        "password": url.password or "",
        "database": url.database,
    }


@pytest.fixture
async def sessions(account: dict[str, Any]) -> AsyncGenerator[MySQLSessionStore]:
    store = MySQLSessionStore(**account, pool_size=2, max_overflow=0)
    await store.init_tables()
    yield store
    await store.aclose()


async def test_sessions_and_messages_are_kept(sessions: MySQLSessionStore, account: dict[str, Any]):
    made = await sessions.create("ada", "helper")
    assert await sessions.get(made.session_id) == made
    assert await sessions.list_by_assistant("helper") == [made]
    messages = MySQLMessageStore(**account, pool_size=2)
    try:
        await messages.init_tables()
        await messages.save_message(made.session_id, "user", "hello")
        assert [one.content for one in await messages.get_messages(made.session_id)] == ["hello"]
    finally:
        await messages.aclose()
