"""The plan on the screen: a to-do list and a work plan, their steps, and what happens to them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from rich.cells import cell_len
from transcripts import PLAIN, STARTED, a_transcript, live, shown, text_of

from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle
from dataagent_core import events as ev
from dataagent_core.events import Event
from dataagent_core.events.plan import StepEndStatus
from dataagent_core.language import Language
from tests.recorded_logs.reading import events_of

WIDE = TerminalStyle(width_cells=80, plain=True)
RECORDED = events_of("work_plan")


def step(number: int, text: str, status: str = "pending", **more: Any) -> dict[str, Any]:
    return {"step_number": number, "description": text, "status": status, **more}


def plan(*steps: dict[str, Any], version: int = 1, **more: Any) -> ev.WorkPlanEvent:
    return ev.WorkPlanEvent(plan_id="p", steps=list(steps), version=version, **more)


def start(number: int, agent: str = "") -> ev.StepStartEvent:
    return ev.StepStartEvent(step_number=number, plan_id="p", agent=agent)


def end(number: int, status: StepEndStatus = "completed", **more: Any) -> ev.StepEndEvent:
    success = status == "completed"
    return ev.StepEndEvent(step_number=number, plan_id="p", status=status, success=success, **more)


def recorded_run(number: int) -> Sequence[Event]:
    """Return the events of one run of the recorded log, and what people did meanwhile."""
    runs: list[list[Event]] = [[]]
    for event in RECORDED:
        if isinstance(event, ev.RunStartedEvent):
            runs.append([])
        runs[-1].append(event)
    return runs[number]


TWO = plan(step(1, "dig", assigned_agent="digger"), step(2, "fill"))


@pytest.mark.requirement("F8-1-transcript")
def test_the_plan_is_drawn_around_where_the_work_is():
    todos = [
        {"content": f"step {n}", "status": "completed" if n < 20 else "pending"} for n in range(40)
    ]
    drawn = live(STARTED, ev.TodoUpdateEvent(todos=[dict(todo) for todo in todos]))
    assert drawn.startswith("plan 20/40\n")
    assert "21 [ ] step 20" in drawn
    assert len(drawn.splitlines()) == 9


@pytest.mark.requirement("F21-2-dock")
def test_a_to_do_list_and_a_work_plan_are_drawn_alike_and_numbered_from_1():
    todos = [{"content": "dig", "status": "completed"}, {"content": "fill", "status": "pending"}]
    steps = [step(1, "dig", "completed"), step(2, "fill")]
    as_todos = shown(STARTED, ev.TodoUpdateEvent(todos=[dict(todo) for todo in todos]))
    assert as_todos == "plan 1/2\n  1 [x] dig\n  2 [ ] fill\n"
    assert shown(STARTED, plan(*steps)) == as_todos


def test_a_to_do_list_that_goes_on_is_one_line():
    todos = [{"content": "dig", "status": "completed"}, {"content": "fill", "status": "pending"}]
    later = [todos[0], {**todos[1], "status": "completed"}]
    lists = [ev.TodoUpdateEvent(todos=[dict(todo) for todo in one]) for one in (todos, later)]
    assert shown(STARTED, *lists).endswith("  2 [ ] fill\nplan 2/2\n")
    assert live(STARTED, *lists) == ""


def test_steps_begin_side_by_side_and_end_with_agent_time_and_cost():
    events = [TWO, start(1, "digger"), start(2)]
    assert live(STARTED, *events) == ("plan 0/2\n  1 [>] dig · digger\n  2 [>] fill\n")
    told = shown(
        STARTED,
        *events,
        end(2, "failed", result="no sand", duration_ms=640),
        end(1, duration_ms=1502, tokens={"input_tokens": 1400, "output_tokens": 98}, cost=0.0016),
    )
    assert told == (
        "plan 0/2\n"
        "  1 [ ] dig · digger\n"
        "  2 [ ] fill\n"
        "  1 [>] dig · digger\n"
        "  2 [>] fill\n"
        "  2 [!] fill · 640 ms\n"
        "        failed: no sand\n"
        "  1 [x] dig · digger · 1.5 s · 1,498 tokens · $0.0016\n"
    )


@pytest.mark.parametrize(
    ("status", "line"),
    [
        ("pending", "  1 [ ] dig\n"),
        ("in_progress", "  1 [>] dig\n"),
        ("completed", "  1 [x] dig\n"),
        ("failed", "  1 [!] dig\n        failed: why\n"),
        ("timeout", "  1 [!] dig\n        timed out: why\n"),
        ("skipped", "  1 [-] dig\n        skipped: why\n"),
        ("something else", "  1 [ ] dig\n"),
    ],
)
def test_each_status_has_a_box_and_an_end_without_success_its_reason(status: str, line: str):
    assert line in shown(STARTED, plan(step(1, "dig", status, result="why"), step(2, "fill")))


def test_a_time_out_says_so_also_without_a_reason():
    assert shown(STARTED, TWO, end(1, "timeout")).endswith("        timed out\n")


def test_steps_are_found_by_their_number_wherever_they_stand():
    moved = plan(step(12, "fill"), step(3, "dig"), version=2, change="edited", by="local")
    told = shown(STARTED, plan(step(3, "dig"), step(12, "fill")), moved, start(3), end(12))
    assert told.endswith(
        "the plan was changed\nplan 0/2\n  12 [ ] fill\n   3 [ ] dig\n   3 [>] dig\n  12 [x] fill\n"
    )


def test_a_version_takes_back_no_fact_whichever_is_read_first():
    later = plan(step(1, "dig"), step(3, "pour"), step(2, "fill"), version=2, change="edited")
    facts = [start(1), end(1), start(2)]
    before, after = live(STARTED, TWO, *facts, later), live(STARTED, TWO, later, *facts)
    assert before == after == "plan 1/3\n  1 [x] dig\n  3 [ ] pour\n  2 [>] fill\n"


def test_a_person_who_skips_a_step_sees_that_step_alone():
    skipped = plan(
        step(1, "dig", assigned_agent="digger"),
        step(2, "fill", "skipped"),
        version=2,
        change="edited",
    )
    told = shown(STARTED, TWO, skipped)
    assert told.endswith("  2 [ ] fill\nthe plan was changed\n  2 [-] fill\n")


def test_a_person_who_assigns_a_step_sees_its_agent():
    assigned = plan(TWO.steps[0], step(2, "fill", assigned_agent="filler"), version=2)
    assert shown(STARTED, TWO, assigned).endswith("  2 [ ] fill\n  2 [ ] fill · filler\n")


def test_a_replan_says_why_and_shows_the_new_steps():
    replanned = plan(
        step(1, "dig", "failed"),
        step(3, "blast"),
        version=2,
        change="replanned",
        reason="step 1 failed",
    )
    told = shown(STARTED, TWO, replanned)
    assert "replanned: step 1 failed\nplan 0/2\n  1 [!] dig\n  3 [ ] blast\n" in told


@pytest.mark.parametrize("status", ["timeout", "fallback"])
def test_a_run_without_a_plan_says_why_and_leaves_the_place_to_a_to_do_list(status: str):
    making = plan(status="planning")
    given_up = plan(version=2, status=status, change="ended", reason="no plan came within 5 s")
    todo = ev.TodoUpdateEvent(todos=[{"content": "dig", "status": "pending"}])
    assert shown(STARTED, making, given_up) == ("working without a plan: no plan came within 5 s\n")
    assert live(STARTED, making, given_up, todo) == "plan 0/1\n  1 [ ] dig\n"


def test_a_to_do_list_of_a_step_does_not_replace_the_work_plan():
    todo = ev.TodoUpdateEvent(todos=[{"content": "shovel", "status": "pending"}], subagent_id="s")
    assert shown(STARTED, TWO, todo) == shown(STARTED, TWO)
    assert live(STARTED, TWO, todo) == live(STARTED, TWO)


def test_a_plan_that_failed_says_so():
    failed = plan(*TWO.steps, version=2, status="failed", change="ended", reason="no shovel")
    assert shown(STARTED, TWO, failed).endswith("the plan has failed: no shovel\nplan 0/2\n")


def test_the_stage_of_a_staged_loop_stands_in_the_head():
    lines = shown(*recorded_run(3), look=WIDE).splitlines()
    assert [line for line in lines if line.startswith(("plan", "the review"))] == [
        "plan · reasoning",
        "plan · planning",
        "plan 0/2 · at work",
        "plan 2/2 · reviewing",
        "the review sends work back: the answer does not name the product",
        "plan 2/3 · at work, round 1",
        "plan 3/3 · reviewing, round 1",
        "plan 3/3",
    ]
    reviewing = plan(*TWO.steps, version=2, stage="review", round=1)
    assert live(STARTED, reviewing).startswith("plan 0/2 · reviewing, round 1\n")
    assert live(STARTED, reviewing, end(1), end(2)) == "plan 2/2 · reviewing, round 1\n"


@pytest.mark.requirement("F21-2-base")
def test_a_recorded_plan_is_told_step_by_step():
    told = shown(*recorded_run(1), look=WIDE)
    assert "  2 [!] Read the list of returns · general-purpose · 640 ms · 1,011 tokens\n" in told
    assert "replanned: step 2 failed: There is no file /returns.csv.\nplan 1/6\n" in told
    assert "  6 [ ] Query the returns from the warehouse instead · data-analyst\n  3 [ ]" in told
    assert "  4 [-] Find out which products were returned most\n" in told
    assert "        timed out: It took longer than 30 s.\n" in told
    assert "plan 4/7\n" in told


def test_an_event_that_is_seen_twice_changes_nothing():
    plans = [
        event
        for event in RECORDED
        if isinstance(event, ev.WorkPlanEvent | ev.StepStartEvent | ev.StepEndEvent)
        and event.plan_id == RECORDED[0].run_id
    ]
    transcript = a_transcript()
    transcript.show(STARTED)
    for place, event in enumerate(plans):
        transcript.show(event)
        drawn = text_of([transcript.live()])
        for earlier in plans[: place + 1]:
            assert transcript.show(earlier) == []
        assert text_of([transcript.live()]) == drawn


def test_a_run_that_is_resumed_keeps_its_plan():
    resumed = ev.RunResumedEvent(attempt=2)
    begun = [STARTED, TWO, start(1)]
    assert live(*begun, resumed, start(1)) == live(*begun)
    assert shown(*begun, resumed, start(1), end(1)).count("[>] dig") == 1


def test_the_next_run_begins_without_the_plan():
    assert live(STARTED, TWO, ev.DoneEvent(), replace(STARTED, run_id="2")) == ""


def test_a_step_without_a_plan_is_named_alone():
    begun = ev.StepStartEvent(step_number=1, description="compact the history")
    assert shown(STARTED, begun, ev.StepEndEvent(step_number=1)) == "▸ compact the history\n"


@pytest.mark.parametrize("width", [80, 60, 40, 20])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_plan_fits_every_width_in_both_languages(width: int, language: Language):
    look = TerminalStyle(width_cells=width, plain=True)
    transcript = a_transcript(look, language)
    for event in RECORDED:
        transcript.show(event)
        drawn = text_of([transcript.live()], look)
        assert max((cell_len(line) for line in drawn.splitlines()), default=0) <= width
    told = shown(*recorded_run(1), look=look, language=language)
    steps = [line for line in told.splitlines() if line.startswith("  ") and "[" in line[:6]]
    assert steps
    assert all(cell_len(line) <= width for line in steps)


def test_a_narrow_line_keeps_the_beginning_of_its_text_and_what_fits_behind_it():
    look = TerminalStyle(width_cells=40, plain=True)
    wordy = plan(step(1, "Load all the sales of 2024 and 2025", assigned_agent="data-analyst"))
    assert "  1 [ ] Load all the sal… · data-analyst\n" in shown(STARTED, wordy, look=look)


def test_a_dumb_terminal_gets_ascii_alone():
    look = replace(PLAIN, unicode=False)
    for number in (1, 2, 3):
        assert shown(*recorded_run(number), look=look).isascii()


def test_a_plan_in_chinese():
    skipped = plan(
        step(1, "挖坑", "failed", result="没有铲子", assigned_agent="digger"),
        step(2, "填土", "skipped", result="不需要"),
        stage="review",
        round=1,
    )
    edited = replace(skipped, version=2, change="edited", steps=[step(3, "浇水")])
    given_up = replace(skipped, version=3, status="timeout", reason="5 秒内没有计划")
    assert shown(STARTED, skipped, edited, given_up, language="zh") == (
        "计划 0/2 · 审查,第 1 轮\n"
        "  1 [!] 挖坑 · digger\n"
        "        失败:没有铲子\n"
        "  2 [-] 填土\n"
        "        已跳过:不需要\n"
        "计划已更改\n"
        "计划 0/1 · 审查,第 1 轮\n"
        "  3 [ ] 浇水\n"
        "不使用计划工作:5 秒内没有计划\n"
    )


def test_a_long_plan_is_shown_up_to_a_limit():
    told = shown(STARTED, plan(*(step(n, f"job {n}") for n in range(1, 41))))
    assert told.endswith("  30 [ ] job 30\n  … 10 more lines\n")
