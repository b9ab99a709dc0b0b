"""`DATAAGENT_SESSION_STORE` decides where a server's sessions are (S0 property 43), over HTTP."""

import json
from typing import Any

import pytest
from live_server import Caller, LiveServer, open_live_server
from redis.asyncio import Redis
from sqlalchemy import make_url, select

from dataagent_core.session import Session
from dataagent_server.common.ids import DEFAULT_TENANT
from dataagent_server.db.tables.conversations import sessions as table
from tests.server.fixtures import MakeSettings

KINDS = ["sqlite", "mysql", "postgres", "redis", "memory"]
NOTES = {"pinned": True}


@pytest.fixture
def chosen(kind: str, request: pytest.FixtureRequest) -> dict[str, str]:
    """What an operator sets for a kind of store."""
    values = {"session_store": kind}
    match kind:
        case "mysql":
            url = make_url(request.getfixturevalue("mariadb_url"))
            account = (url.host, str(url.port), url.username, url.password, url.database)
            names = ("host", "port", "user", "password", "database")
            values |= {f"mysql_{n}": v for n, v in zip(names, account, strict=True) if v}
        case "postgres":
            values["database_url"] = request.getfixturevalue("postgresql_url")
        case "redis":
            values["redis_url"] = request.getfixturevalue("redis_url")
        case _:
            pass
    return values


async def in_database(live: LiveServer, session_id: str) -> Any:
    """Return what the session's row keeps of its metadata."""
    row = select(table.c.metadata).where(table.c.session_id == session_id)
    return await live.services.database.read(lambda c: c.execute(row).scalar_one())


async def in_redis(url: str, session_id: str) -> list[dict[str, Any]]:
    """Return the records of a session that Redis holds."""
    async with Redis.from_url(url) as redis:
        keys = [key async for key in redis.scan_iter(f"*:{session_id}")]
        return [json.loads((await redis.hgetall(key))[b"row"]) for key in keys]


async def in_store(live: LiveServer, session_id: str) -> Session | None:
    """Look in the store of the manager that runs the sessions."""
    return await live.services.runs.agents.manager_of(DEFAULT_TENANT).store.get(session_id)


async def seen(
    live: LiveServer, caller: Caller, session_id: str
) -> tuple[int, list[str], list[str]]:
    """Return what the owner sees of a session: its status, the list, and a search."""
    get, path = live.http.get, "/api/v1/sessions"
    shown = await get(f"{path}/{session_id}", headers=caller.headers)
    lists = [await get(path + query, headers=caller.headers) for query in ("", "?q=penguins")]
    listed = [[one["session_id"] for one in answer.json()["items"]] for answer in lists]
    return shown.status_code, listed[0], listed[1]


@pytest.mark.requirement("S0-43")
@pytest.mark.parametrize("kind", KINDS)
async def test_s0_43_sessions_are_in_the_store_that_is_chosen_and_in_no_other(
    make_settings: MakeSettings, kind: str, chosen: dict[str, str]
):
    async with open_live_server(make_settings(**chosen)) as live:
        dialect = {"mysql": "mysql", "postgres": "postgresql"}.get(kind, "sqlite")
        assert live.services.database.dialect == dialect
        ann = await live.person()
        made = await live.session(ann, metadata=NOTES)
        talked = (await live.chat(ann, "about penguins"))["session_id"]
        for session_id, notes in ((made, NOTES), (talked, {})):
            record = await in_store(live, session_id)
            assert record is not None
            assert (record.user_id, record.metadata) == (ann.who.user_id, notes)
        own_store = kind in {"redis", "memory"}
        assert await in_database(live, made) == ({} if own_store else NOTES)
        if kind == "redis":
            (record,) = await in_redis(chosen["redis_url"], made)
            assert (record["user_id"], record["metadata"]) == (ann.who.user_id, json.dumps(NOTES))


