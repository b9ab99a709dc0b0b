"""An answer is bound to the call and the arguments it was given for, and to nothing else."""

import json
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.hitl import ActionRequest, Decision, bound, hash_of_args, is_bound_to

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)
ARGS = st.dictionaries(st.text(max_size=4), JSON, max_size=3)
YES: Decision = {"type": "approve"}


def action(args: dict[str, Any], key: str = "m:1", **more: Any) -> ActionRequest:
    request = {"name": "shell", "args": args, "description": "", "call_key": key, **more}
    return cast("ActionRequest", request)


def written_and_read(decision: Decision) -> Decision:
    return json.loads(json.dumps(decision))


@given(ARGS)
def test_an_answer_holds_for_its_own_call_also_after_it_was_written_down(args: dict[str, Any]):
    assert is_bound_to(written_and_read(bound(YES, action(args))), action(args))


@given(ARGS, ARGS)
def test_an_answer_holds_for_other_arguments_only_if_they_are_equal(
    asked: dict[str, Any], called: dict[str, Any]
):
    same = json.dumps(asked, sort_keys=True) == json.dumps(called, sort_keys=True)
    assert is_bound_to(bound(YES, action(asked)), action(called)) == same


@given(ARGS, ARGS, ARGS)
def test_an_edit_holds_for_the_arguments_the_person_wrote(
    asked: dict[str, Any], wrote: dict[str, Any], other: dict[str, Any]
):
    edit = bound({"type": "edit", "args": wrote}, action(asked))
    assert is_bound_to(edit, action(asked))
    assert edit.get("bound_to", {}).get("runs_hash") == hash_of_args(wrote)
    if hash_of_args(other) != hash_of_args(wrote):
        assert not is_bound_to({**edit, "args": other}, action(asked))


def test_an_answer_about_another_call_with_the_same_arguments_does_not_hold():
    assert not is_bound_to(bound(YES, action({})), action({}, key="m:2"))


def test_a_yes_to_a_call_is_no_yes_to_making_it_again():
    assert not is_bound_to(bound(YES, action({})), action({}, times_begun=1))
    repeated = bound(YES, action({}, times_begun=1))
    assert is_bound_to(repeated, action({}, times_begun=1))
    assert not is_bound_to(repeated, action({}, times_begun=2))


def test_an_answer_without_proof_does_not_hold_and_a_forged_one_is_replaced():
    assert not is_bound_to(YES, action({"a": 1}))
    forged = bound(YES, action({"a": 2}))
    assert not is_bound_to(bound(forged, action({"a": 1})), action({"a": 2}))
