"""Episodes are read into the graph beside the next run, by rules or by a model within a budget."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from agents import scripted, settings
from remembering import ASSISTANT, TENANT, USER, Person, model

from dataagent_core.engine.assembly.memory_scopes import list_person_scopes
from dataagent_core.engine.memory.episode_work import EpisodeWork
from dataagent_core.engine.memory.extraction_model import ACCOUNT, ExtractionModel
from dataagent_core.errors import BudgetExceededError, ModelUnavailableError
from dataagent_core.models import resolve_model
from dataagent_core.usage import Budget, BudgetKey, RunAccount, Spender


def make_account(tokens_max: int) -> RunAccount:
    return RunAccount(
        spender=Spender(tenant_id="t", run_id="r", session_id="s"),
        budgets=[Budget(key=BudgetKey("run", "r", "run"), tokens_max=tokens_max)],
    )


def extraction(played: Any) -> ExtractionModel:
    chosen = settings(entity_extraction_model="openai:small")
    return ExtractionModel(chosen, lambda spec, used: resolve_model(played, used))


async def test_what_was_said_in_a_run_is_in_the_graph_after_the_next_ones(tmp_path: Path) -> None:
    person = Person(tmp_path)
    scopes = tuple(list_person_scopes(TENANT, USER, ASSISTANT).values())
    await person.say("Mia Keller works at Orion Labs in Basel.", "one")
    agent = person.agent(model({"text": "ok"}))
    _ = [event async for event in agent.execute("hello there again", "two")]
    task = agent._resources.memory.work._task
    await task
    await agent.aclose()
    assert person.opened.graph is not None
    found = await person.opened.graph.find_entities(scopes, "Mia Keller", 5)
    assert found[0].name == "Mia Keller"


class SlowGraph:
    """Reads episodes until it is told to end; knows who pays."""

    def __init__(self) -> None:
        self.payers: list[RunAccount | None] = []
        self.begun = asyncio.Event()
        self.end = asyncio.Event()

    async def process_pending(self) -> None:
        self.payers.append(ACCOUNT.get())
        self.begun.set()
        await self.end.wait()


async def test_reading_ends_with_the_run_that_pays_and_goes_on_for_another() -> None:
    graph: Any = SlowGraph()
    work = EpisodeWork(graph)
    before = asyncio.all_tasks()
    one, two, three = (make_account(n) for n in (1, 2, 3))
    work.start(one)
    await graph.begun.wait()
    work.start(two)
    # Not at its expense.
    await work.stop(three)
    graph.begun.clear()
    await work.stop(one)
    await graph.begun.wait()
    work.start(three)
    await work.stop(three)
    await work.stop(two)
    assert asyncio.all_tasks() == before
    assert [payer.budgets[0].tokens_max for payer in graph.payers] == [1, 2]


async def test_each_round_is_paid_by_the_run_that_asked_for_it() -> None:
    graph: Any = SlowGraph()
    work = EpisodeWork(graph)
    before = asyncio.all_tasks()
    one, two = make_account(1), make_account(2)
    work.start(one)
    await graph.begun.wait()
    work.start(two)
    graph.end.set()
    await asyncio.gather(*(asyncio.all_tasks() - before))
    assert [payer.budgets[0].tokens_max for payer in graph.payers] == [1, 2]
    # It is over: there is nothing to stop.
    await work.stop(two)


async def test_a_cancelled_run_leaves_no_reading_behind(tmp_path: Path) -> None:
    person = Person(tmp_path)
    agent = person.agent(model({"text": "ok"}))
    graph: Any = SlowGraph()
    agent._resources.memory.work._graph = graph
    stop = asyncio.Event()
    before = asyncio.all_tasks()
    stop.set()
    events = [event async for event in agent.execute("hello there", "one", None, stop)]
    assert events[-1].reason == "user_cancelled"
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == before
    await agent.aclose()


async def test_a_model_that_reads_episodes_is_paid_by_the_run() -> None:
    account = make_account(100_000)
    ACCOUNT.set(account)
    ask = extraction(scripted({"text": "{}"}))
    assert await ask("Read this", "Mia works at Orion", answer_tokens_max=100) == "{}"
    assert account.total.calls == 1
    assert account.total.tokens.total > 0
    await ask.aclose()


async def test_a_call_over_the_budget_or_outside_of_a_run_is_not_made() -> None:
    played = scripted({"text": "{}"})
    ask = extraction(played)
    ACCOUNT.set(None)
    with pytest.raises(ModelUnavailableError):
        await ask("Read this", "Mia works at Orion", answer_tokens_max=100)
    ACCOUNT.set(make_account(50))
    with pytest.raises(BudgetExceededError):
        await ask("Read this", "Mia works at Orion", answer_tokens_max=100)
    assert not played.requests
