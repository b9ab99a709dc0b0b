"""Several server processes on one database never pass a limit together."""

import asyncio
from datetime import UTC, datetime

import pytest
from sqlalchemy import Connection

from dataagent_core.errors import ConflictError
from dataagent_core.testing.conformance.usage import (
    A_LATER_DAY,
    CALL,
    USED,
    spender,
    user_day,
)
from dataagent_core.usage import Reservation, UsageQuery
from dataagent_server.db.database import Database
from dataagent_server.stores.batched_writes import BatchedWrites
from dataagent_server.stores.usage import open_usage_store

pytestmark = pytest.mark.every_database

CALLS = 23


@pytest.mark.requirement("F7-6")
async def test_a_hundred_callers_of_four_processes_never_pass_a_limit(database: Database) -> None:
    books = [open_usage_store(BatchedWrites(database), "t") for _ in range(4)]
    await books[0].set_budget(user_day("ada", calls=CALLS))
    made = 0

    async def caller(number: int) -> None:
        nonlocal made
        book = books[number % 4]
        answer = await book.reserve(spender(run_id=f"r{number % 7}"), CALL)
        if isinstance(answer, Reservation):
            made += 1
            if number % 3:
                return
            # A call that fails gives its place to somebody else, never to two.
            await book.release(answer)
            made -= 1

    await asyncio.gather(*(caller(number) for number in range(100)))
    used = await books[1].used([user_day("ada", calls=0).key], datetime.now(UTC))
    assert made <= CALLS
    assert used[user_day("ada", calls=0).key].tokens == made * CALL.tokens


async def test_one_write_that_fails_takes_no_other_with_it(database: Database) -> None:
    together = BatchedWrites(database)
    book = open_usage_store(together, "t")
    who = spender()

    def broken(connection: Connection) -> None:
        raise ConflictError("not this one")

    made = await book.reserve(who, CALL)
    assert isinstance(made, Reservation)
    done = await asyncio.gather(
        book.settle(made, USED),
        together.write(broken),
        book.settle(made, USED),
        return_exceptions=True,
    )
    assert isinstance(done[1], ConflictError)
    assert (await book.total_of_run(who.run_id)).calls == 2
    await together.drain()


@pytest.mark.requirement("F7-5")
async def test_two_servers_that_roll_up_at_once_count_nothing_twice(database: Database) -> None:
    books = [open_usage_store(BatchedWrites(database), "t") for _ in range(3)]
    for number in range(40):
        made = await books[0].reserve(spender(user_id=f"u{number % 3}"), CALL)
        assert isinstance(made, Reservation)
        await books[0].settle(made, USED)
    (before,) = await books[0].report(UsageQuery(by="day"))
    joined = await asyncio.gather(*(book.roll_up(A_LATER_DAY) for book in books))
    assert sum(joined) == 40
    assert await books[1].report(UsageQuery(by="day")) == [before]
    assert len(await books[1].report(UsageQuery(by="user"))) == 3
