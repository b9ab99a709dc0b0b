"""A run that works by a plan: it is made, carried out in waves, and the answer names its steps."""

from pathlib import Path
from typing import Any

import pytest
from agents import executor
from plan_scripts import ALWAYS, find, plan_of, planned, step

from dataagent_core.planning import fold_plan
from dataagent_core.planning.work_plan import PlanStatus, StepStatus

TWO_WAVES = plan_of(
    step(1, "north: sum the orders"),
    step(2, "south: sum the orders"),
    step(3, "join both sums", 1, 2),
)


async def run(agent: Any, text: str = "go", context: Any = ALWAYS) -> list[Any]:
    return [event async for event in agent.execute(text, "s", context)]


@pytest.mark.requirement("S2-6.1")
@pytest.mark.requirement("S2-6.3")
async def test_steps_that_need_nothing_run_side_by_side_and_the_last_one_alone(
    tmp_path: Path,
) -> None:
    model = planned(
        TWO_WAVES,
        north=[{"text": "north is 3"}],
        south=[{"text": "south is 4"}],
        agent=[{}, {"text": "both are 7"}, {"text": "North and south make 7 [step 3]."}],
    )
    agent = executor(model, tmp_path)
    events = await run(agent)
    assert [e.event_type for e in find(events, "error")] == []
    plan = fold_plan(events)
    assert plan is not None
    assert plan.status is PlanStatus.COMPLETED
    assert [s.status for s in plan.steps] == [StepStatus.COMPLETED] * 3
    assert [s.result for s in plan.steps][2] == "both are 7"
    assert [e.step_number for e in find(events, "step_start")] in ([1, 2, 3], [2, 1, 3])
    ends = [e.step_number for e in find(events, "step_end")]
    assert sorted(ends[:2]) == [1, 2]
    assert ends[2] == 3
    assert events[-1].reason == "completed"
    assert events[-1].content == "North and south make 7 [step 3]."


@pytest.mark.requirement("S2-6.3")
async def test_a_step_is_thought_about_worked_on_and_ended_before_the_answer(
    tmp_path: Path,
) -> None:
    looking = {"thought": "Where are they?", "tool_calls": [{"name": "ls", "args": {"path": "/"}}]}
    model = planned(
        plan_of(step(1, "count the files")),
        agent=[looking, {"text": "3 files"}, {"text": "3 files [step 1]."}],
    )
    agent = executor(model, tmp_path)
    events = await run(agent)
    kinds = [e.event_type for e in events if e.event_type != "text" or e.is_final]
    order = ["work_plan", "step_start", "thought", "tool_call", "tool_result", "step_end", "text"]
    first = [kinds.index(kind) for kind in order[:-1]]
    assert first == sorted(first)
    assert kinds.index("step_end") < len(kinds) - 1 - kinds[::-1].index("text")
    [ended] = find(events, "step_end")
    assert (ended.success, ended.status, ended.result) == (True, "completed", "3 files")
    assert ended.tokens["total_tokens"] > 0
    assert ended.duration_ms >= 0
