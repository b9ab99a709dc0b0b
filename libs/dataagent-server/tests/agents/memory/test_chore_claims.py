"""Of several processes one does a chore, and that of a process that died is taken over."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from dataagent_server.agents.memory.chore_claims import claim, release
from dataagent_server.db.database import Database

pytestmark = pytest.mark.every_database

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
AT_ONCE = 8


async def claims(database: Database, now: datetime, until: datetime, name: str = "night") -> bool:
    return await database.write(lambda c: claim(c, name, now, until))


async def test_of_many_claims_at_once_one_counts(database: Database):
    until = NOW + timedelta(hours=1)
    for start in (NOW, until, until + timedelta(hours=1)):
        end = start + timedelta(hours=1)
        said = await asyncio.gather(*(claims(database, start, end) for _ in range(AT_ONCE)))
        assert sorted(said) == [False] * (AT_ONCE - 1) + [True]
    assert await claims(database, NOW, until, "another")


async def test_a_claim_ends_by_itself_and_can_be_given_back(database: Database):
    until = NOW + timedelta(minutes=10)
    assert await claims(database, NOW, until)
    assert not await claims(database, until - timedelta(seconds=1), until)
    later = until + timedelta(minutes=10)
    assert await claims(database, until, later)
    # One that has ended gives nothing back that is another's now.
    await database.write(lambda c: release(c, "night", until, until))
    assert not await claims(database, until, later)
    await database.write(lambda c: release(c, "night", until, later))
    assert await claims(database, until, later)


async def test_a_clock_that_was_years_ahead_stops_no_chore(database: Database):
    ahead = NOW + timedelta(days=400)
    assert await claims(database, ahead, ahead + timedelta(hours=1))
    assert await claims(database, NOW, NOW + timedelta(hours=1))
