"""What a person is asked about a plan by itself: before it, and before a step of it."""

from pathlib import Path
from typing import Any

import pytest
from agents import Answering, executor, settings
from plan_runs import PLANNER, check_steps_once, go, plan_after, statuses
from plan_scripts import ALWAYS, ASKING, find, plan_of, planned, step

from dataagent_core.errors import ApprovalTimeoutError
from dataagent_core.events import HITLRequestEvent
from dataagent_core.hitl import Decision
from dataagent_core.planning.plan_questions import (
    ADD_CHECK,
    CHECK_STEP,
    CONTINUE,
    GO_AHEAD,
    NO_PLAN,
    SKIP_STEP,
    apply_plan_answer,
)
from dataagent_core.planning.work_plan import PlanStatus, PlanStep, WorkPlan

FOUR = (step(1, "one"), step(2, "two", 1), step(3, "three", 2), step(4, "four", 3))
ONE = plan_of(step(1, "one"))
ANSWER = {"text": "All [step 1]."}


class Person(Answering):
    """Answers questions in order; a text is an answer, `None` none in time."""

    def __init__(self, *answers: str | None) -> None:
        super().__init__()
        self.answers = list(answers)
        self.questions: list[HITLRequestEvent] = []

    async def answer_question(self, request: HITLRequestEvent, session_id: str) -> Decision:
        self.questions.append(request)
        answer = self.answers.pop(0) if self.answers else None
        if answer is None:
            raise ApprovalTimeoutError("nobody answered in time")
        return {"type": "answer", "answer": answer}


def one_by_one(*steps: dict[str, Any], turns: int, confidence: float = 0.95) -> Any:
    """Make a model that plans these steps and works on each itself; each question is a turn."""
    agent = [{"text": f"turn {number}"} for number in range(turns)]
    return planned(plan_of(*steps, confidence=confidence), agent=[*agent, ANSWER])


async def ask(
    tmp_path: Path,
    model: Any,
    person: Person,
    text: str = "go",
    context: Any = ASKING,
    **chosen: Any,
) -> list[Any]:
    agent = executor(model, tmp_path, handler=person, chosen=settings(**chosen))
    events = await go(agent, text, context)
    check_steps_once(events)
    assert events[-1].reason == "completed"
    return events


@pytest.mark.requirement("S2-6.4.2-triggers")
@pytest.mark.parametrize(
    ("steps", "confidence", "text", "why"),
    [
        (FOUR, 0.95, "go", "4 steps"),
        (FOUR[:3], 0.95, "maybe go", "vague: maybe"),
        (FOUR[:3], 0.95, "可能需要清理一下", "vague: 可能"),
        (FOUR[:3], 0.79, "go", "confidence 79%"),
        (FOUR, 0.5, "perhaps go", "4 steps, vague: perhaps, confidence 50%"),
    ],
)
async def test_a_doubtful_plan_is_put_to_the_person(
    tmp_path: Path, steps: Any, confidence: float, text: str, why: str
) -> None:
    person = Person(GO_AHEAD)
    model = one_by_one(*steps, turns=len(steps) + 1, confidence=confidence)
    events = await ask(tmp_path, model, person, text)
    [question] = person.questions
    assert (question.kind, question.question_type) == ("clarification", "work_plan")
    assert (question.required, question.timeout_s) == (False, 60.0)
    assert [o["label"] for o in question.options] == [GO_AHEAD, ADD_CHECK, NO_PLAN]
    assert [o["is_recommended"] for o in question.options] == [True, False, False]
    assert f"({why})" in (question.question or "")
    assert all(
        f"{s['step_number']}. {s['description']}" in (question.question or "") for s in steps
    )
    assert set(statuses(events).values()) == {"completed"}


@pytest.mark.requirement("F21-3-optional")
@pytest.mark.requirement("S2-6.4.2-triggers")
@pytest.mark.parametrize("context", [ALWAYS, ASKING])
async def test_nobody_is_asked_without_doubts_or_where_nobody_is_there(
    tmp_path: Path, context: Any
) -> None:
    steps = FOUR[:3] if context is ASKING else FOUR
    person = Person()
    text = "go" if context is ASKING else "maybe go"
    model = one_by_one(*steps, turns=len(steps), confidence=0.8 if context is ASKING else 0.1)
    events = await ask(tmp_path, model, person, text, context)
    assert person.questions == []
    assert set(statuses(events).values()) == {"completed"}


@pytest.mark.requirement("F21-3-settings")
async def test_when_a_plan_is_put_to_a_person_is_a_matter_of_settings(tmp_path: Path) -> None:
    person = Person()
    model = one_by_one(*FOUR, turns=4, confidence=0.5)
    chosen = {"plan_ask_steps": 4, "plan_ask_confidence": 0.5, "plan_ask_vague_words": False}
    await ask(tmp_path, model, person, "maybe go", **chosen)
    assert person.questions == []


