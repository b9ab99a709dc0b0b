"""Calls of one run that share budgets: they wait for each other, and never overrun together."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp_waiting import eventually

from dataagent_core.errors import StorageError
from dataagent_core.ids import new_id
from dataagent_core.session.stores.sql import SqlUsageStore
from dataagent_core.session.stores.sqlite import SqliteDatabase
from dataagent_core.usage import (
    Amount,
    Budget,
    BudgetKey,
    BudgetRefusal,
    BudgetUse,
    CallUse,
    MemoryUsageStore,
    Reservation,
    RunAccount,
    Spender,
    TokenUsage,
    UsageQuery,
    UsageStore,
)
from tests.counts import examples

LIMIT = 1_000
CALL = Amount(600, 0)
DAY = BudgetKey("user", "ada", "day")


def account_over(book: UsageStore, limit: int = LIMIT) -> RunAccount:
    spender = Spender(tenant_id="t", run_id=new_id(), session_id="s", user_id="ada")
    return RunAccount(spender=spender, book=book, budgets=[Budget(key=DAY, tokens_max=limit)])


def use_of(tokens: int) -> CallUse:
    return CallUse(tokens=TokenUsage(output=tokens), cost_nano=0)


async def reserved(account: RunAccount, amount: Amount = CALL) -> Reservation:
    answer = await account.reserve(amount)
    assert isinstance(answer, Reservation)
    return answer


async def waiting(account: RunAccount, amount: Amount = CALL) -> asyncio.Task[object]:
    """Start to reserve, until the answer depends on others."""
    task = asyncio.create_task(account.reserve(amount))
    for _ in range(10):
        await asyncio.sleep(0)
    assert not task.done()
    return task


async def call_model() -> None:
    """Let the others go on, as while a model answers."""
    for _ in range(20):
        await asyncio.sleep(0)


@asynccontextmanager
async def open_book(kind: str, folder: Path) -> AsyncGenerator[UsageStore]:
    if kind == "memory":
        yield MemoryUsageStore()
        return
    async with SqliteDatabase(folder / f"{new_id()}.db") as database:
        yield SqlUsageStore(database, "t")


@pytest.mark.parametrize("end", ["settle", "release"])
async def test_a_call_waits_for_what_another_of_its_run_has_reserved(end: str) -> None:
    account = account_over(MemoryUsageStore())
    first = await reserved(account)
    second = await waiting(account)
    await (account.release(first) if end == "release" else account.settle(first, use_of(400)))
    assert isinstance(await second, Reservation)


async def test_a_call_that_cannot_fit_whatever_the_others_use_is_refused_at_once() -> None:
    account = account_over(MemoryUsageStore())
    await account.settle(await reserved(account), use_of(401))
    await reserved(account, Amount(100, 0))
    refused = await account.reserve(CALL)
    assert isinstance(refused, BudgetRefusal)
    assert str(refused) == (
        "your budget for this day: 401 of 1,000 tokens used, 100 tokens reserved by calls under way"
    )


async def test_what_another_run_has_reserved_is_not_waited_for() -> None:
    book = MemoryUsageStore()
    await reserved(account_over(book))
    account = account_over(book)
    refused = await account.reserve(CALL)
    assert isinstance(refused, BudgetRefusal)
    (short,) = refused.shortages
    assert (short.used.tokens, short.reserved.tokens) == (0, 600)
    # Nor beside what the run has reserved itself.
    await reserved(account, Amount(400, 0))
    assert isinstance(await account.reserve(CALL), BudgetRefusal)


async def test_who_asked_first_is_served_first() -> None:
    account = account_over(MemoryUsageStore())
    one = await reserved(account, Amount(400, 0))
    large = await waiting(account, Amount(900, 0))
    # There is room for it, but it does not overtake.
    small = await waiting(account, Amount(100, 0))
    await account.settle(one, use_of(50))
    answer = await large
    assert isinstance(answer, Reservation)
    assert not small.done()
    await account.release(answer)
    assert isinstance(await small, Reservation)


async def test_one_that_stops_waiting_leaves_its_place_to_the_next() -> None:
    account = account_over(MemoryUsageStore())
    first = await reserved(account)
    given_up = await waiting(account)
    next_one = await waiting(account)
    given_up.cancel()
    await asyncio.wait({given_up})
    await account.settle(first, use_of(10))
    assert isinstance(await next_one, Reservation)
    used = await account.book.used([DAY], datetime.now(UTC))
    assert used[DAY].tokens == 10 + 600


async def test_a_call_within_a_call_does_not_wait_for_it() -> None:
    account = account_over(MemoryUsageStore())
    outer = await reserved(account)
    in_line = await waiting(account)
    assert isinstance(await account.reserve(CALL, waits=False), BudgetRefusal)
    await account.release(outer)
    assert isinstance(await in_line, Reservation)


class _Broken(MemoryUsageStore):
    async def settle(self, reservation: Reservation, use: CallUse) -> list[BudgetUse]:
        raise StorageError("gone")


async def test_nobody_waits_for_a_reservation_that_the_store_could_not_end() -> None:
    account = account_over(_Broken())
    first = await reserved(account)
    second = await waiting(account)
    with pytest.raises(StorageError):
        await account.settle(first, use_of(10))
    assert isinstance(await second, BudgetRefusal)


# The turns of some sub-agents: the worst case of each call, and what it uses of it.
turns = st.lists(st.tuples(st.integers(1, 400), st.integers(0, 400)), min_size=1, max_size=4)


@pytest.mark.requirement("F7-6")
@pytest.mark.parametrize("kind", ["memory", "sqlite"])
@settings(max_examples=examples(60))
@given(parallel=st.lists(turns, min_size=1, max_size=8), limit=st.integers(1, 3_000))
async def test_parallel_calls_never_overrun_and_are_refused_only_if_they_cannot_fit(
    tmp_path: Path, kind: str, parallel: list[list[tuple[int, int]]], limit: int
) -> None:
    async with open_book(kind, tmp_path) as book:
        account = account_over(book, limit)

        async def total() -> int:
            rows = await book.report(UsageQuery(by="user"))
            return sum(row.total.tokens.total for row in rows)

        async def work(calls: list[tuple[int, int]]) -> None:
            for worst, wanted in calls:
                answer = await account.reserve(Amount(worst, 0))
                if isinstance(answer, BudgetRefusal):
                    (short,) = answer.shortages
                    assert short.used.tokens + worst > limit
                    return
                await call_model()
                if wanted % 7:
                    await account.settle(answer, use_of(min(wanted, worst)))
                else:
                    await account.release(answer)
                assert await total() <= limit
                held = await book.used([DAY], datetime.now(UTC))
                assert held[DAY].tokens <= limit

        async with asyncio.timeout(60):
            await asyncio.gather(*map(work, parallel))
        # Nothing stays reserved.
        held = await book.used([DAY], datetime.now(UTC))
        assert held[DAY].tokens == await total()


@pytest.mark.requirement("F7-6")
@pytest.mark.parametrize("kind", ["memory", "sqlite"])
async def test_many_callers_all_get_their_turn_where_one_call_fits_at_a_time(
    tmp_path: Path, kind: str
) -> None:
    callers = 30
    async with open_book(kind, tmp_path) as book:
        # One worst case, beside what all others used.
        account = account_over(book, limit=100 + (callers - 1) * 3)

        async def call() -> None:
            made = await reserved(account, Amount(100, 0))
            await call_model()
            await account.settle(made, use_of(3))

        await asyncio.gather(*(call() for _ in range(callers)))
        assert account.total.calls == callers


async def test_a_cancelled_line_leaves_no_reservation(tmp_path: Path) -> None:
    async with open_book("sqlite", tmp_path) as book:
        account = account_over(book)
        first = await reserved(account)
        line = [asyncio.create_task(account.reserve(CALL)) for _ in range(10)]
        for task in line[::2]:
            task.cancel()
        await account.release(first)
        for task in line[1::2]:
            answer = await task
            assert isinstance(answer, Reservation)
            await account.release(answer)
        await eventually(lambda: all(task.done() for task in line))
        assert (await book.used([DAY], datetime.now(UTC)))[DAY].tokens == 0
