"""A scripted step takes ids from what tools answered."""

from dataagent_core.models.scripted.script import Step
from dataagent_core.models.scripted.script_turn import recall_values

STEP = Step.model_validate(
    {
        "text": "see {{id}} and {{id:0}}",
        "tool_calls": [{"name": "t", "args": {"a": ["{{id:1}}", 3, {"b": "{{nothing}}"}]}}],
    }
)


def test_a_place_is_filled_with_the_last_or_the_named_match() -> None:
    step = recall_values(STEP, {"id": r"r_\d"}, ["r_1 r_2", "r_1", "r_3"])
    assert step.text == "see r_3 and r_1"
    assert step.tool_calls[0].args == {"a": ["r_2", 3, {"b": "{{nothing}}"}]}


def test_what_nothing_fits_stays_as_it_is_written() -> None:
    assert recall_values(STEP, {"id": r"x_\d"}, ["r_1"]).text == STEP.text
    assert recall_values(STEP, {}, ["r_1"]) is STEP
