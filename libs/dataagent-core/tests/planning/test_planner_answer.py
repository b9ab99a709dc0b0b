"""A planner's answer is read as models write it: no plan is lost for a detail that nobody needs."""

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataagent_core.errors import ValidationError
from dataagent_core.planning.plan_answer import Offer, PlanAnswer, read_plan_answer
from dataagent_core.planning.work_plan import PlanStep, StepStatus
from tests.counts import examples

OFFER = Offer(agents={"coder"}, tools={"read_file"}, skills={"pdf"})
# The parts of a step that it can do without.
DETAILS = (
    "thought_prompt",
    "expected_output",
    "required_tools",
    "required_skills",
    "assigned_agent",
    "estimated_duration_ms",
    "estimated_bytes",
    "decision",
)
any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["context", "options", "label", "decision_type", "x"]), inner
        )
    ),
    max_leaves=8,
)


def read(second: dict[str, Any], **more: Any) -> PlanAnswer:
    """Read a plan of two steps, of which the second one is written in a way of its own."""
    steps = [{"step_number": 1, "description": "one"}, {"description": "two", **second}]
    return read_plan_answer(json.dumps({"steps": steps, **more}), OFFER)


@settings(max_examples=examples(200))
@given(details=st.dictionaries(st.sampled_from(DETAILS), any_json), confidence=any_json)
def test_property_no_detail_of_a_step_makes_it_no_plan(
    details: dict[str, Any], confidence: Any
) -> None:
    answer = read({"step_number": 2, "dependencies": [1], **details}, confidence=confidence)
    assert [(s.step_number, s.description) for s in answer.steps] == [(1, "one"), (2, "two")]
    found = answer.steps[1]
    assert found.dependencies == (1,)
    assert set(found.required_tools) <= {"read_file"}
    assert set(found.required_skills) <= {"pdf"}
    assert found.assigned_agent in {"", "coder"}
    assert 0 <= answer.confidence <= 1
    assert found.decision is None or found.decision["options"]


@pytest.mark.parametrize(
    "written",
    [
        1,
        "1",
        [1],
        ["1"],
        [1.0],
        "step 1",
        ["Step 1"],
        "#1",
        "\u6b65\u9aa4 1",
        ["\u7b2c1\u6b65"],
        "1,",
    ],
)
def test_what_a_step_needs_is_read_in_words_too(written: Any) -> None:
    assert read({"step_number": 2, "dependencies": written}).steps[1].dependencies == (1,)


@pytest.mark.parametrize("written", ["", "none", "None.", "N/A", "-", "\u65e0"])
def test_a_word_for_no_dependency_is_none(written: str):
    assert read({"step_number": 2, "dependencies": written}).steps[1].dependencies == ()


@pytest.mark.parametrize("written", ["the first one", ["1-3"], {"step": 1}, [[1]], "all", [1.5]])
def test_what_a_step_needs_is_never_guessed(written: Any) -> None:
    """A step that begins too early is worse than no plan."""
    with pytest.raises(ValidationError, match=r"no plan: steps\.1\.dependencies"):
        read({"step_number": 2, "dependencies": written})


@pytest.mark.parametrize(
    "written", [" " * 150_000 + "x", "step" + " " * 150_000, "1" + " " * 150_000]
)
def test_an_answer_full_of_blanks_is_read_once(written: str) -> None:
    began_s = time.process_time()
    with pytest.raises(ValidationError):
        read({"step_number": 2, "dependencies": [f"{written}."]})
    # Each blank together with each one before it took minutes.
    assert time.process_time() - began_s < 2


@pytest.mark.parametrize("second", [{}, {"step_number": None}, {"step_number": "step 2"}])
def test_a_step_without_a_number_has_that_of_its_place(second: dict[str, Any]) -> None:
    assert [s.step_number for s in read(second).steps] == [1, 2]


@pytest.mark.parametrize(
    ("detail", "written", "expected"),
    [
        ("required_tools", "read_file", ("read_file",)),
        ("required_tools", ["read_file", 7, None], ("read_file",)),
        ("estimated_bytes", 1.5e9, 1_500_000_000),
        ("estimated_duration_ms", "5 minutes", None),
        ("estimated_bytes", -1, None),
        ("decision", {}, None),
        ("decision", "none", None),
        ("thought_prompt", {"a": 1}, ""),
    ],
)
def test_a_detail_is_read_where_it_can_be(detail: str, written: Any, expected: Any) -> None:
    assert getattr(read({detail: written}).steps[1], detail) == expected


@pytest.mark.parametrize("confidence", [95, "high", -1, float("nan"), None, [1]])
def test_a_planner_that_does_not_say_how_sure_it_is_counts_as_unsure(confidence: Any) -> None:
    assert read({}, confidence=confidence).confidence == 0.7


def test_a_decision_keeps_what_can_be_asked() -> None:
    options = [{"label": f"way {n}", "description": 7} for n in range(50)]
    decision = {"decision_type": "choice", "context": "Which way?", "options": options}
    found = read({"decision": decision}).steps[1].decision
    assert found is not None
    assert (found["decision_type"], found["context"]) == ("branch", "Which way?")
    assert [o["label"] for o in found["options"]][:2] == ["way 0", "way 1"]
    assert len(found["options"]) < 50


def test_what_is_done_is_not_planned_again() -> None:
    """A planner that writes the whole plan once more means the steps that are done."""
    done = [
        PlanStep(step_number=1, description="write", status=StepStatus.COMPLETED),
        PlanStep(step_number=2, description="check", status=StepStatus.FAILED),
    ]
    steps: list[dict[str, Any]] = [
        {"step_number": 1, "description": "write"},
        {"step_number": 2, "description": "check", "dependencies": [1]},
        {"step_number": 3, "description": "send", "dependencies": [1, 2]},
    ]
    found = read_plan_answer(json.dumps({"steps": steps}), OFFER, done, first_number=3)
    # What failed may be tried again; the first one means the step that is done.
    assert [(s.step_number, s.description, s.dependencies) for s in found.steps] == [
        (3, "check", (1,)),
        (4, "send", (1, 3)),
    ]
    with pytest.raises(ValidationError, match="only what is done already"):
        read_plan_answer(json.dumps({"steps": steps[:1]}), OFFER, done, first_number=3)
