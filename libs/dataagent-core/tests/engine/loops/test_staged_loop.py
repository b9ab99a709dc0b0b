"""A staged run: reason, plan, execute, review, the answer; a review may send work back."""

import json
from pathlib import Path
from typing import Any

import pytest
from agents import executor
from plan_scripts import find, plan_of, planned, step

from dataagent_core.engine.loops.staged.agent_state import fold_state

STAGED = {"planning": {"loop": "staged"}}


def verdict(*problems: str) -> str:
    return json.dumps({"accepted": not problems, "problems": list(problems)})


async def run(agent: Any, text: str = "go", context: Any = STAGED) -> list[Any]:
    return [event async for event in agent.execute(text, "s", context)]


@pytest.mark.requirement("F21-4-staged")
async def test_the_stages_follow_each_other_and_a_review_sends_work_back_once(
    tmp_path: Path,
) -> None:
    model = planned(
        plan_of(step(1, "count the files")),
        plan_of(step(2, "count the folders too", 1)),
        beside=[
            (r'^\{"goal": "go"\}', [{"text": "They want a count."}]),
            (r'"round": 0\}', [{"text": verdict("folders are missing")}]),
            (r'"round": 1\}', [{"text": verdict()}]),
        ],
        agent=[{"text": "3 files"}, {"text": "2 folders"}, {"text": "3 [step 1], 2 [step 2]"}],
    )
    agent = executor(model, tmp_path)
    events = await run(agent)
    assert find(events, "error") == []
    state = fold_state("go", events)
    assert state.stages == ("reason", "plan", "execute", "review", "execute", "review")
    assert state.round == 1
    assert state.status == "completed"
    assert events[-1].content == "3 [step 1], 2 [step 2]"
    [thought] = [e for e in find(events, "thought") if e.level == "work"]
    assert thought.content == "They want a count."
    assert (await agent.read_state("s")).to_dict() == state.to_dict()
