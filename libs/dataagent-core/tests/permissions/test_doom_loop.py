"""The third equal call within a minute is stopped before it runs."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.config.limits import DOOM_LOOP_CALLS, DOOM_LOOP_WINDOW_S
from dataagent_core.permissions.doom_loop import (
    DoomLoopDetector,
    DoomLoopIntervention,
    fingerprint,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)
ARGS = st.dictionaries(st.text(max_size=5), JSON, max_size=4)


def stopped(detector: DoomLoopDetector, key: str, args: dict[str, Any], now_s: float) -> bool:
    """Do what the pipeline does: ask, and note the call if it runs."""
    if detector.should_intervene(key, "shell", args, now_s):
        return True
    detector.note(key, "shell", args, now_s)
    return False


@pytest.mark.requirement("S2-6.4.4-detector")
@pytest.mark.requirement("F3-9")
@given(ARGS, st.lists(st.floats(0, 19), min_size=3, max_size=3))
def test_the_third_equal_call_within_the_window_is_stopped(
    args: dict[str, Any], pauses_s: list[float]
):
    detector, now_s = DoomLoopDetector(), 0.0
    found: list[bool] = []
    for number, pause_s in enumerate(pauses_s):
        now_s += pause_s
        found.append(stopped(detector, f"k{number}", args, now_s))
    assert found == [False, False, True]


@given(ARGS, st.floats(DOOM_LOOP_WINDOW_S / 2, 1000))
def test_calls_further_apart_are_never_stopped(args: dict[str, Any], pause_s: float):
    detector = DoomLoopDetector()
    assert not any(stopped(detector, f"k{n}", args, n * pause_s) for n in range(20))


@given(st.lists(ARGS, min_size=2, max_size=2, unique_by=lambda args: fingerprint("x", args)))
def test_different_calls_are_not_counted_together(both: list[dict[str, Any]]):
    detector = DoomLoopDetector()
    assert not any(stopped(detector, f"k{n}", both[n % 2], 0) for n in range(4))


@pytest.mark.requirement("F3-9")
@given(ARGS)
def test_a_replayed_call_does_not_count_again(args: dict[str, Any]):
    detector = DoomLoopDetector()
    for _ in range(10):
        assert not stopped(detector, "same", args, 0)
    assert not stopped(detector, "other", args, 1)
    assert stopped(detector, "third", args, 2)


@given(ARGS)
def test_the_order_of_arguments_does_not_matter(args: dict[str, Any]):
    assert fingerprint("t", args) == fingerprint("t", dict(reversed(args.items())))


@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 200)), max_size=40))
def test_a_call_is_stopped_exactly_when_enough_equal_ones_ran_lately(
    calls: list[tuple[str, float]],
):
    detector = DoomLoopDetector()
    ran: list[tuple[str, float]] = []
    for number, (name, at_s) in enumerate(sorted(calls, key=lambda call: call[1])):
        lately = sum(n == name and at_s - t < DOOM_LOOP_WINDOW_S for n, t in ran[-10:])
        expected = lately + 1 >= DOOM_LOOP_CALLS
        assert stopped(detector, f"k{number}", {"x": name}, at_s) == expected
        if not expected:
            ran.append((name, at_s))


def test_a_call_the_person_lets_continue_is_counted_anew():
    detector = DoomLoopDetector()
    for n in range(2):
        stopped(detector, f"k{n}", {}, 0)
    assert stopped(detector, "k2", {}, 0)
    detector.forget("shell", {})
    assert [stopped(detector, f"n{n}", {}, 1) for n in range(3)] == [False, False, True]


@pytest.mark.requirement("S2-6.4.4-answers")
@pytest.mark.requirement("F3-9")
def test_the_answers_are_those_of_the_document():
    assert {answer.value for answer in DoomLoopIntervention} == {
        "stop",
        "continue",
        "correct",
        "skip",
    }