@pytest.mark.requirement("S2-6.4.2-triggers")
async def test_a_check_may_come_first(tmp_path: Path) -> None:
    person = Person(ADD_CHECK)
    events = await ask(tmp_path, one_by_one(*FOUR, turns=6), person)
    plan = plan_after(events)
    assert [s.step_number for s in plan.steps] == [5, 1, 2, 3, 4]
    assert plan.steps[0].description == CHECK_STEP
    assert [e.step_number for e in find(events, "step_start")] == [5, 1, 2, 3, 4]
    # The planner's own text, which other languages translate, and not what the person said.
    assert set(statuses(events).values()) == {"completed"}


async def test_a_person_may_want_no_plan(tmp_path: Path) -> None:
    person = Person(NO_PLAN)
    model = planned(plan_of(*FOUR), agent=[{}, {"text": "Here you are."}])
    events = await ask(tmp_path, model, person)
    assert plan_after(events).status is PlanStatus.FALLBACK
    assert events[-1].content == "Here you are."
    assert find(events, "step_start") == []


@pytest.mark.parametrize("typed", ["go ahead", " Go  ahead. ", "GO AHEAD!"])
async def test_an_option_is_what_a_person_types(tmp_path: Path, typed: str) -> None:
    """In their own words it would cost another planning call, and the plan if that failed."""
    model = one_by_one(*FOUR, turns=5)
    events = await ask(tmp_path, model, Person(typed))
    assert set(statuses(events).values()) == {"completed"}
    assert not [r for r in model.requests if '"first_number"' in r[-1].text]


@pytest.mark.requirement("S2-6.4.2-triggers")
async def test_own_words_make_another_plan(tmp_path: Path) -> None:
    person = Person("leave the north out \ud800")
    model = planned(
        plan_of(*FOUR),
        plan_of(step(5, "south only")),
        agent=[{}, {"text": "s"}, {"text": "South [step 5]."}],
    )
    events = await ask(tmp_path, model, person)
    assert statuses(events) == {5: "completed"}
    [told] = [r[-1].text for r in model.requests if '"first_number"' in r[-1].text]
    assert "leave the north out" in told


@pytest.mark.requirement("S2-6.4.2-triggers")
@pytest.mark.parametrize("context", [ASKING, {"planning": {"loop": "staged", "ask": True}}])
async def test_a_plan_that_cannot_be_made_as_the_person_wants_is_not_carried_out(
    tmp_path: Path, context: Any
) -> None:
    """The model reads what they said, and works without a plan."""
    person = Person("leave production alone")
    model = planned(
        plan_of(*FOUR),
        beside=[
            ('"first_number"', [{"text": "no idea"}]),
            (r'^\{"goal": "go"\}', [{"text": "Go."}]),
        ],
        agent=[{}, {"text": "I leave it alone."}],
    )
    events = await ask(tmp_path, model, person, context=context)
    assert find(events, "step_start") == []
    plan, last = plan_after(events), find(events, "work_plan")[-1]
    assert plan.status is PlanStatus.FALLBACK
    assert last.reason.startswith("leave production alone; Not planned again: ")
    assert "leave production alone" in str(model.requests[-1])
    assert events[-1].content == "I leave it alone."


@pytest.mark.requirement("S2-6.4.2-triggers")
async def test_a_plan_that_is_full_has_no_room_for_a_check(tmp_path: Path) -> None:
    """One that had more steps than a plan may have could not be changed any more."""
    many = plan_of(*(step(n, f"s{n}", *([n - 1] if n > 1 else [])) for n in range(1, 21)))
    person = Person(GO_AHEAD)
    model = planned(
        beside=[(PLANNER, [{"text": many, "chunk_chars": 10_000}])],
        agent=[{"text": f"t{n}"} for n in range(30)],
    )
    events = await ask(tmp_path, model, person)
    [question] = person.questions
    assert [o["label"] for o in question.options] == [GO_AHEAD, NO_PLAN]
    assert len(plan_after(events).steps) == 20


def test_a_check_is_left_out_where_others_have_filled_the_plan_meanwhile() -> None:
    steps = tuple(PlanStep(step_number=n, description="s") for n in range(1, 21))
    plan = WorkPlan(id="r", conversation_id="s", status=PlanStatus.PLANNING, steps=steps)
    after = apply_plan_answer(plan, ADD_CHECK)
    assert (after.steps, after.status) == (steps, PlanStatus.IN_PROGRESS)


@pytest.mark.requirement("F21-3-optional")
@pytest.mark.requirement("S2-6.4.2-triggers")
async def test_nobody_in_time_means_the_recommended_option(tmp_path: Path) -> None:
    events = await ask(tmp_path, one_by_one(*FOUR, turns=5), Person(None))
    assert set(statuses(events).values()) == {"completed"}
    [answer] = find(events, "hitl_answer")
    assert (answer.by, answer.decision["answer"]) == ("timeout", GO_AHEAD)


