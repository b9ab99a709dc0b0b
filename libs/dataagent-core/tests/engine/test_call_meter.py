"""Cost and budgets of real runs: what is counted, what is asked at a limit, what is kept."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from agents import Answering, echo, events_of, executor, resumed, scripted, settings, types
from budgeted import DAY, USAGE, Nobody, Person, model, of

from dataagent_core.config import ModelOverride
from dataagent_core.config.limits import BUDGET_ASKED_MAX
from dataagent_core.errors import NoOneToAskError
from dataagent_core.events import (
    CostUpdateEvent,
    HITLAnswerEvent,
    StepFinishEvent,
    WarningEvent,
)
from dataagent_core.hitl import Decision
from dataagent_core.session.stores.bundle import Stores, open_sqlite
from dataagent_core.usage import (
    Amount,
    Budget,
    BudgetRefusal,
    MemoryUsageStore,
    Reservation,
    Spender,
    TokenUsage,
    Total,
    UsageQuery,
)

# One dollar for a million tokens in, ten for a million out: 0.002 for a call of USAGE.
PRICED = {"scripted": ModelOverride(input_cost_per_1m=1.0, output_cost_per_1m=10.0)}


@pytest.mark.requirement("S2-5.1-cost")
@pytest.mark.requirement("F7-5")
async def test_every_call_says_what_it_used_and_what_the_run_has_used(tmp_path: Path) -> None:
    agent = executor(model(2), tmp_path, tools=[echo], chosen=settings(models=PRICED))
    events = await events_of(agent)
    steps, costs = of(StepFinishEvent, events), of(CostUpdateEvent, events)
    one = TokenUsage(input=1000, output=100, cached_read=400, reasoning=7)
    assert [(s.tokens, s.cost, s.currency) for s in steps] == [(one.as_dict(), 0.002, "USD")] * 2
    assert [c.tokens["total_tokens"] for c in costs] == [1100, 2200]
    assert [c.cost for c in costs] == [0.002, 0.004]
    assert events[-1].token_usage == (one + one).as_dict()
    assert events[-1].token_usage["cached_read_tokens"] == 800


@pytest.mark.requirement("F7-5")
async def test_an_unknown_price_is_shown_as_unknown(tmp_path: Path) -> None:
    events = await events_of(executor(model(1), tmp_path))
    assert [e.cost for e in of(StepFinishEvent, events)] == [None]
    assert [e.cost for e in of(CostUpdateEvent, events)] == [None]


@pytest.mark.requirement("F7-5")
async def test_an_endpoint_that_reports_nothing_is_estimated(tmp_path: Path) -> None:
    silent = scripted({"text": "some words", "usage": {"input_tokens": 0, "output_tokens": 0}})
    (step,) = of(StepFinishEvent, await events_of(executor(silent, tmp_path)))
    assert step.tokens["input_tokens"] > 100
    assert step.tokens["output_tokens"] > 0


@pytest.mark.requirement("F7-5")
async def test_the_book_has_totals_of_run_session_user_and_day(tmp_path: Path) -> None:
    stores = Stores.in_memory()
    agent = executor(
        model(2),
        tmp_path,
        tools=[echo],
        stores=stores,
        user_id="ada",
        project_id="p",
        chosen=settings(models=PRICED),
    )
    events = await events_of(agent, session="s7")
    (total,) = {row.total for row in await stores.usage.report(UsageQuery(by="session"))}
    assert (total.calls, total.cost_nano, total.tokens.cached_read) == (2, 4_000_000, 800)
    for by, name in (("run", events[0].run_id), ("user", "ada"), ("project", "p")):
        (row,) = await stores.usage.report(UsageQuery(by=by))  # pyright: ignore[reportArgumentType] (three of them)
        assert (row.name, row.total) == (name, total)


@pytest.mark.requirement("F7-6")
async def test_at_the_limit_a_person_is_asked_and_a_yes_lets_the_run_go_on(tmp_path: Path) -> None:
    person = Person({"type": "approve"}, {"type": "approve"}, {"type": "approve"})
    limit = 10_000
    agent = executor(
        model(6),
        tmp_path,
        tools=[echo],
        handler=person,
        chosen=settings(run_tokens_max=limit, max_output_tokens=100),
    )
    events = await events_of(agent)
    assert events[-1].reason == "completed"
    asked = person.questions
    assert asked
    assert all(question.kind == "budget" for question in asked)
    assert "the budget of this run" in (asked[0].context or "")
    assert f"of {limit:,} tokens used" in (asked[0].context or "")
    assert "may use up to" in (asked[0].question or "")
    assert "Raise the budget of this run by" in (asked[0].question or "")
    answers = of(HITLAnswerEvent, events)
    assert [a.kind for a in answers] == ["budget"] * len(asked)
    # Each call that was made is counted once, whatever was asked before it.
    assert len(of(StepFinishEvent, events)) == 6


@pytest.mark.requirement("F7-6")
async def test_a_no_ends_the_run_with_its_work_kept(tmp_path: Path) -> None:
    stores = Stores.in_memory()
    person = Person({"type": "reject"})
    chosen = settings(run_tokens_max=20_000, max_output_tokens=100)
    agent = executor(
        model(30), tmp_path, tools=[echo], handler=person, stores=stores, chosen=chosen
    )
    events = await events_of(agent)
    done, error = events[-1], events[-2]
    assert (done.reason, done.cancelled) == ("budget", False)
    assert error.code == "BUDGET_EXCEEDED"
    assert "the budget of this run" in error.error
    assert len(of(StepFinishEvent, events)) >= 1
    assert done.token_usage["total_tokens"] <= 20_000
    # The next message goes on with what was done.
    following = scripted({"text": "more", "usage": USAGE})
    later = executor(following, tmp_path, tools=[echo], stores=stores)
    assert (await events_of(later, "go on"))[-1].reason == "completed"
    assert any(message.type == "tool" for message in following.requests[0])


@pytest.mark.requirement("F7-6")
async def test_without_anybody_to_ask_the_limit_holds(tmp_path: Path) -> None:
    chosen = settings(run_tokens_max=1, max_output_tokens=100)
    events = await events_of(executor(model(1), tmp_path, chosen=chosen))
    assert types(events) == ["start", "hitl_request", "hitl_answer", "error", "done"]
    assert events[-1].reason == "budget"


class _Crowded(MemoryUsageStore):
    """Another run holds the budget whenever a call is reserved, the first times."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self._times = times

    async def reserve(
        self, spender: Spender, worst: Amount, **terms: Any
    ) -> Reservation | BudgetRefusal:
        self._times -= 1
        if self._times < 0:
            return await super().reserve(spender, worst, **terms)
        other = await super().reserve(replace(spender, run_id="other"), Amount(20_000, 0), **terms)
        answer = await super().reserve(spender, worst, **terms)
        assert isinstance(other, Reservation)
        await self.release(other)
        return answer


