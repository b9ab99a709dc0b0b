"""`plan_enter`: the agent proposes plan mode, and a person decides."""

from pathlib import Path
from typing import Any

import pytest
from agents import events_of, executor
from subagent_scripts import RememberingModel, called

from dataagent_core.models import Script
from dataagent_core.session import mode_of
from dataagent_core.session.stores.bundle import Stores

# Moderate: several things, and no more.
SEVERAL = "Read sales.csv, make a chart of it, and compare the months."


def remembering(*steps: dict[str, Any]) -> RememberingModel:
    return RememberingModel(script=Script.model_validate({"steps": steps}))


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


@pytest.mark.requirement("F21-3-plan-enter")
@pytest.mark.parametrize(
    ("answer", "mode"), [("Plan first", "plan"), ("Go on without a plan", "ask"), ("no!", "ask")]
)
async def test_a_person_decides_whether_the_session_goes_to_plan_mode(
    tmp_path: Path, answer: str, mode: str
) -> None:
    model = remembering(
        {"tool_calls": [called("plan_enter", reason="Much would change.")]}, {"text": "done"}
    )
    person, stores = Choosing(answer), Stores.in_memory()
    asker: Any = person
    agent = executor(model, tmp_path, handler=asker, stores=stores)
    events = await events_of(agent, SEVERAL)
    assert await mode_of(stores.log, "s") == mode
    assert [request.question_type for request in person.asked] == ["plan_enter"]
    assert events[-1].reason == "completed"
    offered = [tools for _, tools in model.calls]
    assert "plan_enter" in offered[0]
    assert ("propose_plan" in offered[1]) == (mode == "plan")


async def test_a_simple_message_is_not_offered_it(tmp_path: Path) -> None:
    model = remembering({"text": "4"})
    agent = executor(model, tmp_path)
    await events_of(agent, "2 + 2?")
    assert "plan_enter" not in model.calls[0][1]