BRANCH = {
    "decision_type": "branch",
    "context": "Keep the duplicates?",
    "options": [
        {"label": "Keep", "description": "all rows"},
        {"label": "Drop", "description": "one of each", "is_recommended": True},
    ],
}


@pytest.mark.requirement("S2-6.4.3-triggers")
@pytest.mark.parametrize("answer", ["Keep", None, "only those of May"])
async def test_a_branch_is_the_persons_to_choose(tmp_path: Path, answer: str | None) -> None:
    person = Person(answer)
    model = one_by_one(step(1, "one"), step(2, "two", 1, decision=BRANCH), turns=3)
    events = await ask(tmp_path, model, person)
    [question] = person.questions
    assert (question.kind, question.question_type, question.step_number) == (
        "decision",
        "branch",
        2,
    )
    assert (question.required, question.timeout_s) == (False, 300.0)
    assert question.question == "Step 2: Keep the duplicates?"
    done = plan_after(events).find(2)
    assert done is not None
    assert done.decision is not None
    assert done.decision["answer"] == (answer or "Drop")
    assert f"A person decided: {answer or 'Drop'}" in done.thought_prompt
    assert done.status.value == "completed"


@pytest.mark.requirement("F21-3-risk")
@pytest.mark.requirement("S2-6.4.3-triggers")
@pytest.mark.parametrize(
    ("more", "chosen", "asked"),
    [
        (
            {"required_tools": ["write_file"]},
            {"plan_confirm_tools": ("write",)},
            ("confirmation", "it uses write_file"),
        ),
        (
            {"required_tools": ["read_file"]},
            {"plan_confirm_tools": ("read_file",)},
            ("confirmation", "it uses read_file"),
        ),
        ({"estimated_bytes": 2_000_000_000}, {}, ("risk", "it reads about 2.0 GB")),
        ({"estimated_bytes": 200}, {"plan_risk_bytes": 100}, ("risk", "it reads about 0.0 MB")),
        ({"estimated_duration_ms": 1_200_000}, {}, ("risk", "it may take 20 minutes")),
    ],
)
@pytest.mark.parametrize("answer", [CONTINUE, SKIP_STEP])
async def test_what_is_confirmed_or_a_risk_is_asked_about_before_its_step(
    tmp_path: Path, more: Any, chosen: Any, asked: tuple[str, str], answer: str
) -> None:
    person = Person(answer)
    model = one_by_one(step(1, "one", **more), step(2, "two", 1), turns=3)
    events = await ask(tmp_path, model, person, **chosen)
    [question] = person.questions
    assert (question.kind, question.question_type, question.step_number) == (
        "decision",
        asked[0],
        1,
    )
    assert asked[1] in (question.question or "")
    expected = "completed" if answer == CONTINUE else "skipped"
    assert statuses(events) == {1: expected, 2: "completed"}


@pytest.mark.requirement("S2-6.4.3-triggers")
async def test_steps_side_by_side_are_asked_about_one_by_one(tmp_path: Path) -> None:
    person = Person(SKIP_STEP, CONTINUE)
    large = {"estimated_bytes": 5_000_000_000}
    model = planned(
        plan_of(step(1, "north", **large), step(2, "south", **large), step(3, "west")),
        south=[{"text": "s"}],
        west=[{"text": "w"}],
        agent=[{}, {}, {}, ANSWER],
    )
    events = await ask(tmp_path, model, person)
    assert [q.step_number for q in person.questions] == [1, 2]
    assert statuses(events) == {1: "skipped", 2: "completed", 3: "completed"}


async def test_a_decision_does_not_make_a_step_too_long_to_be_changed(tmp_path: Path) -> None:
    """A full prompt, and then what the person decided: later versions are checked too."""
    person = Person("x" * 1_500)
    model = planned(
        beside=[
            (
                PLANNER,
                [
                    {
                        "text": plan_of(
                            step(1, "one", decision=BRANCH, thought_prompt="t" * 2_000),
                            step(2, "two", 1),
                        ),
                        "chunk_chars": 9_000,
                    }
                ],
            )
        ],
        agent=[{}, {"text": "1"}, {"text": "2"}, ANSWER],
    )
    events = await ask(tmp_path, model, person)
    [first, _] = plan_after(events).steps
    assert len(first.thought_prompt) <= 2_000
    assert "A person decided: xxx" in first.thought_prompt


@pytest.mark.parametrize("options", [[{"label": "  "}], [{"label": "a"}, {"label": "a"}]])
async def test_a_decision_that_cannot_be_asked_leaves_no_broken_question(
    tmp_path: Path, options: Any
) -> None:
    person = Person(None)
    decision = {**BRANCH, "options": options}
    model = one_by_one(step(1, "one", decision=decision), turns=2)
    events = await ask(tmp_path, model, person)
    labels = [o["label"] for q in person.questions for o in q.options]
    assert all(labels)
    assert len(set(labels)) == len(labels)
    assert events[-1].reason == "completed"
