"""Processes hear of each other, over Redis and over PostgreSQL, also after the bus was away."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import pytest
from eventually import eventually
from sqlalchemy.engine import make_url

from dataagent_server.common.ids import TenantId
from dataagent_server.sessions.live.bus.port import Bus
from dataagent_server.sessions.live.bus.postgres_bus import PostgresBus
from dataagent_server.sessions.live.bus.redis_bus import RedisBus
from dataagent_server.sessions.live.notice import Notice, decode_notice, encode_notice

MakeBus = Callable[[], Bus]
TENANT = TenantId("t")


@pytest.fixture(params=["redis", "postgresql"])
def make_bus(request: pytest.FixtureRequest) -> MakeBus:
    if request.param == "redis":
        url: str = request.getfixturevalue("redis_url")
        return lambda: RedisBus(url)
    address = make_url(request.getfixturevalue("postgresql_url"))
    return lambda: PostgresBus(address)


@asynccontextmanager
async def started(bus: Bus, heard: list[Notice]) -> AsyncGenerator[Bus]:
    await bus.start(heard.append)
    try:
        await eventually(lambda: bus.connected)
        yield bus
    finally:
        await bus.aclose()


async def until(heard: list[Notice], notice: Notice) -> None:
    await eventually(lambda: notice in heard)


async def test_others_hear_what_one_tells_and_the_teller_does_not(make_bus: MakeBus) -> None:
    first: list[Notice] = []
    second: list[Notice] = []
    notice = Notice("grown", TENANT, "s", 7)
    async with started(make_bus(), first) as teller, started(make_bus(), second):
        teller.tell(notice)
        await until(second, notice)
    assert first == []


async def test_installations_on_two_databases_of_one_redis_do_not_hear_each_other(
    redis_url: str,
) -> None:
    ours: list[Notice] = []
    theirs: list[Notice] = []
    notice = Notice("grown", TENANT, "s", 7)
    other = redis_url.rpartition("/")[0] + "/15"
    async with (
        started(RedisBus(redis_url), []) as teller,
        started(RedisBus(other), theirs),
        started(RedisBus(redis_url), ours),
    ):
        teller.tell(notice)
        await until(ours, notice)
    assert theirs == []


async def test_many_notices_of_one_session_end_with_the_last(make_bus: MakeBus) -> None:
    heard: list[Notice] = []
    async with started(make_bus(), []) as teller, started(make_bus(), heard):
        for seq in range(1, 501):
            teller.tell(Notice("grown", TENANT, "s", seq))
        await until(heard, Notice("grown", TENANT, "s", 500))
    assert [n.seq for n in heard] == sorted(n.seq for n in heard)


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"nonsense", b'["x","grown","t","s"]', b"\xff", b"{}"]
)
def test_what_is_no_notice_is_not_heard(data: bytes) -> None:
    assert decode_notice(data, "me") is None


def test_one_does_not_hear_oneself() -> None:
    data = encode_notice(Notice("work", TENANT, "s"), "me")
    assert decode_notice(data, "me") is None
    assert decode_notice(data, "you") == Notice("work", TENANT, "s")
