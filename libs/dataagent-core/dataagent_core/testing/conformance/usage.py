"""What every `UsageStore` does. Needs the fixture `usage_book`, of the tenant `t`."""

import asyncio
from collections.abc import Awaitable
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.errors import ValidationError
from dataagent_core.ids import new_id
from dataagent_core.testing.conformance.examples import shared_store_examples
from dataagent_core.usage import (
    Amount,
    Budget,
    BudgetKey,
    BudgetRefusal,
    CallUse,
    Reservation,
    Spender,
    TokenUsage,
    Total,
    UsageQuery,
    UsageStore,
)
from dataagent_core.usage.usage_store import GroupBy

CALL = Amount(tokens=100, cost_nano=1_000)
USED = CallUse(tokens=TokenUsage(input=60, output=20, cached_read=30, reasoning=5), cost_nano=700)
EXPIRED_S = -1.0
A_LATER_DAY = "9999-01-01"
CALLERS = 100
CALLS = 17


def spender(**changed: str | None) -> Spender:
    """Make somebody whose run and session nobody else has."""
    told: dict[str, str | None] = {"user_id": "ada", "project_id": "p", **changed}
    return Spender(
        tenant_id=told.pop("tenant_id", None) or "t",
        run_id=told.pop("run_id", None) or new_id(),
        session_id=told.pop("session_id", None) or "s",
        user_id=told["user_id"],
        project_id=told["project_id"],
    )


def user_day(user_id: str, *, calls: int | None = None, cost_nano: int | None = None) -> Budget:
    """Limit a person's day to a number of calls, or to an amount of money."""
    tokens = None if calls is None else calls * CALL.tokens
    key = BudgetKey("user", user_id, "day")
    return Budget(key=key, tokens_max=tokens, cost_nano_max=cost_nano)


async def reserve(answer: Awaitable[Reservation | BudgetRefusal]) -> Reservation:
    """Take a reservation that must not be refused."""
    made = await answer
    assert isinstance(made, Reservation), made
    return made


