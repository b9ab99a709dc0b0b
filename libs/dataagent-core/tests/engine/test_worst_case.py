"""What is held for a call bounds what it can use: its answer, its input, and its cancellation."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from agents import events_of, executor, scripted, settings
from budgeted import DAY, of
from provider_failures import agent_over

from dataagent_core.engine.model_calls.call_meter import RequestSizes
from dataagent_core.events import StepFinishEvent, WarningEvent
from dataagent_core.models import Script
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.session.stores.sql import SqlUsageStore
from dataagent_core.session.stores.sqlite import SqliteDatabase
from dataagent_core.testing import ScriptedEndpoint
from dataagent_core.usage import Amount, Budget, RunAccount, Spender

BOTH = pytest.mark.parametrize("wire", ["openai", "anthropic"])


async def body_sent(wire: str, workspace: Path, **chosen: Any) -> dict[str, Any]:
    with ScriptedEndpoint(Script.model_validate({"steps": [{"text": "hi"}]})) as server:
        async with agent_over(wire, server, workspace, **chosen) as agent:
            assert (await events_of(agent))[-1].reason == "completed"
        (request,) = server.requests
    return dict(request.body)


@BOTH
@pytest.mark.requirement("F7-6")
async def test_what_was_held_for_an_answer_is_its_cap_on_the_wire(
    wire: str, tmp_path: Path
) -> None:
    body = await body_sent(wire, tmp_path, run_tokens_max=10**9)
    # Nobody knows this model: S2's usual limit is held for it.
    assert body["max_tokens"] == 4_096
    assert "max_completion_tokens" not in body


@BOTH
@pytest.mark.requirement("F7-6")
async def test_a_cap_of_the_settings_is_sent_without_any_budget(wire: str, tmp_path: Path) -> None:
    assert (await body_sent(wire, tmp_path, max_output_tokens=77))["max_tokens"] == 77


async def test_without_a_budget_or_a_cap_the_provider_decides(tmp_path: Path) -> None:
    assert "max_tokens" not in await body_sent("openai", tmp_path)


@BOTH
@pytest.mark.requirement("F7-failures")
async def test_an_answer_that_reached_its_cap_is_said_with_the_way_on(
    wire: str, tmp_path: Path
) -> None:
    step = {"text": "only hal", "finish_reason": "length"}
    with ScriptedEndpoint(Script.model_validate({"steps": [step]})) as server:
        async with agent_over(wire, server, tmp_path) as agent:
            events = await events_of(agent)
    (warning,) = of(WarningEvent, events)
    assert warning.code == "ANSWER_CUT"
    assert "raise DATAAGENT_MAX_OUTPUT_TOKENS" in warning.message
    assert (events[-1].reason, events[-1].content) == ("completed", "only hal")


@pytest.mark.requirement("F7-6")
def test_input_is_held_at_what_the_provider_counts_for_such_text() -> None:
    sizes = RequestSizes()
    assert sizes.at_most("m", 100) == 160
    sizes.learn("m", 100, 300)
    assert sizes.at_most("m", 100) == 375
    sizes.learn("m", 100, 50)
    assert sizes.at_most("m", 100) == 125
    sizes.learn("m", 100, 10**9)
    assert sizes.at_most("m", 100) == 800
    assert sizes.at_most("another", 100) == 160


@pytest.mark.requirement("F7-6")
async def test_a_dense_conversation_does_not_pass_its_limit(tmp_path: Path) -> None:
    # What the provider counts is half as much again as the estimate of what is sent.
    first = executor(scripted({"text": "x", "usage": {"input_tokens": 0}}), tmp_path)
    (step,) = of(StepFinishEvent, await events_of(first, session="measure"))
    counted = int(step.tokens["input_tokens"] * 1.5)
    stores = Stores.in_memory()
    await stores.usage.set_budget(Budget(key=DAY, tokens_max=int(counted * 1.8)))
    dense = scripted({"text": "x", "usage": {"input_tokens": counted, "output_tokens": 1}})
    chosen = settings(max_output_tokens=10)
    for number in range(3):
        agent = executor(dense, tmp_path, stores=stores, chosen=chosen)
        await events_of(agent, session=f"s{number}")
    used = await stores.usage.used([DAY], datetime.now(UTC))
    assert used[DAY].tokens <= counted * 1.8


@pytest.mark.requirement("F7-6")
async def test_a_call_that_is_cancelled_while_it_is_held_leaves_nothing(tmp_path: Path) -> None:
    async with SqliteDatabase(tmp_path / "dataagent.db") as database:
        book = SqlUsageStore(database, "t")
        budget = Budget(key=DAY, tokens_max=10**6)
        await book.set_budget(budget)
        who = Spender(tenant_id="t", run_id="r", session_id="s", user_id="local")
        for number in range(40):
            account = RunAccount(spender=who, book=book)
            holding = asyncio.create_task(account.reserve(Amount(100, 0)))
            # Sooner or later, so that some are cancelled between the hold and its answer.
            await asyncio.wait({holding}, timeout=number * 0.0001)
            holding.cancel()
            (held,) = await asyncio.gather(holding, return_exceptions=True)
            if not isinstance(held, BaseException):
                await account.release(held)  # pyright: ignore[reportArgumentType] (there is room)
            assert (await book.used([DAY], datetime.now(UTC)))[DAY].tokens == 0
