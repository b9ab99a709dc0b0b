"""The script's JSON, and which step answers a request."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.errors import ConfigurationError
from dataagent_core.models import Script, Step
from dataagent_core.models.scripted.pieces import first_half, pieces
from dataagent_core.models.scripted.script import ScriptedFailure, ScriptedToolCall
from dataagent_core.models.scripted.script_turn import FINAL_TEXT, ChosenStep, ScriptTurn, choose
from dataagent_core.models.scripted.scripted_failures import ScriptedAttempts

calls = st.builds(
    ScriptedToolCall,
    name=st.text(min_size=1, max_size=10),
    args=st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=10), max_size=3),
)
steps = st.builds(
    Step,
    text=st.text(max_size=60),
    thought=st.text(max_size=30),
    tool_calls=st.lists(calls, max_size=3).map(tuple),
    chunk_chars=st.integers(1, 40),
)
turns = st.builds(
    ScriptTurn, text=st.text(), origin=st.text(max_size=8), answered=st.integers(0, 50)
)


@given(step=steps)
def test_the_pieces_of_a_step_add_up_to_it(step: Step) -> None:
    cut = pieces(step)
    assert "".join(piece.text for piece in cut if piece.kind == "thought") == step.thought
    assert "".join(piece.text for piece in cut if piece.kind == "text") == step.text
    for position, call in enumerate(step.tool_calls):
        own = [piece for piece in cut if piece.kind == "call" and piece.position == position]
        assert "".join(piece.text for piece in own) == call.arguments
        assert [piece.opens_call for piece in own] == [True] + [False] * (len(own) - 1)
    assert all(len(piece.text) <= step.chunk_chars for piece in cut)
    assert first_half(cut) == cut[: len(first_half(cut))]


@given(step=steps)
def test_a_script_survives_json(step: Step) -> None:
    script = Script.of(step)
    assert Script.model_validate_json(script.model_dump_json()) == script


@given(turn=turns, count=st.integers(0, 5))
def test_the_step_is_the_number_of_answers_already_given(turn: ScriptTurn, count: int) -> None:
    script = Script.of(*(Step(text=f"step {number}") for number in range(count)))
    expected = f"step {turn.answered}" if turn.answered < count else FINAL_TEXT
    assert choose(script, turn).step.text == expected
    assert choose(script, turn) == choose(script, turn)


@given(one=turns, other=turns)
def test_ids_differ_whenever_the_turns_do(one: ScriptTurn, other: ScriptTurn) -> None:
    script = Script.of(*(Step(tool_calls=(ScriptedToolCall(name="ls"),) * 2) for _ in range(51)))
    ids = [choose(script, turn).call_id(position) for turn in (one, other) for position in (0, 1)]
    assert len(set(ids)) == (2 if one == other else 4)


def test_the_first_scenario_that_matches_plays() -> None:
    script = Script.model_validate(
        {
            "scripts": [
                {"match": "(?i)weather", "steps": [{"text": "rain"}]},
                {"match": "^x$", "steps": []},
                {"steps": [{"text": "other"}]},
            ]
        }
    )
    assert choose(script, ScriptTurn("The WEATHER?", "", 0)).step.text == "rain"
    assert choose(script, ScriptTurn("x", "", 0)).step.text == FINAL_TEXT
    assert choose(script, ScriptTurn("hello", "", 0)).step.text == "other"
    assert choose(Script(scripts=()), ScriptTurn("hello", "", 0)).step.text == FINAL_TEXT


def test_failures_are_played_in_order_and_then_the_step_succeeds() -> None:
    failures = (ScriptedFailure(status=500), ScriptedFailure(status=429))
    attempts = ScriptedAttempts()
    one, other = (ChosenStep(Step(text="x", failures=failures), name) for name in ("one", "other"))
    assert [attempts.next_failure(one) for _ in range(4)] == [*failures, None, None]
    assert attempts.next_failure(other) == failures[0]


def test_raw_arguments_are_sent_as_they_are() -> None:
    assert ScriptedToolCall(name="ls", raw_args='{"path": ').arguments == '{"path": '


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("not json", "not valid"),
        ('{"steps": [{"txt": "a"}]}', "txt"),
        ('{"scripts": [{"match": "(", "steps": []}]}', "not a regular expression"),
        ('{"steps": [{"failures": [{"status": 200}]}]}', "greater than or equal to 400"),
        ("[]", "not valid"),
    ],
)
def test_a_wrong_script_file_says_what_is_wrong(content: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "script.json"
    path.write_text(content)
    with pytest.raises(ConfigurationError, match=told) as caught:
        Script.read(path)
    assert str(path) in str(caught.value)


def test_a_script_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "script.json"
    path.write_text(json.dumps({"steps": [{"text": "hi"}]}))
    assert Script.read(path) == Script.of(Step(text="hi"))
    with pytest.raises(ConfigurationError, match="cannot be read"):
        Script.read(tmp_path / "missing.json")


def test_a_note_of_the_engine_does_not_hide_what_the_person_wrote():
    script = Script.model_validate({"scripts": [{"match": r"\AGo\Z", "steps": [{"text": "yes"}]}]})
    text = "Go\n\n<matched_skills>\nThese fit.\n</matched_skills>"
    assert choose(script, ScriptTurn(text, "", 0)).step.text == "yes"
