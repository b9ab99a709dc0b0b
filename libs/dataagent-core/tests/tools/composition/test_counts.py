"""Executions of compositions are counted over runs, and the counts decide what is offered."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from agents import events_of, executor, scripted, settings
from langchain_core.tools import tool

from dataagent_core.errors import StorageError
from dataagent_core.tools.catalog import choose_core_names
from dataagent_core.tools.composition import (
    CompositionExecution,
    SqliteCompositionStore,
    ToolComposition,
)
from dataagent_core.tools.composition.composed_registry import add_compositions
from dataagent_core.tools.composition.composition_store import MemberMeasure
from dataagent_core.tools.definition.tool_origin import EXTRA
from dataagent_core.tools.registry import ToolRegistry

TEMPLATE: dict[str, Any] = {
    "kind": "sequential",
    "inputs": {"text": {"type": "string"}},
    "steps": [{"args": {"text": "{{input.text}}"}}],
}


@tool
async def check(text: str) -> str:
    """Check a text."""
    if text == "bad":
        raise ValueError(text)
    return text


CHECKED = ToolComposition("checked", "checked", "Check it.", ["check"], TEMPLATE, {})


@pytest.mark.requirement("S2-7.4-counts")
async def test_three_successes_and_a_failure_count_one_two_three_and_one(tmp_path: Path) -> None:
    texts = ["a", "b", "bad", "c"]
    steps = [{"tool_calls": [{"name": "checked", "args": {"text": text}}]} for text in texts]
    chosen = settings(home=tmp_path / "home")
    counts: list[tuple[int, int]] = []
    store = SqliteCompositionStore(chosen.home / "compositions.db")
    # Another agent each time, as after a restart.
    for step in steps:
        agent = executor(
            scripted(step, {"text": "ok"}),
            tmp_path,
            tools=[check],
            compositions=[CHECKED],
            chosen=chosen,
        )
        await events_of(agent)
        (one,) = store.add_counts([CHECKED])
        counts.append((one.success_count, one.failure_count))
    assert counts == [(1, 0), (2, 0), (2, 1), (3, 1)]
    measured = (await store.read_members(CHECKED))["check"]
    assert (measured.calls, measured.failures) == (4, 1)


async def test_the_store_is_shared_and_made_at_the_first_count(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    stores = [SqliteCompositionStore(path) for _ in range(2)]
    assert stores[0].add_counts([CHECKED]) == [CHECKED]
    assert await stores[0].read_members(CHECKED) == {}
    assert not path.exists()
    measure = MemberMeasure(tool="check", succeeded=True, duration_ms=10)
    execution = CompositionExecution(
        composition_id="checked", digest=CHECKED.digest, succeeded=True, members=(measure,)
    )
    added = [await store.add(execution) for store in stores * 2]
    assert added == [(1, 0), (2, 0), (3, 0), (4, 0)]
    assert (await stores[0].read_members(CHECKED))["check"].average_ms == 10
    (counted,) = stores[0].add_counts([replace(CHECKED, description="Said otherwise.")])
    assert counted.success_count == 4
    # One that calls others is counted anew, and the old one keeps its counts.
    for calls in (
        {"tools": ["other"]},
        {"execution_template": TEMPLATE | {"kind": "parallel"}},
        {"fallback_alternatives": {"check": ["other"]}},
    ):
        other = replace(CHECKED, **calls)
        assert stores[0].add_counts([other, CHECKED]) == [
            other,
            replace(CHECKED, success_count=4),
        ]
        assert await stores[0].read_members(other) == {}


async def test_a_store_that_cannot_count_does_not_fail_the_execution(tmp_path: Path) -> None:
    chosen = settings(home=tmp_path / "home")
    path = chosen.home / "compositions.db"
    path.parent.mkdir(parents=True)
    # It opens, and refuses every count.
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE executions (other TEXT)")
    agent = executor(
        scripted({"tool_calls": [{"name": "checked", "args": {"text": "a"}}]}, {"text": "ok"}),
        tmp_path,
        tools=[check],
        compositions=[CHECKED],
        chosen=chosen,
    )
    events = await events_of(agent)
    (result,) = [e for e in events if e.event_type == "tool_result" and e.tool_name == "checked"]
    assert result.status == "success"
    execution = CompositionExecution(composition_id="checked", succeeded=True)
    with pytest.raises(StorageError, match="Move the file away"):
        await SqliteCompositionStore(path).add(execution)


@pytest.mark.parametrize(
    ("successes", "failures", "offered", "said"),
    [
        (0, 4, True, "Check it."),
        (4, 1, True, "Check it. (It succeeded in 80% of 5 executions.)"),
        (2, 3, False, "Check it. (It succeeded in 40% of 5 executions.)"),
    ],
)
def test_one_that_mostly_fails_is_listed_and_not_offered(
    successes: int, failures: int, offered: bool, said: str
) -> None:
    counted = replace(CHECKED, success_count=successes, failure_count=failures)
    registry = add_compositions(ToolRegistry().adding([check], EXTRA), [counted])
    assert ("checked" in choose_core_names(registry)) is offered
    assert registry.find("checked").tool.description == said
