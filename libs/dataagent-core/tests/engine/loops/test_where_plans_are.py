"""Which runs are planned, who works on their steps, and that runs of a session keep apart."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from agents import echo, executor, settings
from background_agents import TaskAgent, started, until_over
from langchain_core.tools import StructuredTool
from plan_runs import check_steps_once, go, plan_after, statuses
from plan_scripts import find, plan_of, planned, step
from subagent_scripts import called, specialist

from dataagent_core.planning import fold_plan, read_plan
from dataagent_core.session import change_mode, read_all
from dataagent_core.session.stores.bundle import Stores

THREE = plan_of(step(1, "north"), step(2, "south"), step(3, "west"))
ANSWER = {"text": "All [step 1]."}


async def test_without_sub_agents_the_agent_does_every_step_itself(tmp_path: Path) -> None:
    model = planned(THREE, agent=[*({"text": str(n)} for n in range(3)), ANSWER])
    events = await go(executor(model, tmp_path, chosen=settings(subagent_depth=0)))
    check_steps_once(events)
    assert [e.agent for e in find(events, "step_start")] == ["", "", ""]
    assert set(statuses(events).values()) == {"completed"}
    # One after the other: a step begins when the one before it has ended.
    order = [e.event_type for e in events if e.event_type in {"step_start", "step_end"}]
    assert order == ["step_start", "step_end"] * 3


@pytest.mark.requirement("F21-2-limit")
@pytest.mark.parametrize("limit", [1, 2, 3])
@pytest.mark.parametrize("beside", [True, False], ids=["message", "setting"])
async def test_so_many_steps_run_side_by_side_and_no_more(
    tmp_path: Path, limit: int, beside: bool
) -> None:
    together = asyncio.Barrier(limit)

    async def work(name: str) -> str:
        """Wait for the others, who never come if they are not worked on at the same time."""
        async with asyncio.timeout(60):
            await together.wait()
        return name

    names = ("north", "south", "west")
    turns = [(f"^{n}", [{"tool_calls": [called("work", name=n)]}, {"text": n}]) for n in names]
    model = planned(THREE, agent=[*[{"text": "3"}] * 3, ANSWER], beside=turns)
    planning = {"mode": "always", **({"max_concurrent_steps": limit} if beside else {})}
    chosen = settings(**({} if beside else {"max_concurrent_steps": limit}))
    tool = StructuredTool.from_function(coroutine=work, name="work")
    agent = executor(model, tmp_path, tools=[tool], auto_approve=True, chosen=chosen)
    events = await go(agent, context={"planning": planning})
    check_steps_once(events)
    assert set(statuses(events).values()) == {"completed"}
    under_way, most = 0, 0
    for event in events:
        under_way += {"step_start": 1, "step_end": -1}.get(event.event_type, 0)
        most = max(most, under_way)
    assert most == limit


async def test_a_session_in_plan_mode_has_its_own_plan(tmp_path: Path) -> None:
    stores = Stores.in_memory()
    agent = executor(planned(THREE, agent=[{"text": "I would."}]), tmp_path, stores=stores)
    await change_mode(stores.log, "s", "plan", "ada")
    events = await go(agent)
    assert find(events, "work_plan") == []
    assert events[-1].reason == "completed"


async def test_a_compaction_is_not_planned(tmp_path: Path) -> None:
    model = planned(THREE, agent=[{"text": "Hello."}])
    agent = executor(model, tmp_path, chosen=settings(planning="always"))
    await go(agent, "hello", {"planning": {"mode": "never"}})
    events: list[Any] = [event async for event in agent.compact("s")]
    assert events[-1].event_type == "done"
    assert find(events, "work_plan") == []
    assert not any(r[-1].text.startswith('{"message"') for r in model.requests)


async def test_what_a_sub_agent_is_told_is_not_planned(tmp_path: Path) -> None:
    chain = "Load the orders of Q3 and Q4, clean them, compare both, draw a chart, write a report"
    model = planned(
        THREE,
        north=[{"tool_calls": [called("echo", text="n")]}, {"text": "n"}],
        beside=[("^(south|west)", [{"text": "x"}])],
        agent=[{}, ANSWER],
    )
    agent = executor(model, tmp_path, tools=[echo], auto_approve=True)
    events = await go(agent, chain, None)
    assert len([r for r in model.requests if r[-1].text.startswith('{"message"')]) == 1
    assert [e.subagent_id for e in find(events, "work_plan")] == [None] * 3


async def test_each_run_of_a_session_has_its_own_plan(tmp_path: Path) -> None:
    stores = Stores.in_memory()
    first = planned(plan_of(step(1, "one")), agent=[{"text": "1"}, {"text": "One [step 1]."}])
    await go(executor(first, tmp_path, stores=stores))
    second = planned(
        plan_of(step(1, "two"), step(2, "three", 1)),
        agent=[{"text": "2"}, {"text": "3"}, {"text": "Two [step 2]."}],
    )
    events = await go(executor(second, tmp_path, stores=stores), "go on")
    check_steps_once(events)
    assert [s.description for s in plan_after(events).steps] == ["two", "three"]
    assert {e.plan_id for e in find(events, "work_plan")} == {events[0].run_id}
    log = await stores.log.read("s", limit=10_000)
    ids = [event.run_id for event in log if event.event_type == "start"]
    plans = [fold_plan(log, run_id) for run_id in ids]
    assert [len(plan.steps) for plan in plans if plan] == [1, 2]
    newest = await read_plan(stores.log, "s")
    assert newest is not None
    assert newest.id == ids[1]
    # What was said in the first run is known to the second planner.
    [asked] = [r[-1].text for r in second.requests if r[-1].text.startswith('{"message"')]
    assert "One [step 1]." in asked


async def test_a_run_behind_one_that_stopped_in_its_plan_begins_anew(tmp_path: Path) -> None:
    stores = Stores.in_memory()
    first = planned(
        plan_of(step(1, "one"), step(2, "two", 1)),
        agent=[{"tool_calls": [called("ls", path="/")]}, {"text": "1"}],
    )
    chosen = settings(run_model_calls_max=2)
    await go(executor(first, tmp_path, stores=stores, chosen=chosen))
    second = planned(plan_of(step(1, "again")), agent=[{"text": "1"}, ANSWER])
    events = await go(executor(second, tmp_path, stores=stores), "go on")
    check_steps_once(events)
    assert statuses(events) == {1: "completed"}
    assert events[-1].content == ANSWER["text"]


async def test_a_task_in_the_background_is_not_planned(tmp_path: Path) -> None:
    """Its message may be as complex as it likes: a sub-agent works on it, which has no plan."""
    agents = TaskAgent(tmp_path, specialist("worker"), chosen=settings(planning="always"))
    agents.go_on.set()
    _, task_id = await started(agents)
    await until_over(agents, task_id)
    kinds = {event.event_type for event in await read_all(agents.stores.log, task_id)}
    assert "done" in kinds
    assert "work_plan" not in kinds
