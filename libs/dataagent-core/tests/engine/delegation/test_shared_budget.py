"""Sub-agents side by side share the budgets of their run, and never overrun them together."""

from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from agents import echo, events_of, executor
from agents import settings as settings_of
from budgeted import DAY, Person
from hypothesis import given, settings
from hypothesis import strategies as st
from subagent_scripts import called, ends_of, playing, specialist, task

from dataagent_core.hitl import Decision
from dataagent_core.session.stores.bundle import Stores, open_sqlite
from dataagent_core.usage import Budget, UsageQuery
from tests.counts import examples

# What each turn of one sub-agent uses: tokens in and out.
turns = st.lists(st.tuples(st.integers(0, 4_000), st.integers(0, 1_500)), min_size=1, max_size=4)


def steps_of(used: list[tuple[int, int]]) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = [
        {
            "tool_calls": [called("echo", text=str(number))],
            "usage": {"input_tokens": tokens_in, "output_tokens": tokens_out},
        }
        for number, (tokens_in, tokens_out) in enumerate(used)
    ]
    return [*steps, {"text": "ok", "usage": {"input_tokens": 1, "output_tokens": 1}}]


@pytest.mark.requirement("F7-6")
@settings(max_examples=examples(40))
@given(parallel=st.lists(turns, min_size=2, max_size=5), tokens_max=st.integers(20_000, 90_000))
async def test_parallel_sub_agents_never_overrun_what_they_share(
    tmp_path: Path, parallel: list[list[tuple[int, int]]], tokens_max: int
) -> None:
    names = [f"P{number}" for number in range(len(parallel))]
    model = playing(
        *(task(name, to=name.lower()) for name in names),
        **{name: steps_of(used) for name, used in zip(names, parallel, strict=True)},
    )
    subagents = tuple(specialist(name.lower(), max_tokens=1_500) for name in names)
    stores = Stores.in_memory()
    await stores.usage.set_budget(Budget(key=DAY, tokens_max=tokens_max))
    agent = executor(
        model,
        tmp_path,
        tools=[echo],
        handler=Person(),
        stores=stores,
        subagents=subagents,
        auto_approve=True,
    )
    events = await events_of(agent)
    assert events[-1].reason in {"completed", "budget"}
    # Whoever could not go on ended the run by the person's no; nobody failed alone.
    assert "failed" not in {end.phase for end in ends_of(events).values()}
    rows = await stores.usage.report(UsageQuery(by="user"))
    used = sum(row.total.tokens.total for row in rows)
    assert used <= tokens_max
    # All that the log says was used is in the book.
    stepped = [e.tokens for e in events if e.event_type == "step_finish"]
    assert sum(tokens["total_tokens"] for tokens in stepped) == used


@pytest.mark.requirement("F7-6")
@pytest.mark.parametrize("kind", ["memory", "sqlite"])
async def test_nobody_fails_and_nobody_is_asked_where_the_sum_fits(
    tmp_path: Path, kind: str
) -> None:
    # Each call may use more than 4,096 tokens, so that two or three fit at a time.
    names = [f"P{number}" for number in range(10)]
    steps = steps_of([(10, 5)] * 5)
    model = playing(*(task(name, to=name.lower()) for name in names), **dict.fromkeys(names, steps))
    person = Person()
    subagents = tuple(specialist(name.lower()) for name in names)
    async with AsyncExitStack() as opened:
        stores = Stores.in_memory()
        if kind == "sqlite":
            stores = await opened.enter_async_context(open_sqlite(tmp_path / "d.db", "t"))
        await stores.usage.set_budget(Budget(key=DAY, tokens_max=20_000))
        agent = executor(
            model,
            tmp_path,
            tools=[echo],
            handler=person,
            stores=stores,
            subagents=subagents,
            auto_approve=True,
        )
        events = await events_of(agent)
        rows = await stores.usage.report(UsageQuery(by="user"))
    assert events[-1].reason == "completed"
    assert {end.phase for end in ends_of(events).values()} == {"finished"}
    assert len(ends_of(events)) == len(names)
    assert person.questions == []
    assert not [event for event in events if event.event_type == "hitl_request"]
    assert sum(row.total.tokens.total for row in rows) <= 20_000


@pytest.mark.requirement("F7-6")
async def test_nobody_fails_while_a_person_approves_every_raise(tmp_path: Path) -> None:
    names = [f"P{number}" for number in range(10)]
    steps = steps_of([(900, 500)] * 3)
    model = playing(*(task(name, to=name.lower()) for name in names), **dict.fromkeys(names, steps))
    yes: Decision = {"type": "approve"}
    person = Person(*[yes] * 100)
    stores = Stores.in_memory()
    await stores.usage.set_budget(Budget(key=DAY, tokens_max=8_000))
    agent = executor(
        model,
        tmp_path,
        tools=[echo],
        handler=person,
        stores=stores,
        subagents=tuple(specialist(name.lower(), max_tokens=1_000) for name in names),
        auto_approve=True,
    )
    events = await events_of(agent)
    assert events[-1].reason == "completed"
    assert {end.phase for end in ends_of(events).values()} == {"finished"}
    assert len(ends_of(events)) == len(names)
    # The request says what is used, not what the others have reserved.
    used = 0
    for event in events:
        if event.event_type == "step_finish":
            used += event.tokens["total_tokens"]
        elif event.event_type == "hitl_request":
            assert event.action_requests[0]["budgets"][0]["used_tokens"] == used


async def test_the_limit_of_model_calls_is_shared_and_ends_the_run(tmp_path: Path) -> None:
    names = ("A", "B", "C")
    steps = steps_of([(1, 1)] * 3)
    model = playing(*(task(name) for name in names), **dict.fromkeys(names, steps))
    chosen = settings_of(run_model_calls_max=6)
    events = await events_of(executor(model, tmp_path, tools=[echo], chosen=chosen))
    assert events[-1].reason == "limit"
    assert len(model.requests) == 6
    # It is the run's end, not a failure of theirs that the agent could go on from.
    assert not ends_of(events)