@pytest.mark.requirement("F7-6")
async def test_only_rounds_in_which_a_person_was_asked_count(tmp_path: Path) -> None:
    stores = replace(Stores.in_memory(), usage=_Crowded(BUDGET_ASKED_MAX * 4))
    await stores.usage.set_budget(Budget(key=DAY, tokens_max=20_000))
    person = Person()
    agent = executor(model(1), tmp_path, handler=person, stores=stores)
    events = await events_of(agent)
    assert events[-1].reason == "completed"
    assert person.questions == []


@pytest.mark.requirement("F7-6")
async def test_a_run_that_waits_at_a_budget_goes_on_in_another_process(tmp_path: Path) -> None:
    chosen = settings(day_tokens_max=10, max_output_tokens=100)
    path = tmp_path / "db" / "dataagent.db"
    async with open_sqlite(path, "t") as stores:
        waiting = executor(
            model(2), tmp_path, tools=[echo], handler=Nobody(), stores=stores, chosen=chosen
        )
        assert types(await events_of(waiting)) == ["start", "hitl_request"]
    async with open_sqlite(path, "t") as stores:
        person = Person({"type": "approve"}, {"type": "approve"})
        later = executor(
            model(2), tmp_path, tools=[echo], handler=person, stores=stores, chosen=chosen
        )
        events = await resumed(later)
        assert events[-1].reason == "completed"
        assert len(of(StepFinishEvent, events)) == 2
    async with open_sqlite(path, "t") as stores:
        (row,) = await stores.usage.report(UsageQuery(by="run"))
        assert row.total.calls == 2


@pytest.mark.requirement("F7-6")
async def test_most_of_a_budget_used_is_said_once(tmp_path: Path) -> None:
    stores = Stores.in_memory()
    await stores.usage.set_budget(Budget(key=DAY, cost_nano_max=110_000_000))
    chosen = settings(models=PRICED, max_output_tokens=1000)
    costly = {"input_tokens": 1000, "output_tokens": 1000}
    agent = executor(model(9, costly), tmp_path, tools=[echo], stores=stores, chosen=chosen)
    events = await events_of(agent)
    warnings = [e for e in of(WarningEvent, events) if e.code == "BUDGET_NEARLY_USED"]
    assert [w.message for w in warnings] == ["80 % used of your budget for this day."]
    last = of(CostUpdateEvent, events)[-1].budgets
    assert [(b["scope"], b["period"], b["used_cost"], b["cost_max"]) for b in last] == [
        ("user", "day", 0.099, 0.11)
    ]