class UsageStoreConformance:
    """Needs the fixture `usage_book`."""

    async def test_a_call_is_counted_where_it_belongs(self, usage_book: UsageStore) -> None:
        who = spender()
        made = await reserve(usage_book.reserve(who, CALL, model="demo:demo"))
        await usage_book.settle(made, USED)
        names = {
            "day": datetime.now(UTC).strftime("%Y-%m-%d"),
            "user": "ada",
            "project": "p",
            "tenant": "t",
            "model": "demo:demo",
            "session": "s",
            "run": who.run_id,
        }
        total = Total(calls=1, tokens=USED.tokens, cost_nano=700)
        for by, name in names.items():
            (row,) = await usage_book.report(UsageQuery(by=by))  # pyright: ignore[reportArgumentType] (the keys above)
            assert (row.name, row.total) == (name, total)
        assert await usage_book.total_of_run(who.run_id) == total
        assert await usage_book.total_of_run("another") == Total()

    async def test_a_report_counts_only_what_was_asked_for(self, usage_book: UsageStore) -> None:
        for user_id, session_id in (("ada", "s"), ("ada", "s"), ("bob", "s2")):
            who = spender(user_id=user_id, session_id=session_id)
            await usage_book.settle(await reserve(usage_book.reserve(who, CALL)), USED)
        rows = await usage_book.report(UsageQuery(by="user"))
        assert [(row.name, row.total.calls) for row in rows] == [("ada", 2), ("bob", 1)]
        (row,) = await usage_book.report(UsageQuery(by="session", user_id="bob"))
        assert (row.name, row.total.calls) == ("s2", 1)
        assert await usage_book.report(UsageQuery(by="day", until="2001-01-01")) == []

    async def test_the_models_of_a_run_are_told_apart(self, usage_book: UsageStore) -> None:
        await usage_book.set_budget(user_day("ada", calls=9))
        who = spender()
        unpriced = CallUse(tokens=USED.tokens, cost_nano=None)
        for model, use in (("a:big", USED), ("a:big", USED), ("b:small", unpriced), ("", USED)):
            made = await reserve(usage_book.reserve(who, CALL, model=model))
            await usage_book.settle(made, use)
        await reserve(usage_book.reserve(who, CALL, model="c:lost", lease_s=EXPIRED_S))
        # Whoever comes next counts what was lost.
        await reserve(usage_book.reserve(who, CALL))
        by_model = UsageQuery(by="model")
        found = await usage_book.report(by_model)
        assert [(row.name, row.total.calls, row.total.known_cost_nano) for row in found] == [
            ("", 1, 700),
            ("a:big", 2, 1_400),
            ("b:small", 1, None),
            ("c:lost", 1, 1_000),
        ]
        (run,) = await usage_book.report(UsageQuery(by="run"))
        assert run.total == sum((row.total for row in found), start=Total())
        assert await usage_book.roll_up(A_LATER_DAY) == len(found)
        assert await usage_book.report(by_model) == found

    async def test_a_report_is_read_page_by_page(self, usage_book: UsageStore) -> None:
        for user_id in ("ada", "bob", "cid"):
            made = await reserve(usage_book.reserve(spender(user_id=user_id), CALL))
            await usage_book.settle(made, USED)
        (first,) = await usage_book.report(UsageQuery(by="user", limit=1))
        rest = await usage_book.report(UsageQuery(by="user", after=first.name))
        assert [first.name, *(row.name for row in rest)] == ["ada", "bob", "cid"]
        assert await usage_book.report(UsageQuery(by="user", after="cid")) == []

    async def test_days_that_are_rolled_up_count_as_before(self, usage_book: UsageStore) -> None:
        for user_id, project_id in (("ada", "p"), ("ada", None), ("bob", "p"), (None, None)):
            for cost in (700, None):
                who = spender(user_id=user_id, project_id=project_id)
                use = CallUse(tokens=USED.tokens, cost_nano=cost)
                await usage_book.settle(await reserve(usage_book.reserve(who, CALL)), use)
        made = 8
        today = datetime.now(UTC).strftime("%Y-%m-%d")
        kinds: tuple[GroupBy, ...] = ("day", "user", "project", "tenant", "model")
        asked = [UsageQuery(by=by) for by in kinds]
        asked += [UsageQuery(by="day", user_id="ada"), UsageQuery(by="user", project_id="p")]
        asked += [UsageQuery(by="user", since=today), UsageQuery(by="user", until="2001-01-01")]
        before = [await usage_book.report(query) for query in asked]
        assert await usage_book.roll_up(today) == 0
        assert len(await usage_book.report(UsageQuery(by="run"))) == made
        assert await usage_book.roll_up(A_LATER_DAY) == made
        assert [await usage_book.report(query) for query in asked] == before
        assert await usage_book.report(UsageQuery(by="run")) == []
        # What comes after is added to it, and rolled up with it.
        await usage_book.settle(await reserve(usage_book.reserve(spender(), CALL)), USED)
        (day,) = await usage_book.report(UsageQuery(by="day"))
        whole = sum([USED.tokens] * (made + 1), start=TokenUsage())
        assert (day.total.calls, day.total.tokens) == (made + 1, whole)
        assert await usage_book.roll_up(A_LATER_DAY) == 1
        assert await usage_book.roll_up(A_LATER_DAY) == 0
        (day,) = await usage_book.report(UsageQuery(by="day"))
        assert day.total.calls == made + 1

    async def test_rolling_up_leaves_the_budgets_of_today(self, usage_book: UsageStore) -> None:
        await usage_book.set_budget(user_day("ada", calls=1))
        await reserve(usage_book.reserve(spender(), CALL))
        await usage_book.roll_up(datetime.now(UTC).strftime("%Y-%m-%d"))
        assert isinstance(await usage_book.reserve(spender(), CALL), BudgetRefusal)

    async def test_what_has_no_price_is_counted_as_unknown(self, usage_book: UsageStore) -> None:
        who = spender()
        for cost in (700, None):
            made = await reserve(usage_book.reserve(who, CALL))
            await usage_book.settle(made, CallUse(tokens=TokenUsage(input=1), cost_nano=cost))
        total = await usage_book.total_of_run(who.run_id)
        assert (total.calls, total.unpriced_calls, total.cost_nano) == (2, 1, 700)
        assert total.known_cost_nano is None

    async def test_what_does_not_fit_is_refused_and_says_why(self, usage_book: UsageStore) -> None:
        await usage_book.set_budget(user_day("ada", calls=2))
        who = spender()
        made = await reserve(usage_book.reserve(who, CALL))
        await reserve(usage_book.reserve(who, CALL))
        refused = await usage_book.reserve(who, CALL)
        assert isinstance(refused, BudgetRefusal)
        (short,) = refused.shortages
        assert short.budget == user_day("ada", calls=2)
        # What is used, and what calls under way may use, are told apart.
        amounts = (short.used, short.reserved, short.missing)
        assert [one.tokens for one in amounts] == [0, 200, 100]
        await usage_book.settle(made, USED)
        refused = await usage_book.reserve(who, Amount(tokens=101))
        assert isinstance(refused, BudgetRefusal)
        (short,) = refused.shortages
        amounts = (short.used, short.reserved, short.missing)
        assert [one.tokens for one in amounts] == [USED.tokens.total, 100, 81]

    async def test_a_refused_call_holds_nothing_anywhere(self, usage_book: UsageStore) -> None:
        await usage_book.set_budget(user_day("ada", calls=1))
        tenant = Budget(key=BudgetKey("tenant", "t", "month"), tokens_max=10_000)
        await usage_book.set_budget(tenant)
        await reserve(usage_book.reserve(spender(), CALL))
        assert isinstance(await usage_book.reserve(spender(), CALL), BudgetRefusal)
        used = await usage_book.used([tenant.key], datetime.now(UTC))
        assert used[tenant.key].tokens == CALL.tokens

    @pytest.mark.parametrize(
        "key",
        [
            BudgetKey("run", "r", "run"),
            BudgetKey("user", "ada", "day"),
            BudgetKey("user", "ada", "month"),
            BudgetKey("project", "p", "day"),
            BudgetKey("project", "p", "month"),
            BudgetKey("tenant", "t", "day"),
            BudgetKey("tenant", "t", "month"),
        ],
        ids=str,
    )
    async def test_every_scope_and_period_limits(
        self, usage_book: UsageStore, key: BudgetKey
    ) -> None:
        budget = Budget(key=key, cost_nano_max=1_500)
        who = spender(run_id="r")
        await reserve(usage_book.reserve(who, CALL, budgets=[budget]))
        refused = await usage_book.reserve(who, CALL, budgets=[budget])
        assert isinstance(refused, BudgetRefusal)
        assert [short.budget for short in refused.shortages] == [budget]

    async def test_the_stricter_of_two_limits_holds(self, usage_book: UsageStore) -> None:
        await usage_book.set_budget(user_day("ada", calls=5))
        refused = await usage_book.reserve(spender(), CALL, budgets=[user_day("ada", calls=0)])
        assert isinstance(refused, BudgetRefusal)

    async def test_others_are_not_limited(self, usage_book: UsageStore) -> None:
        await usage_book.set_budget(user_day("ada", calls=0))
        await reserve(usage_book.reserve(spender(user_id="bob"), CALL))
        await reserve(usage_book.reserve(spender(user_id=None), CALL))
        assert isinstance(await usage_book.reserve(spender(), CALL), BudgetRefusal)

    async def test_what_is_given_back_is_free_again(self, usage_book: UsageStore) -> None:
        await usage_book.set_budget(user_day("ada", calls=1))
        made = await reserve(usage_book.reserve(spender(), CALL))
        await usage_book.release(made)
        await usage_book.release(made)
        await reserve(usage_book.reserve(spender(), CALL))
        assert isinstance(await usage_book.reserve(spender(), CALL), BudgetRefusal)

    async def test_what_was_not_used_is_free_again(self, usage_book: UsageStore) -> None:
        await usage_book.set_budget(user_day("ada", calls=1))
        cheap = CallUse(tokens=TokenUsage(input=10), cost_nano=0)
        for _ in range(10):
            made = await reserve(usage_book.reserve(spender(), Amount(10, 0)))
            await usage_book.settle(made, cheap)
        assert isinstance(await usage_book.reserve(spender(), Amount(1, 0)), BudgetRefusal)

    async def test_a_settled_call_is_not_counted_again(self, usage_book: UsageStore) -> None:
        who = spender()
        budget = user_day("ada", calls=5)
        made = await reserve(usage_book.reserve(who, CALL, budgets=[budget]))
        await usage_book.settle(made, USED)
        assert await usage_book.settle(made, USED) == []
        await usage_book.release(made)
        assert (await usage_book.total_of_run(who.run_id)).calls == 1
        used = await usage_book.used([budget.key], datetime.now(UTC))
        assert used[budget.key] == Amount(USED.tokens.total, 700)

    async def test_an_unknown_price_passes_a_limit_of_money_but_not_of_tokens(
        self, usage_book: UsageStore
    ) -> None:
        unpriced = Amount(tokens=100, cost_nano=None)
        money = user_day("ada", cost_nano=1)
        await reserve(usage_book.reserve(spender(), unpriced, budgets=[money]))
        tokens = user_day("ada", calls=1)
        assert isinstance(
            await usage_book.reserve(spender(), unpriced, budgets=[tokens]), BudgetRefusal
        )

    async def test_what_a_person_allowed_counts_for_their_run(self, usage_book: UsageStore) -> None:
        budget = user_day("ada", calls=0)
        extra = {str(budget.key): Amount(CALL.tokens, 0)}
        await reserve(usage_book.reserve(spender(), CALL, budgets=[budget], extra=extra))
        again = await usage_book.reserve(spender(), CALL, budgets=[budget], extra=extra)
        assert isinstance(again, BudgetRefusal)

    async def test_a_warning_comes_once(self, usage_book: UsageStore) -> None:
        await usage_book.set_budget(user_day("ada", calls=10))
        warned: list[int] = []
        whole = CallUse(tokens=TokenUsage(input=CALL.tokens), cost_nano=0)
        for number in range(1, 11):
            made = await reserve(usage_book.reserve(spender(), CALL))
            (stands,) = await usage_book.settle(made, whole)
            assert stands.used.tokens == number * CALL.tokens
            warned += [number] * stands.warn
        assert warned == [8]
        # Most of a higher limit is worth another word.
        await usage_book.set_budget(user_day("ada", calls=20))
        for number in range(11, 21):
            made = await reserve(usage_book.reserve(spender(), CALL))
            (stands,) = await usage_book.settle(made, whole)
            warned += [number] * stands.warn
        assert warned == [8, 16]

    async def test_what_a_dead_process_held_counts_as_used(self, usage_book: UsageStore) -> None:
        await usage_book.set_budget(user_day("ada", calls=2))
        who = spender()
        lost = await reserve(usage_book.reserve(who, CALL, lease_s=EXPIRED_S))
        await reserve(usage_book.reserve(who, CALL))
        assert isinstance(await usage_book.reserve(who, CALL), BudgetRefusal)
        total = await usage_book.total_of_run(who.run_id)
        assert (total.calls, total.tokens.total, total.cost_nano) == (1, 100, 1_000)
        # Should it live after all: its call is in the sum.
        await usage_book.settle(lost, USED)
        assert await usage_book.total_of_run(who.run_id) == total

    async def test_budgets_are_set_changed_and_removed(self, usage_book: UsageStore) -> None:
        first, second = user_day("ada", calls=1), user_day("bob", cost_nano=5)
        await usage_book.set_budget(second)
        await usage_book.set_budget(first)
        assert await usage_book.budgets() == [first, second]
        changed = user_day("ada", cost_nano=9)
        await usage_book.set_budget(changed)
        assert await usage_book.budgets() == [changed, second]
        assert await usage_book.remove_budget(changed.key)
        assert not await usage_book.remove_budget(changed.key)
        assert await usage_book.budgets() == [second]

    @pytest.mark.parametrize(
        "wrong",
        [
            Budget(key=BudgetKey("run", "r", "run"), tokens_max=1),
            Budget(key=BudgetKey("user", "ada", "day")),
            Budget(key=BudgetKey("user", "ada", "day"), tokens_max=-1),
            Budget(key=BudgetKey("user", "ada", "day"), cost_nano_max=2**63),
        ],
    )
    async def test_a_budget_that_cannot_be_is_refused(
        self, usage_book: UsageStore, wrong: Budget
    ) -> None:
        with pytest.raises(ValidationError):
            await usage_book.set_budget(wrong)
        assert await usage_book.budgets() == []

    async def test_callers_side_by_side_never_pass_a_limit(self, usage_book: UsageStore) -> None:
        await usage_book.set_budget(user_day("ada", calls=CALLS))
        made: list[Reservation] = []

        async def caller(number: int) -> None:
            answer = await usage_book.reserve(spender(run_id=f"r{number % 5}"), CALL)
            if isinstance(answer, Reservation):
                made.append(answer)
                await usage_book.settle(answer, CallUse(tokens=TokenUsage(input=100), cost_nano=0))

        await asyncio.gather(*(caller(number) for number in range(CALLERS)))
        assert len(made) == CALLS

    @shared_store_examples
    @given(
        limit=st.integers(0, 500),
        steps=st.lists(
            st.tuples(
                st.sampled_from(["settle", "release", "leave", "die"]),
                st.integers(0, 120),
                st.integers(0, 120),
            ),
            max_size=12,
        ),
    )
    async def test_used_and_held_never_pass_a_limit_that_calls_keep_to(
        self, usage_book: UsageStore, limit: int, steps: list[tuple[str, int, int]]
    ) -> None:
        who = spender(user_id=new_id())
        key = BudgetKey("user", who.user_id or "", "month")
        budget = Budget(key=key, tokens_max=limit)
        for end, worst, used in steps:
            lease_s = EXPIRED_S if end == "die" else 60.0
            made = await usage_book.reserve(
                who, Amount(worst, 0), budgets=[budget], lease_s=lease_s
            )
            if isinstance(made, Reservation) and end == "settle":
                tokens = TokenUsage(output=min(used, worst))
                await usage_book.settle(made, CallUse(tokens=tokens, cost_nano=0))
            elif isinstance(made, Reservation) and end == "release":
                await usage_book.release(made)
            now_used = await usage_book.used([key], datetime.now(UTC))
            assert now_used[key].tokens <= limit


class UsageStoreTenantConformance:
    """Needs the fixture `usage_book_pair`: two books, of the tenants `one` and `two`."""

    async def test_tenants_see_nothing_of_each_other(
        self, usage_book_pair: tuple[UsageStore, UsageStore]
    ) -> None:
        one, two = usage_book_pair
        await one.set_budget(user_day("ada", calls=1))
        who = spender(tenant_id="one")
        await one.settle(await reserve(one.reserve(who, CALL)), USED)
        assert await two.budgets() == []
        assert await two.report(UsageQuery(by="user")) == []
        assert not await two.remove_budget(user_day("ada", calls=1).key)
        for _ in range(3):
            await reserve(two.reserve(spender(tenant_id="two"), CALL))
        assert len(await one.budgets()) == 1