@pytest.mark.every_database
@pytest.mark.requirement("S0-43")
async def test_s0_43_sessions_in_memory_end_with_the_process_and_those_in_the_database_do_not(
    make_settings: MakeSettings, database_url: str
):
    async with open_live_server(make_settings(database_url=database_url)) as live:
        ann = await live.person()
        before = (await live.chat(ann, "about penguins"))["session_id"]
    in_memory = make_settings(session_store="memory", database_url=database_url)
    async with open_live_server(in_memory) as live:
        assert await seen(live, ann, before) == (200, [before], [before])
        lost = (await live.chat(ann, "more about penguins"))["session_id"]
        assert await seen(live, ann, lost) == (200, [lost, before], [lost, before])
    async with open_live_server(in_memory) as live:
        assert await seen(live, ann, lost) == (404, [before], [before])
        again = {"message": "hi", "session_id": lost}
        answer = await live.http.post("/api/v1/chat", json=again, headers=ann.headers)
        assert answer.status_code == 404
        # Nothing of it stays behind, and nothing else goes.
        rows = select(table.c.session_id)
        assert await live.services.remover.remove_lost() == 1
        left = await live.services.database.read(lambda c: list(c.execute(rows).scalars()))
        assert left == [before]
        kept = (await live.chat(ann, "penguins again"))["session_id"]
        assert await live.services.remover.remove_lost() == 0
        assert await seen(live, ann, kept) == (200, [kept, before], [kept, before])


@pytest.mark.every_database
async def test_a_process_deletes_no_session_in_the_memory_of_another_that_lives(
    make_settings: MakeSettings, database_url: str
):
    in_memory = make_settings(session_store="memory", database_url=database_url)
    async with open_live_server(in_memory) as first:
        async with open_live_server(in_memory) as second:
            ann = await first.person()
            theirs = await first.session(ann, title="About penguins")
            mine = await second.session(ann, title="About penguins")
            for live in (first, second):
                assert await live.services.remover.remove_lost() == 0
            assert await seen(first, ann, theirs) == (200, [theirs], [theirs])
            assert await seen(second, ann, mine) == (200, [mine], [mine])
        assert await first.services.remover.remove_lost() == 1
        rows = select(table.c.session_id)
        left = await first.services.database.read(lambda c: list(c.execute(rows).scalars()))
        assert left == [theirs]


@pytest.mark.every_database
@pytest.mark.requirement("S0-43")
async def test_s0_43_sessions_in_redis_outlive_the_process_and_end_with_redis(
    make_settings: MakeSettings, redis_url: str, database_url: str
):
    settings = make_settings(session_store="redis", redis_url=redis_url, database_url=database_url)
    async with open_live_server(settings) as live:
        ann = await live.person()
        session_id = (await live.chat(ann, "about penguins"))["session_id"]
    async with open_live_server(settings) as live, Redis.from_url(redis_url) as redis:
        assert await seen(live, ann, session_id) == (200, [session_id], [session_id])
        await redis.flushdb()
        assert await seen(live, ann, session_id) == (404, [], [])
        # The owner can delete what is left of it in the database.
        path = f"/api/v1/sessions/{session_id}"
        assert (await live.http.delete(path, headers=ann.headers)).status_code == 204
        assert (await live.http.delete(path, headers=ann.headers)).status_code == 404


@pytest.mark.parametrize("kind", ["sqlite", "memory", "redis"])
async def test_metadata_is_kept_shown_and_replaced(
    make_settings: MakeSettings, chosen: dict[str, str]
):
    async with open_live_server(make_settings(**chosen)) as live:
        ann = await live.person()
        session_id = await live.session(ann, metadata=NOTES)
        path = f"/api/v1/sessions/{session_id}"
        await live.chat(ann, session_id=session_id)
        shown = await live.http.get(path, headers=ann.headers)
        assert shown.json()["metadata"] == NOTES
        patched = await live.http.patch(path, json={"metadata": {"n": 1}}, headers=ann.headers)
        assert patched.json()["metadata"] == {"n": 1}
        listed = await live.http.get("/api/v1/sessions", headers=ann.headers)
        assert listed.json()["items"][0]["metadata"] is None
        deep = '{"metadata": ' + '{"a":' * 5_000 + "1" + "}" * 5_000 + "}"
        for body in ('{"metadata": {"n": NaN}}', '{"metadata": []}', deep):
            headers = ann.headers | {"content-type": "application/json"}
            refused = await live.http.patch(path, content=body, headers=headers)
            assert refused.status_code == 422, refused.text
        assert (await live.http.get(path, headers=ann.headers)).json()["metadata"] == {"n": 1}