@pytest.mark.requirement("F7-6")
async def test_runs_side_by_side_never_spend_more_than_their_budget(tmp_path: Path) -> None:
    stores = Stores.in_memory()
    # A call is held at its worst: about its input and 100 tokens of answer.
    await stores.usage.set_budget(Budget(key=DAY, tokens_max=30_000))
    chosen = settings(max_output_tokens=100)

    async def one(number: int) -> Any:
        agent = executor(
            model(5), tmp_path, tools=[echo], stores=stores, chosen=chosen, user_id="local"
        )
        return (await events_of(agent, session=f"s{number}"))[-1].reason

    reasons = await asyncio.gather(*(one(number) for number in range(12)))
    (row,) = await stores.usage.report(UsageQuery(by="user"))
    assert row.total.tokens.total <= 30_000
    assert "budget" in reasons


@pytest.mark.requirement("F7-6")
async def test_sub_agents_spend_from_the_run_that_started_them(tmp_path: Path) -> None:
    task = {
        "name": "task",
        "args": {"description": "SIDE: look", "subagent_type": "general-purpose"},
    }
    both = scripted(
        scripts=[
            {"match": "SIDE", "steps": [{"text": "seen", "usage": USAGE}]},
            {
                "steps": [
                    {"tool_calls": [task, task], "usage": USAGE},
                    {"text": "all", "usage": USAGE},
                ]
            },
        ]
    )
    stores = Stores.in_memory()
    events = await events_of(executor(both, tmp_path, stores=stores, auto_approve=True))
    assert events[-1].reason == "completed"
    assert len(of(StepFinishEvent, events)) == 4
    (row,) = await stores.usage.report(UsageQuery(by="run"))
    assert row.total.calls == 4
    assert events[-1].token_usage["total_tokens"] == 4 * 1100


@pytest.mark.requirement("F7-6")
async def test_a_call_that_fails_gives_its_place_back(tmp_path: Path) -> None:
    stores = Stores.in_memory()
    await stores.usage.set_budget(Budget(key=DAY, tokens_max=1_000_000))
    failing = scripted({"text": "x", "usage": USAGE, "failures": [{"status": 503}]})
    agent = executor(failing, tmp_path, stores=stores, chosen=settings(model_retries=1))
    events = await events_of(agent)
    assert events[-1].reason == "completed"
    used = await stores.usage.used([DAY], datetime.now(UTC))
    assert used[DAY].tokens == 1100


@pytest.mark.requirement("F7-6")
async def test_an_answer_that_breaks_off_counts_at_least_what_was_sent(tmp_path: Path) -> None:
    stores = Stores.in_memory()
    broken = scripted({"text": "x" * 90, "usage": USAGE, "failures": [{"disconnect": True}]})
    agent = executor(broken, tmp_path, stores=stores, chosen=settings(model_retries=1))
    events = await events_of(agent)
    (row,) = await stores.usage.report(UsageQuery(by="run"))
    assert row.total.calls == 2
    assert row.total.tokens.input > 1000
    assert events[-1].token_usage == row.total.tokens.as_dict()


async def test_a_resumed_run_goes_on_counting_where_it_was(tmp_path: Path) -> None:
    stores = Stores.in_memory()

    class Away(Answering):
        async def request_approval(self, action_request: Any, session_id: str) -> Decision:
            raise NoOneToAskError("nobody is there")

    write = {"name": "write_file", "args": {"file_path": "/a.txt", "content": "a"}}
    steps = ({"tool_calls": [write], "usage": USAGE}, {"text": "done", "usage": USAGE})
    first = executor(scripted(*steps), tmp_path, handler=Away(), stores=stores)
    assert types(await events_of(first))[-1] == "hitl_request"
    events = await resumed(executor(scripted(*steps), tmp_path, handler=Answering(), stores=stores))
    assert events[-1].token_usage["total_tokens"] == 2200
    assert of(CostUpdateEvent, events)[-1].tokens["total_tokens"] == 2200


async def test_a_run_without_a_call_has_used_nothing(tmp_path: Path) -> None:
    agent = executor(scripted({"text": "x", "failures": [{"status": 401}]}), tmp_path)
    assert (await events_of(agent))[-1].token_usage is None
    assert Total().tokens.as_dict()["total_tokens"] == 0
