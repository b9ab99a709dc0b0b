"""A tool that asks the model: its calls are the run's, and nobody takes them for the answer."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from agents import events_of, executor, scripted, settings
from budgeted import DAY, Person, of

from dataagent_core.events import RetryEvent, StepFinishEvent, TextEvent, ToolResultEvent
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.usage import Budget, UsageQuery

USAGE = {"input_tokens": 500, "output_tokens": 50}
TEXT = "a long story. " * 10


def summarising(**summary: Any) -> Any:
    """Make a model that asks for a summary, writes it, and answers."""
    call = {"name": "summary", "args": {"text": TEXT}}
    return scripted(
        scripts=[
            {"match": "a long story", "steps": [{"text": "SHORT", "usage": USAGE, **summary}]},
            {"steps": [{"tool_calls": [call], "usage": USAGE}, {"text": "done", "usage": USAGE}]},
        ]
    )


@pytest.mark.requirement("F7-5")
async def test_the_calls_of_a_tool_are_counted_in_its_run(tmp_path: Path) -> None:
    stores = Stores.in_memory()
    events = await events_of(executor(summarising(), tmp_path, stores=stores))
    (result,) = of(ToolResultEvent, events)
    assert result.result == "SHORT"
    assert len(of(StepFinishEvent, events)) == 3
    (row,) = await stores.usage.report(UsageQuery(by="run"))
    assert (row.total.calls, row.total.tokens.total) == (3, 3 * 550)
    assert "SHORT" not in "".join(piece.content for piece in of(TextEvent, events))


@pytest.mark.requirement("F7-6")
async def test_a_tools_call_waits_at_the_budget_like_every_other(tmp_path: Path) -> None:
    stores = Stores.in_memory()
    person = Person({"type": "approve"}, {"type": "approve"}, {"type": "approve"})
    await stores.usage.set_budget(Budget(key=DAY, tokens_max=560))
    chosen = settings(max_output_tokens=50)
    agent = executor(summarising(), tmp_path, handler=person, stores=stores, chosen=chosen)
    events = await events_of(agent)
    assert events[-1].reason == "completed"
    # Before the first call, and before the tool's: a yes gave room for one.
    assert len(person.questions) >= 2
    used = await stores.usage.used([DAY], datetime.now(UTC))
    assert used[DAY].tokens == 3 * 550


@pytest.mark.requirement("F7-7")
async def test_a_tools_call_is_tried_again_like_every_other(tmp_path: Path) -> None:
    failing = summarising(failures=[{"status": 503}])
    events = await events_of(executor(failing, tmp_path, chosen=settings(model_retries=1)))
    assert len(of(RetryEvent, events)) == 1
    assert events[-1].reason == "completed"
    (result,) = of(ToolResultEvent, events)
    assert result.result == "SHORT"
