"""A trace is what the log says of one run, and nothing more."""

from dataclasses import fields
from typing import Any

import pytest
from pydantic import JsonValue
from traced_runs import GOAL, RunLog, step

from dataagent_core.config.limits.patterns import TRACE_CALLS_MAX, TRACE_STEPS_MAX
from dataagent_core.events import StepEndEvent, TextEvent, TodoUpdateEvent, ToolCallEvent
from dataagent_core.events.hitl import HumanRequestKind
from dataagent_core.events.system import DoneReason
from dataagent_core.patterns import InteractionTrace, read_trace
from dataagent_core.patterns.trace import PATTERN_QUESTION
from tests.recorded_logs.reading import events_of, names


@pytest.mark.requirement("S2-6.5.2")
def test_a_trace_has_the_fields_of_the_document_first():
    assert [one.name for one in fields(InteractionTrace)][:11] == [
        "conversation_id",
        "user_goal",
        "clarifications",
        "decisions",
        "plan_steps",
        "tool_calls",
        "corrections",
        "final_result",
        "success",
        "duration_ms",
        "human_intervention_count",
    ]


@pytest.mark.requirement("S2-6.5.2")
def test_a_trace_tells_the_whole_run():
    log = RunLog()
    log.plan(step("Query"), step("Draw", "pending", dependencies=[1], required_tools=["chart"]))
    log.ask("clarification", {"type": "answer", "answer": "Q3"}, question="Which quarter?")
    log.decide("By day", step_number=1)
    log.call("sql_query", sql="select 1").call("chart", status="error")
    log.ask(
        "approval",
        {"type": "edit", "args": {"path": "b"}},
        action_requests=[{"name": "write_file", "args": {"path": "a", "mode": "w"}}],
    )
    log.add(StepEndEvent(step_number=2, success=True))
    trace = log.done().trace()
    assert (trace.conversation_id, trace.user_goal, trace.run_id) == ("session", GOAL, "run")
    assert [(one.question, one.answer) for one in trace.clarifications] == [
        ("Which quarter?", "Q3")
    ]
    (decision,) = trace.decisions
    assert (decision.recommended, decision.user_choice, decision.impact) == (
        "By month",
        "By day",
        "high",
    )
    assert [(one.step_number, one.status) for one in trace.plan_steps] == [
        (1, "completed"),
        (2, "completed"),
    ]
    assert trace.plan_steps[1].dependencies == (1,)
    assert [(one.tool_name, one.status) for one in trace.tool_calls] == [
        ("sql_query", "success"),
        ("chart", "error"),
    ]
    (correction,) = trace.corrections
    assert (correction.kind, correction.tool_name) == ("edit", "write_file")
    assert set(correction.changed_args) == {"path", "mode"}
    assert (trace.final_result, trace.success) == ("The answer.", True)
    assert trace.duration_ms == (len(log.events) - 1) * 1000
    assert trace.human_intervention_count == 3


def test_the_calls_of_a_sub_agent_are_marked_and_its_plan_and_text_are_its_own():
    log = RunLog().plan(step("Query")).call("sql_query", subagent_id="t1")
    log.add(TodoUpdateEvent(todos=[{"content": "its own"}], subagent_id="t1"))
    log.add(TextEvent(content="its report", is_final=True, subagent_id="t1"))
    trace = log.done(content="").trace()
    assert [one.subagent_id for one in trace.tool_calls] == ["t1"]
    assert [one.description for one in trace.plan_steps] == ["Query"]
    assert trace.final_result == ""


def test_the_to_do_list_is_the_plan_of_a_run_that_has_no_other():
    todos: list[dict[str, JsonValue]] = [
        {"content": "Look", "status": "completed"},
        {"content": "Tell", "status": "pending"},
    ]
    trace = RunLog().add(TodoUpdateEvent(todos=todos)).done().trace()
    assert [(one.step_number, one.description) for one in trace.plan_steps] == [
        (1, "Look"),
        (2, "Tell"),
    ]


def test_what_a_resumed_run_voided_does_not_count():
    log = RunLog().call("sql_query")
    before = len(log.events)
    log.add(ToolCallEvent(tool_name="shell", tool_call_id="lost"))
    log.add(TextEvent(content="void", is_final=True))
    trace = log.resume(before).call("chart").done(content="").trace()
    assert [one.tool_name for one in trace.tool_calls] == ["sql_query", "chart"]
    assert trace.final_result == ""


def test_a_call_made_again_after_a_crash_counts_once():
    log = RunLog()
    log.add(ToolCallEvent(tool_name="shell", tool_call_id="again"))
    log.resume(1)
    again = RunLog().call("shell")
    for event in again.events[1:]:
        log.add(event)
    assert [one.tool_name for one in log.done().trace().tool_calls] == ["shell"]


@pytest.mark.parametrize("by", ["timeout", "no handler", "recommended", None])
def test_what_nobody_answered_is_no_intervention(by: str | None):
    trace = RunLog().decide("By day", by=by).done().trace()
    assert trace.human_intervention_count == 0
    assert not trace.decisions[0].by_person


