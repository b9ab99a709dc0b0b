"""A pattern learns from each run: its rate, corrections, preferences and better chains."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from traced_runs import NOW, RunLog, step, worked

from dataagent_core.config.limits.patterns import (
    PATTERN_CHOICES_MAX,
    PATTERN_CORRECTIONS_MAX,
    PATTERN_PREFERENCES_MAX,
    PATTERN_RUNS_KEPT_MAX,
)
from dataagent_core.patterns import InteractionPattern, extract_pattern, learn

LATER = NOW + timedelta(days=1)
FIRST = extract_pattern(worked("first"), tenant_id="t", now=NOW)


def learn_all(*traces: Any, start: InteractionPattern = FIRST) -> InteractionPattern:
    pattern = start
    for trace in traces:
        pattern = learn(pattern, trace, LATER)
    return pattern


@pytest.mark.requirement("S2-6.5.6")
@given(outcomes=st.lists(st.booleans(), max_size=30))
def test_every_run_counts_once_in_the_rate(outcomes: list[bool]):
    traces = [worked(f"r{n}", failed=not ok) for n, ok in enumerate(outcomes)]
    once = learn_all(*traces)
    assert (once.usage_count, once.success_count) == (len(outcomes) + 1, sum(outcomes) + 1)
    assert once.failure_count == len(outcomes) - sum(outcomes)
    assert once.success_rate == once.success_count / once.usage_count
    row = next((n for n, ok in enumerate(reversed(outcomes)) if ok), len(outcomes))
    assert once.consecutive_failures == row
    recent = traces[-PATTERN_RUNS_KEPT_MAX:]
    assert learn_all(*recent, start=once) == once


@pytest.mark.requirement("S2-6.5.6")
@given(
    outcomes=st.lists(st.booleans(), min_size=1, max_size=PATTERN_RUNS_KEPT_MAX - 1),
    said=st.lists(st.tuples(st.integers(0, 30), st.booleans()), max_size=30),
)
def test_whatever_people_say_later_the_counts_are_those_of_what_the_runs_are_now(
    outcomes: list[bool], said: list[tuple[int, bool]]
):
    now = dict(enumerate(outcomes))
    pattern = learn_all(*(worked(f"r{n}", failed=not ok) for n, ok in now.items()))
    for number, ok in said:
        run = number % len(outcomes)
        now[run] = ok
        pattern = learn_all(worked(f"r{run}", failed=not ok), start=pattern)
        assert pattern.usage_count == pattern.success_count + pattern.failure_count
        assert pattern.usage_count == len(outcomes) + 1
    assert pattern.success_count == sum(now.values()) + 1
    row = next((n for n, ok in enumerate(reversed(now.values())) if ok), len(now))
    assert pattern.consecutive_failures == row


def test_a_thumb_given_later_changes_what_a_run_counted_as():
    log = RunLog("second").call("sql_query").done()
    liked = learn_all(log.trace())
    assert (liked.success_count, liked.failure_count) == (2, 0)
    disliked = learn_all(log.feedback("down", "per month").trace(), start=liked)
    assert (disliked.usage_count, disliked.success_count, disliked.failure_count) == (2, 1, 1)
    assert disliked.consecutive_failures == 1
    assert "per month" in disliked.corrections
    again = learn_all(log.feedback("up").trace(), start=disliked)
    assert (again.success_count, again.failure_count, again.consecutive_failures) == (2, 0, 0)


def test_a_run_that_is_no_longer_remembered_is_not_counted_again():
    pattern = learn_all(*(worked(f"r{number}") for number in range(PATTERN_RUNS_KEPT_MAX + 1)))
    rated = replace(worked("r0", failed=True), ended_s=LATER.timestamp() - 1)
    assert learn_all(rated, start=pattern) == pattern
    assert learn_all(replace(rated, ended_s=0.0), start=pattern) != pattern


def test_a_cancelled_run_says_nothing():
    cancelled = RunLog("second").call("sql_query").done("user_cancelled").trace()
    assert learn_all(cancelled) == FIRST


@pytest.mark.requirement("S2-6.5.6")
def test_corrections_are_applied_at_once_also_of_a_failed_run():
    log = RunLog("second").call("sql_query")
    log.ask(
        "approval",
        {"type": "respond", "message": "use the view sales_net"},
        action_requests=[{"name": "sql_query", "args": {}}],
    )
    taught = learn_all(log.done("error").trace())
    assert taught.corrections == ("use the view sales_net",)
    assert taught.steps[0].corrections == ("use the view sales_net",)
    assert taught.steps[1].corrections == ()


@pytest.mark.requirement("S2-6.5.5")
@pytest.mark.requirement("S2-6.5.6")
def test_what_people_choose_adds_up_and_becomes_the_preferred_option():
    def chose(run_id: str, choice: str, **more: Any) -> Any:
        return RunLog(run_id).decide(choice, **more).call("sql_query").done().trace()

    pattern = learn_all(chose("a", "By month"), chose("b", "By day"), chose("c", "By day"))
    (preference,) = pattern.decision_preferences
    assert preference.choices == {"By month": 1, "By day": 2}
    assert (preference.recommended, preference.preferred) == ("By month", "By day")
    # Neither a time-out nor a question that strangers may have written teaches anything.
    nobody = chose("d", "By week", by="timeout")
    tainted = RunLog("e").call("fetch_url").decide("By week").done().trace()
    assert learn_all(nobody, tainted, start=pattern).decision_preferences == (preference,)


@pytest.mark.requirement("F21-5-evolution")
@pytest.mark.requirement("S2-6.5.6")
@pytest.mark.parametrize(
    ("tools", "slower", "outcome", "is_taken"),
    [
        (["metric_query"], False, "completed", True),
        (["metric_query"], True, "completed", True),
        (["metric_query", "chart_create"], False, "completed", True),
        (["metric_query", "chart_create"], True, "completed", False),
        (["ls", "metric_query", "chart_create"], False, "completed", False),
        (["metric_query"], False, "error", False),
        ([], False, "completed", False),
    ],
)
def test_a_chain_is_taken_over_only_if_it_is_better(
    tools: list[str], slower: bool, outcome: Any, is_taken: bool
):
    log = RunLog("second")
    for tool in tools:
        log.call(tool)
    trace = replace(log.done(outcome).trace(), duration_ms=10**6 if slower else 1)
    pattern = learn_all(trace)
    best = [call.tool for call in pattern.tool_chains[0]]
    assert best == (tools if is_taken else ["sql_query", "chart_create"])
    assert [one.tools for one in pattern.steps] == [(tool,) for tool in best]
    assert len(pattern.tool_chains) == 1 + is_taken


def test_a_chain_that_a_person_had_to_correct_is_not_better():
    trace = RunLog("second").call("metric_query").done().feedback("up", "also by month").trace()
    assert learn_all(trace).tool_chains == FIRST.tool_chains


def test_a_plan_gives_words_to_steps_that_had_none():
    log = RunLog("second").plan(step("Query the view", required_tools=["sql_query"]))
    planned = learn_all(log.call("sql_query").call("chart_create").call("ls").done().trace())
    assert [one.description for one in planned.steps] == ["Query the view"]


def test_the_time_is_the_average_of_successes():
    traces = [replace(worked(f"r{n}"), duration_ms=ms) for n, ms in enumerate((100, 400))]
    start = replace(FIRST, avg_execution_time_ms=100)
    slow_failure = replace(worked("bad", failed=True), duration_ms=10**9)
    assert learn_all(*traces, slow_failure, start=start).avg_execution_time_ms == 200


def test_the_answers_to_a_question_are_bounded_and_the_usual_one_stays():
    pattern = learn_all(*(RunLog(f"a{n}").decide("By day").done().trace() for n in range(2)))
    words = ("x" * number for number in range(1, 40))
    pattern = learn_all(
        *(RunLog(one).decide(f"as {one}").done().trace() for one in words), start=pattern
    )
    (preference,) = pattern.decision_preferences
    assert len(preference.choices) == PATTERN_CHOICES_MAX
    assert preference.preferred == "By day"


def test_what_a_pattern_holds_is_bounded():
    pattern = FIRST
    for number in range(60):
        log = RunLog(f"r{number}").decide(
            "By day", question=f"How fine is {chr(97 + number % 26)}{'x' * number}?"
        )
        pattern = learn_all(
            log.done().feedback("up", f"note {'y' * number}").trace(), start=pattern
        )
    assert len(pattern.corrections) == PATTERN_CORRECTIONS_MAX
    assert len(pattern.decision_preferences) == PATTERN_PREFERENCES_MAX
    assert len(pattern.recent_runs) == PATTERN_RUNS_KEPT_MAX


def test_after_three_successes_it_is_trusted_and_after_six_failures_it_is_not():
    good = learn_all(worked("a"), worked("b"))
    assert (FIRST.state, good.state) == ("draft", "trusted")
    bad = learn_all(*(worked(f"f{n}", failed=True) for n in range(6)), start=good)
    assert bad.state == "untrusted"


def test_a_clock_that_goes_back_moves_nothing_back():
    pattern = learn(FIRST, worked("second"), NOW - timedelta(days=9))
    assert (pattern.updated_at, pattern.last_used_at) == (NOW, NOW)
