"""Patterns in runs: learned from what succeeded, offered to a person, else a hint for the model."""

from pathlib import Path
from typing import Any

import pytest
from agents import executor, settings
from plan_scripts import find
from subagent_scripts import RememberingModel, called

from dataagent_core.models import Script
from dataagent_core.planning import fold_plan

GOAL = "Write the weekly sales summary of {week} into a file"
ASKED = {"planning": {"ask": True}}


class Choosing:
    """A person who answers each question with the same words."""

    def __init__(self, answer: str) -> None:
        self.answer = answer
        self.asked: list[Any] = []

    async def request_approval(self, action_request: Any, session_id: str) -> Any:
        return {"type": "approve"}

    async def answer_question(self, request: Any, session_id: str) -> Any:
        self.asked.append(request)
        return {"type": "answer", "answer": self.answer}


def model(*steps: dict[str, Any]) -> RememberingModel:
    return RememberingModel(script=Script.model_validate({"steps": steps}))


def work(tmp_path: Path, played: RememberingModel, person: Any = None, **values: Any) -> Any:
    chosen = settings(home=tmp_path / "home", pattern_learning=True)
    return executor(
        played, tmp_path / "files", chosen=chosen, auto_approve=True, handler=person, **values
    )


async def done(agent: Any, week: str, context: Any = None) -> list[Any]:
    return [
        event
        async for event in agent.execute(GOAL.format(week=week), week.replace(" ", "-"), context)
    ]


async def teach(tmp_path: Path, times: int = 3) -> None:
    (tmp_path / "files").mkdir(exist_ok=True)
    for number in range(times):
        played = model(
            {"tool_calls": [called("write_file", file_path=f"/{number}.md", content="sales")]},
            {"text": "written"},
        )
        events = await done(work(tmp_path, played), f"week {number}")
        assert events[-1].reason == "completed"


@pytest.mark.requirement("S2-6.5.5")
async def test_the_same_task_three_times_is_offered_and_its_steps_become_the_plan(
    tmp_path: Path,
) -> None:
    await teach(tmp_path)
    person = Choosing("Do it that way")
    played = model({}, {"text": "written"}, {"text": "Done [step 1]."})
    events = await done(work(tmp_path, played, person), "week 9", ASKED)
    assert [request.question_type for request in person.asked] == ["pattern"]
    assert [event.mode for event in find(events, "pattern_match")] == ["offered", "used"]
    plan = fold_plan(events)
    assert plan is not None
    assert plan.interaction_pattern_id == find(events, "pattern_match")[0].pattern_id
    assert "write_file" in plan.steps[0].required_tools
    assert "week 9" in plan.steps[0].thought_prompt
    assert events[-1].content == "Done [step 1]."


async def test_who_wants_it_anew_gets_no_plan_and_no_second_question(tmp_path: Path) -> None:
    await teach(tmp_path)
    person = Choosing("Work it out anew")
    events = await done(work(tmp_path, model({}, {"text": "ok"}), person), "week 9", ASKED)
    assert len(person.asked) == 1
    assert find(events, "work_plan") == []
    assert events[-1].content == "ok"


async def test_where_nobody_is_there_it_is_a_hint_for_the_model(tmp_path: Path) -> None:
    await teach(tmp_path)
    played = model({"text": "ok"})
    events = await done(work(tmp_path, played), "week 9")
    assert [event.mode for event in find(events, "pattern_match")] == ["hint"]
    assert "Earlier work like this led to a result" in str(played.requests[-1][-1].content)


@pytest.mark.parametrize("times", [1, 2])
async def test_less_than_three_successes_are_no_pattern_to_use(tmp_path: Path, times: int) -> None:
    await teach(tmp_path, times)
    played = model({"text": "ok"})
    events = await done(work(tmp_path, played), "week 9")
    assert find(events, "pattern_match") == []
    assert "Earlier work" not in str(played.requests[-1][-1].content)


async def test_nothing_is_learned_or_used_where_it_is_switched_off(tmp_path: Path) -> None:
    await teach(tmp_path)
    off = {"planning": {"learn": False}}
    events = await done(work(tmp_path, model({"text": "ok"})), "week 9", off)
    assert find(events, "pattern_match") == []
    agent = work(tmp_path, model({"text": "ok"}), enable_patterns=False)
    assert find(await done(agent, "week 10"), "pattern_match") == []
