"""The records of sessions: in their rows, in Redis or in memory, as the setting says (S0 43)."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from installation import Installation
from redis.asyncio import Redis
from sqlalchemy import select

from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_server.db.tables.conversations import sessions as table
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.sessions.records import RecordStore, SessionRecords
from dataagent_server.sessions.session_service import (
    METADATA_CHARS_MAX,
    NewSession,
    SessionChange,
    SessionService,
)
from dataagent_server.stores.factory import session_stores
from dataagent_server.stores.session_lists import SessionFilter

pytestmark = pytest.mark.every_database

NOTES: dict[str, Any] = {"pinned": True, "tags": ["数据", "\ud800", "\x00"], "deep": {"n": 1.5}}


@pytest.fixture
async def redis(redis_url: str) -> AsyncGenerator[Redis]:
    async with Redis.from_url(redis_url) as client:
        yield client


def service_on(
    installation: Installation, kind: RecordStore, redis: Redis | None
) -> SessionService:
    stores = session_stores(kind, installation.database, redis)
    records = SessionRecords(kind, stores, installation.database, "here")
    return SessionService(installation.database, installation.people.audit, records)


@pytest.fixture(params=["database", "memory", "redis"])
def service(request: pytest.FixtureRequest, installation: Installation) -> SessionService:
    if request.param == "database":
        return SessionService(installation.database, installation.people.audit)
    redis = request.getfixturevalue("redis") if request.param == "redis" else None
    return service_on(installation, request.param, redis)


async def made(service: SessionService, who: Principal, session_id: str = "s", **values: Any):
    new = NewSession(assistant_id="default", session_id=session_id, **values)
    await service.create(who, service.prepare(who, new))


def noting(metadata: dict[str, Any]) -> SessionChange:
    return SessionChange(fields=frozenset({"metadata"}), metadata=metadata)


@pytest.mark.requirement("S0-43")
async def test_property_43_a_record_is_kept_where_the_setting_says(
    installation: Installation, service: SessionService
):
    ann = await installation.person(await installation.tenant("t"), "ann")
    await made(service, ann, metadata={"first": 1})
    assert (await service.get(ann, "s")).session.metadata == {"first": 1}
    await service.change(ann, "s", noting(NOTES))
    assert (await service.get(ann, "s")).session.metadata == NOTES
    renamed = SessionChange(fields=frozenset({"title"}), title="Two")
    await service.change(ann, "s", renamed)
    assert (await service.get(ann, "s")).session.metadata == NOTES
    in_row = await installation.database.read(
        lambda c: c.execute(select(table.c.metadata)).scalar_one()
    )
    assert in_row == ({} if service._records else NOTES)  # pyright: ignore[reportPrivateUsage]


async def test_a_deleted_session_leaves_nothing_for_the_next_of_its_name(
    installation: Installation, service: SessionService
):
    ann = await installation.person(await installation.tenant("t"), "ann")
    await made(service, ann, metadata=NOTES)
    await service.delete(ann, "s")
    await made(service, ann)
    assert (await service.get(ann, "s")).session.metadata == {}


async def test_tenants_with_a_session_of_the_same_name_share_nothing(
    installation: Installation, service: SessionService
):
    ann = await installation.person(await installation.tenant("t"), "ann")
    eve = await installation.person(await installation.tenant("u"), "eve")
    await made(service, ann, metadata={"whose": "ann"})
    await made(service, eve, metadata={"whose": "eve"})
    await service.delete(eve, "s")
    assert (await service.get(ann, "s")).session.metadata == {"whose": "ann"}


async def test_one_of_several_notes_at_once_stays(
    installation: Installation, service: SessionService
):
    ann = await installation.person(await installation.tenant("t"), "ann")
    await made(service, ann)
    await asyncio.gather(*(service.change(ann, "s", noting({"n": n})) for n in range(5)))
    assert (await service.get(ann, "s")).session.metadata["n"] in range(5)


@pytest.mark.parametrize("database_kind", ["sqlite"])
@pytest.mark.parametrize("bad", [{"n": float("nan")}, {"x": "x" * METADATA_CHARS_MAX}])
async def test_what_cannot_be_kept_is_refused_and_nothing_changes(
    installation: Installation, service: SessionService, bad: dict[str, Any]
):
    ann = await installation.person(await installation.tenant("t"), "ann")
    await made(service, ann, metadata={"first": 1})
    with pytest.raises(ValidationError):
        await service.change(ann, "s", noting(bad))
    with pytest.raises(ValidationError):
        await made(service, ann, "other", metadata=bad)
    assert (await service.get(ann, "s")).session.metadata == {"first": 1}


async def test_a_record_of_an_earlier_session_does_not_count(
    installation: Installation, redis: Redis
):
    ann = await installation.person(await installation.tenant("t"), "ann")
    store = session_stores("redis", installation.database, redis)(ann.tenant_id)
    left = await store.create("somebody", "default", session_id="s")
    left.metadata["old"] = True
    await store.update(left)
    service = service_on(installation, "redis", redis)
    await made(service, ann)
    assert (await service.get(ann, "s")).session.metadata == {}
    await store.update(left)
    with pytest.raises(NotFoundError):
        await service.get(ann, "s")


async def test_what_the_version_before_kept_in_redis_is_found(
    installation: Installation, redis: Redis
):
    ann = await installation.person(await installation.tenant("t"), "ann")
    before = SessionService(installation.database, installation.people.audit)
    store = session_stores("redis", installation.database, redis)(ann.tenant_id)
    for session_id in ("noted", "plain", "other"):
        await made(before, ann, session_id)
    # Such a server wrote records only of sessions with something to keep, and no row named them.
    for session_id, later_s in (("noted", 0), ("other", 1)):
        record = (await before.get(ann, session_id)).session
        await store.create(ann.user_id, "default", session_id=session_id)
        created_at = record.created_at + timedelta(seconds=later_s)
        await store.update(replace(record, created_at=created_at, metadata=NOTES))
    service = service_on(installation, "redis", redis)
    expected = {"noted": NOTES, "plain": {}, "other": {}}
    page = await service.list(ann, SessionFilter(user_id=ann.user_id), limit=5, cursor=None)
    assert {one.session.session_id: one.session.metadata for one in page.items} == expected
    for session_id, metadata in expected.items():
        assert (await service.get(ann, session_id)).session.metadata == metadata
    await service.change(ann, "noted", noting({"n": 1}))
    assert (await service.get(ann, "noted")).session.metadata == {"n": 1}
    kept = await store.get("noted")
    assert kept is not None
    assert kept.metadata == {"n": 1}


async def test_a_session_whose_store_is_away_is_kept_in_the_database(installation: Installation):
    ann = await installation.person(await installation.tenant("t"), "ann")
    async with Redis.from_url("redis://127.0.0.1:9") as nobody:
        service = service_on(installation, "redis", nobody)
        await made(service, ann, metadata=NOTES)
        for noted in (NOTES, {"n": 1}, {}):
            await service.change(ann, "s", noting(noted))
            assert (await service.get(ann, "s")).session.metadata == noted


async def test_what_is_changed_while_a_new_session_moves_to_its_store_is_not_lost(
    installation: Installation, redis: Redis
):
    ann = await installation.person(await installation.tenant("t"), "ann")
    service = service_on(installation, "redis", redis)
    prepared = service.prepare(ann, NewSession(assistant_id="default", session_id="s"))
    await installation.database.write(lambda c: service.insert(c, ann, prepared))
    await asyncio.gather(
        service.settle(ann, prepared.session),
        *(service.change(ann, "s", noting({"n": n})) for n in range(3)),
    )
    found = await service.get(ann, "s")
    assert (found.store, found.session.metadata["n"] in range(3)) == ("redis", True)


async def test_a_session_is_in_no_other_store_than_its_own(
    installation: Installation, redis: Redis
):
    ann = await installation.person(await installation.tenant("t"), "ann")
    await made(service_on(installation, "redis", redis), ann, metadata=NOTES)
    everywhere = SessionFilter(user_id=ann.user_id)
    for other in (
        service_on(installation, "memory", None),
        SessionService(installation.database, installation.people.audit),
    ):
        with pytest.raises(NotFoundError):
            await other.get(ann, "s")
        assert (await other.list(ann, everywhere, limit=5, cursor=None)).items == []
