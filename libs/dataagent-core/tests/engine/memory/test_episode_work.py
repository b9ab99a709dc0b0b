"""Episodes are read into the graph beside the next run, by rules or by a model within a budget."""

from pathlib import Path
from typing import Any

import pytest
from agents import scripted, settings
from remembering import ASSISTANT, TENANT, USER, Person, model

from dataagent_core.engine.assembly.memory_scopes import list_person_scopes
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
