"""What every `PatternStore` does."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from dataagent_core.config.limits.patterns import PATTERN_CANDIDATES_MAX, PATTERNS_PAGE_DEFAULT
from dataagent_core.errors import ConflictError, NotFoundError, ValidationError
from dataagent_core.patterns import (
    InteractionPattern,
    InteractionTrace,
    LearningSwitches,
    PatternLibrary,
    PatternStore,
)
from dataagent_core.patterns.interaction_pattern import (
    DecisionPreference,
    LearnedRun,
    PatternCall,
    PatternStep,
    SuccessFactors,
)
from dataagent_core.patterns.trace import TracedCall

NOW = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
TENANT = "one"
EVERYWHERE = LearningSwitches()


def make_pattern(
    name: str = "p",
    *,
    tenant_id: str = TENANT,
    entities: tuple[str, ...] = ("revenu", "region"),
    age: int = 0,
    user_id: str = "ada",
) -> InteractionPattern:
    """Make a pattern with something in every field."""
    changed_at = NOW - timedelta(seconds=age)
    return InteractionPattern(
        id=name,
        tenant_id=tenant_id,
        name=f"Revenue 收入 {name}",
        description="Revenue by region for {date}",
        signature=f"{name:0<64}"[:64],
        entities=entities,
        steps=(
            PatternStep(
                description="Query 🎉",
                expected_output="rows",
                tools=("sql_query",),
                decision_points=("How fine?: By day",),
                corrections=("use the view",),
            ),
            PatternStep(tools=("chart_create",), is_text_left_out=True),
        ),
        tool_chains=(
            (PatternCall(tool="sql_query", args={"sql": "text"}), PatternCall(tool="chart_create")),
            (PatternCall(tool="shell", by_subagent=True),),
        ),
        success_factors=SuccessFactors(clarifications_needed=1, critical_decisions=("a: b",)),
        decision_preferences=(
            DecisionPreference(question="How fine?", recommended="month", choices={"day": 2}),
        ),
        corrections=("per month",),
        usage_count=4,
        success_count=3,
        failure_count=1,
        consecutive_failures=1,
        avg_execution_time_ms=2**40,
        user_id=user_id,
        state="trusted",
        created_at=NOW - timedelta(days=400),
        updated_at=changed_at,
        last_used_at=changed_at,
        last_queried_at=NOW - timedelta(days=2),
        recent_runs=(LearnedRun(run_id="r", session_id="s", success=False, at=NOW),),
        metadata={"made_by": "hand", "deep": {"list": [1, None, "数"]}},
    )


def make_trace(number: int) -> InteractionTrace:
    """Make one of several runs of a task."""
    call = TracedCall(
        tool_name="sql_query", args={}, status="success", duration_ms=1, content="workspace"
    )
    return InteractionTrace(
        conversation_id="s",
        user_goal="Revenue by region",
        tool_calls=(call,),
        success=True,
        run_id=f"run{number}",
    )


class PatternStoreConformance:
    """Needs the fixture `pattern_store`, opened for the tenant `TENANT`."""

    async def test_a_stored_pattern_is_read_back_equal(self, pattern_store: PatternStore) -> None:
        added = await pattern_store.add(make_pattern())
        assert added == replace(make_pattern(), version=1)
        assert await pattern_store.get("p") == added
        plain = replace(
            make_pattern("q"), avg_execution_time_ms=None, last_used_at=None, last_queried_at=None
        )
        assert await pattern_store.get("q") is None
        assert await pattern_store.add(plain) == await pattern_store.get("q")

    async def test_a_known_id_is_refused_and_changes_nothing(
        self, pattern_store: PatternStore
    ) -> None:
        added = await pattern_store.add(make_pattern())
        with pytest.raises(ConflictError):
            await pattern_store.add(replace(make_pattern(), name="another", entities=("x",)))
        assert await pattern_store.get("p") == added
        assert await pattern_store.find_candidates("", ["x"]) == []

    async def test_a_pattern_of_another_tenant_is_refused(
        self, pattern_store: PatternStore
    ) -> None:
        with pytest.raises(ValidationError, match="tenant"):
            await pattern_store.add(make_pattern(tenant_id="other"))

    async def test_of_two_who_save_at_once_one_is_told(self, pattern_store: PatternStore) -> None:
        read = await pattern_store.add(make_pattern())
        first = await pattern_store.save(replace(read, usage_count=5))
        assert first.version == read.version + 1
        with pytest.raises(ConflictError, match="version"):
            await pattern_store.save(replace(read, usage_count=9))
        assert await pattern_store.get("p") == first

    async def test_many_who_learn_at_once_lose_nothing(self, pattern_store: PatternStore) -> None:
        await pattern_store.add(replace(make_pattern(), usage_count=0))

        async def count() -> None:
            while True:
                read = await pattern_store.get("p")
                assert read is not None
                try:
                    await pattern_store.save(replace(read, usage_count=read.usage_count + 1))
                except ConflictError:
                    continue
                return

        times = 8
        await asyncio.gather(*(count() for _ in range(times)))
        found = await pattern_store.get("p")
        assert found is not None
        assert (found.usage_count, found.version) == (times, times + 1)

    async def test_of_many_first_runs_learned_at_once_none_is_lost(
        self, pattern_store: PatternStore
    ) -> None:
        times = 8
        learned = await asyncio.gather(
            *(
                PatternLibrary(pattern_store, TENANT).learn(make_trace(n), switches=EVERYWHERE)
                for n in range(times)
            )
        )
        (found,) = await pattern_store.list_page()
        assert (found.usage_count, found.success_count) == (times, times)
        assert {one.id for one in learned if one is not None} == {found.id}
        assert {one.run_id for one in found.recent_runs} == {f"run{n}" for n in range(times)}
        (candidate,) = await pattern_store.find_candidates("", found.entities)
        assert candidate == found

    async def test_a_pattern_deleted_while_it_is_learned_does_not_come_back(
        self, pattern_store: PatternStore
    ) -> None:
        library = PatternLibrary(pattern_store, TENANT)
        learned = await library.learn(make_trace(0), switches=EVERYWHERE)
        assert learned is not None
        assert await library.forget(learned.id)
        with pytest.raises(NotFoundError):
            await pattern_store.save(replace(learned, usage_count=2))
        assert await pattern_store.find_candidates(learned.signature, learned.entities) == []

    async def test_those_who_ask_for_the_same_patterns_at_once_do_not_block_each_other(
        self, pattern_store: PatternStore
    ) -> None:
        ids = [f"p{number}" for number in range(4)]
        for name in ids:
            await pattern_store.add(make_pattern(name))
        orders = [ids if number % 2 else ids[::-1] for number in range(8)]
        moments = [NOW + timedelta(seconds=number) for number in range(8)]
        await asyncio.gather(*map(pattern_store.note_queries, orders, moments))
        found = [await pattern_store.get(name) for name in ids]
        assert {one and one.last_queried_at for one in found} == {moments[-1]}

    async def test_an_unknown_pattern_cannot_be_saved(self, pattern_store: PatternStore) -> None:
        with pytest.raises(NotFoundError):
            await pattern_store.save(make_pattern())
        assert await pattern_store.get("p") is None

    async def test_a_deleted_pattern_is_gone_also_from_searches(
        self, pattern_store: PatternStore
    ) -> None:
        added = await pattern_store.add(make_pattern())
        assert await pattern_store.delete("p")
        assert not await pattern_store.delete("p")
        assert await pattern_store.get("p") is None
        assert await pattern_store.find_candidates(added.signature, added.entities) == []
        assert (await pattern_store.add(make_pattern())).version == 1

    async def test_pages_have_the_last_changed_first(self, pattern_store: PatternStore) -> None:
        for number in range(6):
            await pattern_store.add(
                replace(
                    make_pattern(f"p{number}", age=number, user_id="eve" if number % 2 else "ada"),
                    state="draft" if number < 3 else "trusted",  # noqa: PLR2004 (half of them)
                )
            )

        async def ids(**page: object) -> list[str]:
            return [one.id for one in await pattern_store.list_page(**page)]  # pyright: ignore[reportArgumentType]

        assert await ids() == ["p0", "p1", "p2", "p3", "p4", "p5"]
        assert await ids(limit=2, offset=1) == ["p1", "p2"]
        assert await ids(user_id="eve") == ["p1", "p3", "p5"]
        assert await ids(state="draft") == ["p0", "p1", "p2"]
        assert await ids(user_id="eve", state="trusted") == ["p3", "p5"]
        assert await ids(user_id="nobody") == []
        with pytest.raises(ValidationError, match="limit"):
            await pattern_store.list_page(limit=-1)

    async def test_a_page_has_a_size_where_none_is_given(self, pattern_store: PatternStore) -> None:
        for number in range(PATTERNS_PAGE_DEFAULT + 1):
            await pattern_store.add(make_pattern(f"p{number}"))
        assert len(await pattern_store.list_page()) == PATTERNS_PAGE_DEFAULT

    async def test_a_search_finds_by_signature_and_by_terms(
        self, pattern_store: PatternStore
    ) -> None:
        same = replace(make_pattern("same", entities=("unlike",)), signature="s" * 64)
        both = make_pattern("both")
        half = make_pattern("half", entities=("region", "cost"), age=1)
        for pattern in (same, half, both, make_pattern("none", entities=("poem",))):
            await pattern_store.add(pattern)
        found = await pattern_store.find_candidates("s" * 64, ["revenu", "region"])
        assert found[0].id == "same"
        assert {one.id for one in found} == {"same", "both", "half"}
        assert [one.id for one in await pattern_store.find_candidates("s" * 64, [])] == ["same"]
        assert await pattern_store.find_candidates("", []) == []

    async def test_a_search_sees_changed_terms(self, pattern_store: PatternStore) -> None:
        read = await pattern_store.add(make_pattern())
        await pattern_store.save(replace(read, entities=("cost",)))
        assert await pattern_store.find_candidates("", ["revenu"]) == []
        assert [one.id for one in await pattern_store.find_candidates("", ["cost"])] == ["p"]

    async def test_a_search_among_many_alike_is_bounded(self, pattern_store: PatternStore) -> None:
        for number in range(PATTERN_CANDIDATES_MAX + 5):
            await pattern_store.add(make_pattern(f"p{number}", age=number))
        found = await pattern_store.find_candidates("", ["revenu", "region"])
        assert len(found) == PATTERN_CANDIDATES_MAX
        assert "p0" in {one.id for one in found}

    async def test_terms_of_any_text_can_be_searched(self, pattern_store: PatternStore) -> None:
        terms = ("'; DROP TABLE interaction_patterns; --", "收入", "%", "_", "A", "a", "é", "🎉")
        for number, term in enumerate(terms):
            await pattern_store.add(make_pattern(f"p{number}", entities=(term,)))
        for number, term in enumerate(terms):
            assert [one.id for one in await pattern_store.find_candidates("", [term])] == [
                f"p{number}"
            ]

    async def test_a_query_is_noted_and_never_moves_back(self, pattern_store: PatternStore) -> None:
        read = await pattern_store.add(make_pattern())
        await pattern_store.note_queries(["p", "unknown"], NOW)
        await pattern_store.note_queries(["p"], NOW - timedelta(days=1))
        await pattern_store.note_queries([], NOW)
        noted = await pattern_store.get("p")
        assert noted == replace(read, last_queried_at=NOW)
        # Who read it before may save, and does not take the query back.
        saved = await pattern_store.save(replace(read, usage_count=9))
        found = await pattern_store.get("p")
        assert found == replace(saved, last_queried_at=NOW)


class PatternStoreTenantConformance:
    """Needs the fixture `pattern_store_pair`, opened for the tenants `TENANT` and `"two"`."""

    async def test_another_tenants_patterns_can_neither_be_seen_nor_changed(
        self, pattern_store_pair: tuple[PatternStore, PatternStore]
    ) -> None:
        mine, theirs = pattern_store_pair
        stored = await mine.add(make_pattern())
        assert await theirs.get("p") is None
        assert await theirs.list_page() == []
        assert await theirs.find_candidates(stored.signature, stored.entities) == []
        assert not await theirs.delete("p")
        await theirs.note_queries(["p"], NOW)
        with pytest.raises(ValidationError):
            await theirs.save(stored)
        own = await theirs.add(make_pattern(tenant_id="two"))
        assert await theirs.delete(own.id)
        assert await mine.get("p") == stored
        assert await mine.find_candidates(stored.signature, []) == [stored]