@pytest.mark.parametrize(
    ("kind", "decision", "told"),
    [
        ("approval", {"type": "respond", "message": "use the view"}, "use the view"),
        ("doom_loop", {"type": "correct", "message": "stop looking"}, "stop looking"),
    ],
)
def test_what_a_person_says_instead_of_a_yes_is_a_correction(
    kind: HumanRequestKind, decision: dict[str, Any], told: str
):
    log = RunLog().ask(kind, decision, action_requests=[{"name": "sql_query", "args": {}}])
    (correction,) = log.done().trace().corrections
    assert (correction.text, correction.tool_name) == (told, "sql_query")


def test_an_approval_corrects_nothing():
    log = RunLog().ask("approval", {"type": "approve"}, action_requests=[{"name": "shell"}])
    trace = log.done().trace()
    assert trace.corrections == ()
    assert trace.human_intervention_count == 1


def test_the_last_feedback_of_a_person_decides_about_success():
    log = RunLog().call("sql_query").done()
    assert not log.feedback("down", "group by country").trace().success
    corrected = log.trace()
    assert [one.text for one in corrected.corrections] == ["group by country"]
    assert corrected.human_intervention_count == 1
    assert log.feedback("up").trace().success
    assert log.feedback("down", by="bob").trace().success is False


@pytest.mark.parametrize("reason", ["user_cancelled", "rejected", "budget", "timeout", "error"])
def test_a_run_that_did_not_complete_is_no_success(reason: DoneReason):
    trace = RunLog().call("shell").done(reason).trace()
    assert not trace.success
    assert trace.was_cancelled == (reason == "user_cancelled")


def test_a_run_that_is_not_over_is_no_success():
    assert not RunLog().call("shell").trace().success


def test_events_of_other_runs_do_not_count():
    log = RunLog().call("sql_query").done()
    other = RunLog("other").call("shell").done("error").feedback("down")
    trace = read_trace([*log.events, *other.events], GOAL)
    assert [one.tool_name for one in trace.tool_calls] == ["sql_query"]
    assert trace.success


def test_a_log_without_a_run_gives_a_trace_that_teaches_nothing():
    trace = read_trace([], "")
    assert (trace.success, trace.run_id, trace.tool_calls) == (False, "", ())


def test_a_trace_says_whose_content_a_call_brought():
    log = RunLog().call("fetch_url").call("mcp__mail__read").call("rss").call("read_file")
    trace = log.call("write_todos").done().trace(external_tools={"rss"})
    assert [one.content for one in trace.tool_calls] == [
        "strangers",
        "strangers",
        "strangers",
        "workspace",
        "conversation",
    ]


def test_text_that_appears_after_content_of_others_is_tainted():
    log = RunLog().plan(step("Look", "pending"), step("Tell", "pending"))
    log.call("write_todos").plan(step("Look"), step("Tell in short", "pending"))
    assert [one.is_tainted for one in log.trace().plan_steps] == [False, False]
    log.call("read_file").plan(step("Look"), step("Tell in short"), step("Always delete"))
    log.decide("By day")
    trace = log.done().trace()
    assert [one.is_tainted for one in trace.plan_steps] == [False, False, True]
    assert trace.decisions[0].is_tainted
    for before in ("workspace", "strangers"):
        assert log.trace(before=before).plan_steps[0].is_tainted
    assert not log.trace(before="workspace").tool_calls[0].is_tainted
    assert log.trace(before="strangers").tool_calls[0].is_tainted


def test_a_huge_run_is_bounded_and_says_what_is_left_out():
    log = RunLog()
    for _ in range(TRACE_CALLS_MAX + 7):
        log.call("shell", command="x")
    log.plan(*(step(f"step {n}") for n in range(3 * TRACE_STEPS_MAX)))
    trace = log.done().trace("x" * 1_000_000)
    assert (len(trace.tool_calls), trace.calls_left_out) == (TRACE_CALLS_MAX, 7)
    assert len(trace.plan_steps) == TRACE_STEPS_MAX
    assert len(trace.user_goal) < 10_000


@pytest.mark.parametrize(
    "odd",
    [
        {},
        {"step_number": "two", "description": 7, "required_tools": "all", "dependencies": None},
        {"step_number": True, "required_tools": [1, None, {"a": 1}], "status": ["x"]},
        {"step_number": 10**30, "description": "\ud800\x00", "dependencies": [10**30, "1"]},
    ],
)
def test_steps_of_any_shape_are_read(odd: dict[str, Any]):
    trace = RunLog().plan(odd, step("Tell")).done().trace()
    assert trace.plan_steps[-1].description == "Tell"


@pytest.mark.parametrize("name", names())
def test_every_recorded_log_can_be_read(name: str):
    events = events_of(name)
    runs = dict.fromkeys(event.run_id for event in events if event.run_id)
    for run_id in runs:
        trace = read_trace([event for event in events if event.run_id == run_id], "a goal")
        assert trace.run_id == run_id
        assert len(trace.tool_calls) == len(
            {
                (e.subagent_id, e.tool_call_id)
                for e in events
                if isinstance(e, ToolCallEvent) and e.run_id == run_id
            }
        )


def test_the_offer_of_a_pattern_says_nothing_of_what_was_meant():
    log = RunLog().ask(
        "clarification",
        {"type": "answer", "answer": "Do it that way"},
        question="Again that way?",
        question_type=PATTERN_QUESTION,
    )
    trace = log.call("sql_query", sql="select 1").done().trace()
    assert (trace.clarifications, trace.human_intervention_count) == ((), 1)
