"""The books of core do what every book does, and two processes share one file's budget."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from dataagent_core.session.stores.sql import SqlUsageStore
from dataagent_core.session.stores.sqlite import SqliteDatabase
from dataagent_core.testing.conformance import UsageStoreConformance, UsageStoreTenantConformance
from dataagent_core.testing.conformance.usage import CALL, spender, user_day
from dataagent_core.usage import MemoryUsageStore, Reservation


@pytest.fixture
async def database(tmp_path: Path) -> AsyncGenerator[SqliteDatabase, None]:
    async with SqliteDatabase(tmp_path / "dataagent.db") as opened:
        yield opened


class TestMemoryBook(UsageStoreConformance, UsageStoreTenantConformance):
    @pytest.fixture
    def usage_book(self) -> MemoryUsageStore:
        return MemoryUsageStore()

    @pytest.fixture
    def usage_book_pair(self) -> tuple[MemoryUsageStore, MemoryUsageStore]:
        return MemoryUsageStore(), MemoryUsageStore()


class TestSqliteBook(UsageStoreConformance, UsageStoreTenantConformance):
    @pytest.fixture
    def usage_book(self, database: SqliteDatabase) -> SqlUsageStore:
        return SqlUsageStore(database, "t")

    @pytest.fixture
    def usage_book_pair(self, database: SqliteDatabase) -> tuple[SqlUsageStore, SqlUsageStore]:
        return SqlUsageStore(database, "one"), SqlUsageStore(database, "two")


@pytest.mark.requirement("F7-6")
async def test_two_connections_to_one_file_never_pass_a_limit_together(tmp_path: Path) -> None:
    path = tmp_path / "dataagent.db"
    async with SqliteDatabase(path) as first, SqliteDatabase(path) as second:
        books = [SqlUsageStore(first, "t"), SqlUsageStore(second, "t")]
        await books[0].set_budget(user_day("ada", calls=13))
        answers = await asyncio.gather(
            *(books[number % 2].reserve(spender(), CALL) for number in range(60))
        )
    assert sum(isinstance(answer, Reservation) for answer in answers) == 13


async def test_what_is_held_and_counted_survives_the_process(tmp_path: Path) -> None:
    path = tmp_path / "dataagent.db"
    async with SqliteDatabase(path) as database:
        book = SqlUsageStore(database, "t")
        await book.set_budget(user_day("ada", calls=1))
        assert isinstance(await book.reserve(spender(), CALL), Reservation)
    async with SqliteDatabase(path) as database:
        again = await SqlUsageStore(database, "t").reserve(spender(), CALL)
    assert not isinstance(again, Reservation)
