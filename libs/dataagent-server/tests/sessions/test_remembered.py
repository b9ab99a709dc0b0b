"""What a session remembers: in its row, in Redis or in memory, as the setting says (S0 43)."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from house import House
from redis.asyncio import Redis
from sqlalchemy import select

from dataagent_core.errors import ValidationError
from dataagent_server.auth.principal import Principal
from dataagent_server.db.tables.conversations import sessions as table
from dataagent_server.sessions.remembered import Remembered
from dataagent_server.sessions.service import (
    METADATA_CHARS_MAX,
    NewSession,
    SessionChange,
    SessionService,
)
from dataagent_server.stores.factory import stores_beside

pytestmark = pytest.mark.every_database

NOTES: dict[str, Any] = {"pinned": True, "tags": ["数据", "\ud800", "\x00"], "deep": {"n": 1.5}}


@pytest.fixture
async def redis(redis_url: str) -> AsyncGenerator[Redis]:
    async with Redis.from_url(redis_url) as client:
        yield client


@pytest.fixture(params=["database", "memory", "redis"])
def service(request: pytest.FixtureRequest, house: House) -> SessionService:
    beside = None
    if request.param != "database":
        redis = request.getfixturevalue("redis") if request.param == "redis" else None
        stores = stores_beside(request.param, redis)
        assert stores is not None
        beside = Remembered(stores)
    return SessionService(house.database, house.people.audit, beside)


async def made(service: SessionService, who: Principal, session_id: str = "s", **values: Any):
    new = NewSession(assistant_id="default", session_id=session_id, **values)
    await service.create(who, service.prepared(who, new))


def noting(metadata: dict[str, Any]) -> SessionChange:
    return SessionChange(fields=frozenset({"metadata"}), metadata=metadata)


@pytest.mark.requirement("S0-43")
async def test_property_43_a_session_remembers_where_the_setting_says(
    house: House, service: SessionService
):
    ann = await house.person(await house.tenant("t"), "ann")
    await made(service, ann, metadata={"first": 1})
    assert (await service.recalled(ann, "s")).session.metadata == {"first": 1}
    await service.change(ann, "s", noting(NOTES))
    assert (await service.recalled(ann, "s")).session.metadata == NOTES
    renamed = SessionChange(fields=frozenset({"title"}), title="Two")
    await service.change(ann, "s", renamed)
    assert (await service.recalled(ann, "s")).session.metadata == NOTES
    in_row = await house.database.read(lambda c: c.execute(select(table.c.metadata)).scalar_one())
    assert in_row == ({} if service._beside else NOTES)  # pyright: ignore[reportPrivateUsage]


async def test_a_deleted_session_leaves_nothing_for_the_next_of_its_name(
    house: House, service: SessionService
):
    ann = await house.person(await house.tenant("t"), "ann")
    await made(service, ann, metadata=NOTES)
    await service.delete(ann, "s")
    await made(service, ann)
    assert (await service.recalled(ann, "s")).session.metadata == {}


async def test_tenants_with_a_session_of_the_same_name_share_nothing(
    house: House, service: SessionService
):
    ann = await house.person(await house.tenant("t"), "ann")
    eve = await house.person(await house.tenant("u"), "eve")
    await made(service, ann, metadata={"whose": "ann"})
    await made(service, eve, metadata={"whose": "eve"})
    await service.delete(eve, "s")
    assert (await service.recalled(ann, "s")).session.metadata == {"whose": "ann"}


async def test_one_of_several_notes_at_once_stays(house: House, service: SessionService):
    ann = await house.person(await house.tenant("t"), "ann")
    await made(service, ann)
    await asyncio.gather(*(service.change(ann, "s", noting({"n": n})) for n in range(5)))
    assert (await service.recalled(ann, "s")).session.metadata["n"] in range(5)


@pytest.mark.parametrize("bad", [{"n": float("nan")}, {"x": "x" * METADATA_CHARS_MAX}])
async def test_what_cannot_be_kept_is_refused_and_nothing_changes(
    house: House, service: SessionService, bad: dict[str, Any]
):
    ann = await house.person(await house.tenant("t"), "ann")
    await made(service, ann, metadata={"first": 1})
    with pytest.raises(ValidationError):
        await service.change(ann, "s", noting(bad))
    with pytest.raises(ValidationError):
        await made(service, ann, "other", metadata=bad)
    assert (await service.recalled(ann, "s")).session.metadata == {"first": 1}


async def test_a_record_of_an_earlier_session_does_not_count(house: House, redis: Redis):
    ann = await house.person(await house.tenant("t"), "ann")
    stores = stores_beside("redis", redis)
    assert stores is not None
    left = await stores("t").create("somebody", "default", session_id="s")
    left.metadata["old"] = True
    await stores("t").update(left)
    service = SessionService(house.database, house.people.audit, Remembered(stores))
    await made(service, ann)
    assert (await service.recalled(ann, "s")).session.metadata == {}
    await service.change(ann, "s", noting({"new": True}))
    assert (await service.recalled(ann, "s")).session.metadata == {"new": True}
