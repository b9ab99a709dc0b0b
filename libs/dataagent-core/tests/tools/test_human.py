"""The agent asks, a person answers, and the run goes on with the answer."""

from pathlib import Path
from typing import Any

import pytest
from agents import Answering, events_of, executor, resumed, scripted, settings, types

from dataagent_core.events import HITLRequestEvent
from dataagent_core.hitl import Decision
from dataagent_core.session.stores.bundle import Stores

OPTIONS = [
    {"label": "Q4", "description": "the last quarter"},
    {"label": "Q3 and Q4", "description": "both", "is_recommended": True},
]


def clarify(**changes: Any) -> dict[str, Any]:
    args = {"question_type": "scope", "question": "Which quarters?", "options": OPTIONS, **changes}
    return {"tool_calls": [{"name": "ask_clarification", "args": args}]}


def decide(**changes: Any) -> dict[str, Any]:
    args = {"decision_type": "risk", "context": "1 GB of data", "options": OPTIONS, **changes}
    return {"tool_calls": [{"name": "ask_decision", "args": args}]}


class Person(Answering):
    """A person who also answers questions."""

    def __init__(self, answer: Any) -> None:
        super().__init__()
        self.answer = answer
        self.questions: list[HITLRequestEvent] = []

    async def answer_question(self, request: HITLRequestEvent, session_id: str) -> Decision:
        self.questions.append(request)
        return {"type": "answer", "answer": self.answer}


def result_of(events: list[Any]) -> str:
    return next(str(e.result) for e in events if e.event_type == "tool_result")


@pytest.mark.requirement("S2-6.4.2-own-words")
@pytest.mark.requirement("F3-12")
async def test_the_persons_own_words_reach_the_agent(tmp_path: Path) -> None:
    person = Person("only October")
    agent = executor(scripted(clarify(), {"text": "ok"}), tmp_path, handler=person)
    events = await events_of(agent)
    assert result_of(events) == "The person answered: only October"
    asked = person.questions[0]
    assert (asked.kind, asked.question, asked.required, asked.timeout_s) == (
        "clarification",
        "Which quarters?",
        False,
        60.0,
    )
    assert types(events).count("hitl_request") == 1
    assert types(events).count("tool_call") == 1


@pytest.mark.requirement("S2-6.4.3-multiple")
@pytest.mark.requirement("F3-12")
async def test_several_options_may_be_chosen(tmp_path: Path) -> None:
    agent = executor(
        scripted(decide(allow_multiple=True), {"text": "ok"}),
        tmp_path,
        handler=Person(["Q4", "Q3 and Q4"]),
    )
    assert result_of(await events_of(agent)) == "The person answered: Q4, Q3 and Q4"


@pytest.mark.requirement("S2-6.4.2-timeout")
@pytest.mark.requirement("F3-12")
async def test_an_optional_question_nobody_hears_takes_the_recommended_option(
    tmp_path: Path,
) -> None:
    for step in (clarify(), decide()):
        agent = executor(scripted(step, {"text": "ok"}), tmp_path)
        assert result_of(await events_of(agent)) == "The person answered: Q3 and Q4"


@pytest.mark.requirement("S2-6.4.2-required")
async def test_a_required_question_waits_for_whoever_can_answer(tmp_path: Path) -> None:
    stores = Stores.in_memory()
    model = scripted(clarify(required=True), {"text": "ok"})
    first = await events_of(executor(model, tmp_path, stores=stores))
    assert types(first)[-1] == "hitl_request"
    able = executor(model, tmp_path, handler=Person("Q4"), stores=stores)
    rest = await resumed(able)
    assert result_of(rest) == "The person answered: Q4"
    assert rest[-1].reason == "completed"


async def test_a_question_with_two_equal_labels_goes_back_to_the_agent(tmp_path: Path) -> None:
    same = [{"label": "x"}, {"label": "x"}]
    agent = executor(scripted(clarify(options=same), {"text": "ok"}), tmp_path)
    assert "label of its own" in result_of(await events_of(agent))


@pytest.mark.requirement("S2-6.4.3-step-number")
@pytest.mark.requirement("F16-B6-step-number")
async def test_a_decision_says_in_which_step_of_its_run_it_was_asked(tmp_path: Path) -> None:
    stores = Stores.in_memory()
    look = {"tool_calls": [{"name": "ls", "args": {"path": "/"}}]}
    person = Person("Q4")
    # Played once for each message: a later run of the session counts from 1 again.
    model = scripted(look, decide(), decide(), {"text": "ok"})
    for message in ("go", "once more"):
        await events_of(executor(model, tmp_path, handler=person, stores=stores), message)
    assert [asked.step_number for asked in person.questions] == [2, 3, 2, 3]


@pytest.mark.requirement("S2-6.4.5-settings")
@pytest.mark.requirement("F16-B6-settings")
async def test_how_long_questions_wait_is_a_setting_unless_the_agent_says(tmp_path: Path) -> None:
    chosen = settings(clarification_timeout=7, decision_timeout=8)
    person = Person("Q4")
    model = scripted(clarify(), decide(), decide(timeout_seconds=9), {"text": "ok"})
    await events_of(executor(model, tmp_path, handler=person, chosen=chosen))
    assert [asked.timeout_s for asked in person.questions] == [7.0, 8.0, 9.0]
