"""Steps that fail: the rest is planned again with what is known, so often, then left out."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from agents import echo, executor, settings
from langchain_core.tools import StructuredTool
from plan_runs import check_steps_once, go, plan_after, statuses
from plan_scripts import ALWAYS, find, plan_of, planned, step
from subagent_scripts import called, specialist

from dataagent_core.engine.loops.steps.own_work import sum_worked_s
from dataagent_core.events import (
    HITLAnswerEvent,
    HITLRequestEvent,
    RunResumedEvent,
    ToolCallEvent,
)
from dataagent_core.permissions import RunTerms
from dataagent_core.permissions.rules import Rule
from dataagent_core.planning.work_plan import PlanStatus

FAILS = [{"text": "x", "failures": [{"status": 500}]}]
OK = [{"text": "it is 4"}]
ANSWER = {"text": "That is all [step 1]."}
BOTH = (step(1, "north: sum"), step(2, "south: sum"), step(3, "join both", 1, 2))
AGAIN = plan_of(step(4, "east: sum instead"), step(5, "join what there is", 1, 4))


def asked_again(model: Any) -> list[dict[str, Any]]:
    """Give what the planner was told each time the rest was planned again."""
    texts = [request[-1].text for request in model.requests]
    return [json.loads(text) for text in texts if '"first_number"' in text]


def fail_step(why: str) -> dict[str, Any]:
    return {"tool_calls": [called("finish_step", result=why, success=False)]}


@pytest.mark.requirement("F21-2-replanned")
async def test_the_rest_is_planned_again_with_what_is_known(tmp_path: Path) -> None:
    model = planned(
        plan_of(*BOTH),
        AGAIN,
        north=OK,
        south=FAILS,
        east=OK,
        # The first wave, the one step of the second plan that has an agent, joining, the answer.
        agent=[{}, {"text": "east is 4"}, {"text": "8 in all"}, ANSWER],
    )
    events = await go(executor(model, tmp_path))
    check_steps_once(events)
    assert statuses(events) == {1: "completed", 2: "failed", 4: "completed", 5: "completed"}
    assert plan_after(events).status is PlanStatus.COMPLETED
    [told] = asked_again(model)
    assert told["first_number"] == 4
    assert [(s["step_number"], s["status"]) for s in told["steps"]] == [
        (1, "completed"),
        (2, "failed"),
        (3, "pending"),
    ]
    assert "it is 4" in told["steps"][0]["result"]
    assert "step 2 failed" in told["why"]
    assert [e.change for e in find(events, "work_plan")] == ["made", "made", "replanned", "ended"]


@pytest.mark.requirement("F21-2-replanned")
@pytest.mark.parametrize("replans_max", [0, 1, 2])
async def test_it_is_planned_again_so_often_and_then_left_out(
    tmp_path: Path, replans_max: int
) -> None:
    plans = [plan_of(step(1, "try"), step(2, "use it", 1))]
    plans += [plan_of(step(n, "try"), step(n + 1, "use it", n)) for n in (3, 5)]
    model = planned(
        *plans, agent=[*(fail_step(f"no access {n}") for n in range(replans_max + 1)), ANSWER]
    )
    agent = executor(model, tmp_path, chosen=settings(plan_replans_max=replans_max))
    events = await go(agent)
    check_steps_once(events)
    assert len(asked_again(model)) == replans_max
    last = 2 * replans_max + 1
    expected = dict.fromkeys(range(1, last + 1, 2), "failed") | {last + 1: "skipped"}
    assert statuses(events) == expected
    assert plan_after(events).find(last + 1).result == f"It needed step {last}."  # type: ignore[union-attr]
    assert plan_after(events).status is PlanStatus.FAILED
    assert events[-1].reason == "completed"
    assert events[-1].content == ANSWER["text"]


async def test_a_planner_that_cannot_plan_again_leaves_out_what_waits(tmp_path: Path) -> None:
    model = planned(
        plan_of(*BOTH),
        beside=[('"first_number"', [{"text": "I would rather not."}])],
        north=OK,
        south=FAILS,
        agent=[{}, ANSWER],
    )
    events = await go(executor(model, tmp_path))
    check_steps_once(events)
    assert statuses(events) == {1: "completed", 2: "failed", 3: "skipped"}
    assert events[-1].content == ANSWER["text"]


async def test_what_does_not_need_the_failed_step_goes_on(tmp_path: Path) -> None:
    model = planned(
        plan_of(step(1, "one"), step(2, "two", 1), step(3, "three", 1), step(4, "four", 3)),
        agent=[{"text": "1"}, {}, {"text": "4"}, ANSWER],
        two=FAILS,
        three=OK,
    )
    agent = executor(model, tmp_path, chosen=settings(plan_replans_max=0))
    events = await go(agent)
    check_steps_once(events)
    assert statuses(events) == {1: "completed", 2: "failed", 3: "completed", 4: "completed"}
    assert plan_after(events).status is PlanStatus.COMPLETED


def coder_plan() -> Any:
    return planned(
        plan_of(step(1, "north: sum", assigned_agent="coder"), step(2, "use it", 1)),
        plan_of(step(3, "sum by yourself")),
        north=OK,
        agent=[{}, {"text": "it is 4"}, {"text": "4 [step 3]"}],
    )


async def test_a_step_that_a_rule_refuses_has_failed(tmp_path: Path) -> None:
    agent = executor(coder_plan(), tmp_path, subagents=(specialist("coder"),))
    terms = RunTerms(kept_rules=[Rule("task", "coder", "deny", "person")])
    events = await go(agent, terms=terms)
    check_steps_once(events)
    assert statuses(events) == {1: "failed", 3: "completed"}
    assert "denied" in (plan_after(events).steps[0].result or "")
    assert find(events, "subagent") == []
    assert events[-1].content == "4 [step 3]"


@pytest.mark.parametrize("beside", [True, False], ids=["beside the message", "in its words"])
async def test_whom_a_person_forbids_gets_no_step(tmp_path: Path, beside: bool) -> None:
    model = planned(
        plan_of(step(1, "north: sum", assigned_agent="coder"), step(2, "south: sum")),
        north=OK,
        south=OK,
        agent=[{}, {"text": "8 [step 1]"}],
    )
    agent = executor(model, tmp_path, subagents=(specialist("coder"),))
    chosen = {"subagents": {"forbid": ["coder"]}} if beside else {}
    events = await go(agent, "go" if beside else "go without @coder", ALWAYS | chosen)
    assert statuses(events) == {1: "completed", 2: "completed"}
    assert {e.agent for e in find(events, "step_start")} == {"general-purpose"}


async def test_where_everybody_is_forbidden_the_agent_works_alone(tmp_path: Path) -> None:
    model = planned(
        plan_of(step(1, "one"), step(2, "two")),
        agent=[{"text": "1"}, {"text": "2"}, {"text": "3 [step 1]"}],
    )
    agent = executor(model, tmp_path)
    events = await go(agent, "go without @general-purpose")
    assert statuses(events) == {1: "completed", 2: "completed"}
    assert {e.agent for e in find(events, "step_start")} == {""}


async def test_a_sub_agent_that_takes_too_long_times_its_step_out(tmp_path: Path) -> None:
    model = planned(
        plan_of(step(1, "slow: look", assigned_agent="looker"), step(2, "use it", 1)),
        plan_of(step(3, "look by yourself")),
        slow=[{"text": "x", "delay_s": 30}],
        agent=[{}, {"text": "seen"}, {"text": "Seen [step 3]."}],
    )
    agent = executor(
        model,
        tmp_path,
        chosen=settings(subagent_timeout_s=0.2),
        subagents=(specialist("looker"),),
    )
    events = await go(agent)
    check_steps_once(events)
    assert statuses(events) == {1: "timeout", 3: "completed"}
    ended = find(events, "step_end")[0]
    assert (ended.success, ended.status) == (False, "timeout")
    assert ended.duration_ms >= 200
    assert events[-1].content == "Seen [step 3]."


async def test_the_agents_own_step_has_a_time_too(tmp_path: Path) -> None:
    calling = {"tool_calls": [called("echo", text="1")], "delay_s": 0.1}
    model = planned(plan_of(step(1, "look")), agent=[calling, ANSWER])
    chosen = settings(plan_step_timeout_s=0.05, plan_replans_max=0)
    events = await go(executor(model, tmp_path, tools=[echo], chosen=chosen, auto_approve=True))
    check_steps_once(events)
    assert statuses(events) == {1: "timeout"}
    assert "longer than 0.05 s" in (plan_after(events).steps[0].result or "")
    assert events[-1].content.startswith("That is all")


@pytest.mark.requirement("F21-bad-endless")
async def test_a_call_that_never_ends_ends_with_the_time_of_its_step(tmp_path: Path) -> None:
    async def hang() -> str:
        """Wait for nobody."""
        await asyncio.Event().wait()
        return "never"

    tool = StructuredTool.from_function(coroutine=hang, name="hang")
    model = planned(
        plan_of(step(1, "look"), step(2, "use it", 1)),
        plan_of(step(3, "look elsewhere")),
        agent=[{"tool_calls": [called("hang")]}, {"text": "seen"}, {"text": "Seen [step 3]."}],
    )
    chosen = settings(plan_step_timeout_s=0.5)
    agent = executor(model, tmp_path, tools=[tool], chosen=chosen, auto_approve=True)
    events = await go(agent)
    check_steps_once(events)
    assert statuses(events) == {1: "timeout", 3: "completed"}
    stopped = find(events, "tool_result")[0]
    assert stopped.status == "error"
    assert "the time of step 1 was up" in str(stopped.result)
    assert events[-1].content == "Seen [step 3]."


async def test_what_came_of_a_step_is_kept_when_it_comes_late(tmp_path: Path) -> None:
    late = {"tool_calls": [called("finish_step", result="42 rows")], "delay_s": 0.3}
    model = planned(plan_of(step(1, "look")), agent=[late, ANSWER])
    chosen = settings(plan_step_timeout_s=0.1, plan_replans_max=0)
    events = await go(executor(model, tmp_path, chosen=chosen, auto_approve=True))
    check_steps_once(events)
    assert statuses(events) == {1: "completed"}
    assert plan_after(events).steps[0].result == "42 rows"


@pytest.mark.requirement("F21-bad-endless")
async def test_a_step_that_never_ends_ends_after_its_turns(tmp_path: Path) -> None:
    calling = [{"tool_calls": [called("echo", text=str(n))]} for n in range(3)]
    model = planned(plan_of(step(1, "look")), agent=[*calling, ANSWER])
    chosen = settings(plan_step_turns_max=3, plan_replans_max=0)
    events = await go(executor(model, tmp_path, tools=[echo], chosen=chosen, auto_approve=True))
    check_steps_once(events)
    assert statuses(events) == {1: "failed"}
    assert "not done after 3 turns" in (plan_after(events).steps[0].result or "")
    assert events[-1].reason == "completed"


async def test_each_step_has_all_its_turns(tmp_path: Path) -> None:
    """What the step before it used up is not counted again."""
    calling = [{"tool_calls": [called("echo", text=str(n))]} for n in range(5)]
    model = planned(
        plan_of(step(1, "look")),
        plan_of(step(2, "look elsewhere")),
        agent=[*calling, {"text": "found"}, {"text": "Found [step 2]."}],
    )
    chosen = settings(plan_step_turns_max=3)
    events = await go(executor(model, tmp_path, tools=[echo], chosen=chosen, auto_approve=True))
    check_steps_once(events)
    assert statuses(events) == {1: "failed", 2: "completed"}


async def test_a_result_longer_than_a_step_keeps_ends_the_step(tmp_path: Path) -> None:
    long = "begin " + "x" * 50_000 + " end"
    model = planned(plan_of(step(1, "look")), agent=[{"text": long, "chunk_chars": 60_000}, ANSWER])
    events = await go(executor(model, tmp_path))
    check_steps_once(events)
    result = plan_after(events).steps[0].result or ""
    assert statuses(events) == {1: "completed"}
    assert (result[:5], result[-3:]) == ("begin", "end")
    assert len(result) <= 2_100


async def test_steps_that_end_with_the_same_words_are_no_loop(tmp_path: Path) -> None:
    plan = plan_of(*(step(n, f"s{n}", *range(max(1, n - 1), n)) for n in range(1, 7)))
    model = planned(plan, agent=[*([{"text": "done"}] * 6), ANSWER])
    events = await go(executor(model, tmp_path))
    check_steps_once(events)
    assert set(statuses(events).values()) == {"completed"}
    assert find(events, "hitl_request") == []


def test_the_time_of_a_person_and_of_a_dead_process_is_not_the_steps() -> None:
    events = [
        ToolCallEvent(timestamp=101.0),
        HITLRequestEvent(interrupt_id="a", timestamp=102.0),
        HITLRequestEvent(interrupt_id="b", timestamp=102.0),
        HITLAnswerEvent(interrupt_id="a", timestamp=5_000.0),
        HITLAnswerEvent(interrupt_id="b", timestamp=6_000.0),
        RunResumedEvent(timestamp=7_000.0),
        ToolCallEvent(timestamp=7_001.0),
    ]
    assert sum_worked_s(100.0, events, 7_003.0) == 5.0
    assert sum_worked_s(100.0, events[:4], 5_500.0) == 2.0
    assert sum_worked_s(100.0, [], 90.0) == 0.0
