"""Calls, sub-agents, files and plans on the screen: while they run, and when they are done."""

from dataclasses import replace
from typing import Any

import pytest
from pydantic import JsonValue
from rich.cells import cell_len
from transcripts import (
    DIFF,
    NOW_S,
    PLAIN,
    STARTED,
    WALK,
    a_transcript,
    call,
    live,
    result,
    shown,
    text_of,
)

from dataagent_cli.messages import Messages
from dataagent_cli.transcript.limits import DIFF_LINES_MAX, FOLDED_MAX
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle
from dataagent_cli.transcript.transcript import Transcript
from dataagent_core import events as ev
from dataagent_core.events import Event
from dataagent_core.events.system import DoneReason
from tests.recorded_logs.reading import events_of


def test_a_running_call_shows_its_progress_and_its_time():
    running = call("shell", "1", command="make " + "x" * 100)
    progress = ev.ToolProgressEvent(tool_call_id="1", progress=2, total=4, message="half")
    assert live(running).endswith("… · 12 s\n")
    row = live(running, progress)
    assert row.startswith("● run make xxx")
    assert "[######------] 2/4" in row
    assert row.endswith(" · 12 s\n")
    assert "[####----] 2/4" in live(
        running, progress, look=TerminalStyle(width_cells=40, plain=True)
    )
    assert live(running, result("shell", "1", "ok")) == ""


def test_a_command_that_is_announced_before_its_call_is_a_row_and_leaves_a_line_when_stopped():
    announced = ev.ToolProgressEvent(
        tool_call_id="1", message="grep -r secret .", timestamp=NOW_S - 3
    )
    assert live(announced) == "● run grep -r secret . · 3 s\n"
    running = call("shell", "1", command="grep -r secret .")
    assert live(announced, running).count("grep") == 1
    assert live(announced, running, result("shell", "1", "ok")) == ""
    assert live(announced, ev.HITLRequestEvent(interrupt_id="i")).count("● run") == 0
    stopped = shown(STARTED, announced, ev.DoneEvent(reason="user_cancelled"))
    assert "✗ run grep -r secret . · not finished\n" in stopped


STOPPED = ev.DoneEvent(reason="user_cancelled")


def the_task(agent: str) -> list[Event]:
    task = f"look at {agent}"
    return [
        call("task", agent, subagent_type=agent, description=task),
        ev.SubAgentEvent(phase="started", name=agent, task=task, timestamp=NOW_S - 12),
    ]


@pytest.mark.requirement("F8-1-transcript")
def test_sub_agents_stand_side_by_side_with_what_they_do_and_get_a_line_when_done():
    working = [*the_task("one"), *the_task("two"), call("ls", "9", "one", path="/data")]
    assert live(*working) == (
        "▸ one · 12 s · list /data · look at one\n▸ two · 12 s · look at two\n"
    )
    ended = [
        result("ls", "9", "a"),
        result("task", "one", "found\nall"),
        ev.SubAgentEvent(phase="finished", name="one", task="look at one", timestamp=NOW_S),
        result("task", "two", "no way", status="error"),
        ev.SubAgentEvent(phase="failed", name="two", task="look at two", timestamp=NOW_S),
    ]
    assert shown(*working, *ended) == (
        "✓ one: look at one · calls: 1 · 12.0 s #1\n✗ two: look at two · no way · 12.0 s #2\n"
    )
    transcript = a_transcript()
    for event in [*working, *ended]:
        transcript.show(event)
    whole = text_of(transcript.unfold(1))
    assert "  calls:\n    ✓ list /data · a · 1.2 s\n  report:\n    found\n    all" in whole


def test_a_task_that_was_refused_before_it_began_is_shown_as_a_call():
    refused = call("task", "t", subagent_type="x", description="do it")
    assert "✗ delegate do it · denied" in shown(refused, result("task", "t", "denied", "error"))


def test_two_sub_agents_of_one_name_keep_their_rows_and_their_calls_get_their_own():
    working = [*the_task("same"), *the_task("same"), call("ls", "9", "same", path="/data")]
    rows = live(*working).splitlines()
    assert len(rows) == 3
    assert rows[2] == "● [same] list /data · 12 s"


def test_two_runs_of_one_sub_agent_are_told_apart_by_the_id_of_their_task():
    started = [
        ev.SubAgentEvent(
            phase="started", name="same", task=task, subagent_id=task, timestamp=NOW_S - 12
        )
        for task in ("here", "there")
    ]
    made = replace(call("ls", "9", "same", path="/data"), subagent_id="there")
    assert live(*started, made) == "▸ same · 12 s · here\n▸ same (2) · 12 s · list /data · there\n"
    ended = ev.SubAgentEvent(
        phase="finished", name="same", task="there", subagent_id="there", timestamp=NOW_S
    )
    answer = replace(result("ls", "9", "a"), subagent_id="there")
    assert shown(*started, made, answer, ended) == "✓ same (2): there · calls: 1 · 12.0 s #1\n"


def test_sub_agents_whose_models_reuse_an_id_keep_their_calls_apart():
    def by(who: str, event: Event) -> Event:
        return replace(event, subagent_id=who)

    started = [
        ev.SubAgentEvent(
            phase="started", name="same", task=who, subagent_id=who, timestamp=NOW_S - 12
        )
        for who in ("here", "there")
    ]
    made = [by(who, call("ls", "call_0", "same", path=who)) for who in ("here", "there")]
    assert live(*started, *made, by("there", result("ls", "call_0", "a"))) == (
        "▸ same · 12 s · list here · here\n▸ same (2) · 12 s · there\n"
    )
    # What is refused in one is not hidden in the other.
    actions: list[Any] = [{"name": "ls", "tool_call_id": "call_0"}]
    request = ev.HITLRequestEvent(interrupt_id="i", action_requests=actions)
    refusal = ev.HITLAnswerEvent(interrupt_id="i", decision={"type": "respond"})
    told = shown(by("here", request), by("here", refusal), *made, STOPPED)
    assert told.count("not finished") == 1


def test_what_happens_to_a_sub_agent_says_whose_it_is():
    started = ev.SubAgentEvent(phase="started", name="reader", task="t", subagent_id="m:1")
    for event, text in (
        (ev.RetryEvent(delay_s=2, reason="429"), "↻ [reader] trying again in 2.0 s (1): 429"),
        (ev.WarningEvent(message="slow"), "! [reader] warning: slow"),
        (ev.SkillEvent(phase="matched", name="csv"), "[reader] a skill fits: csv"),
        (
            ev.ContextCompressedEvent(original_message_count=9, final_message_count=2),
            "[reader] the history was shortened",
        ),
    ):
        assert text in shown(started, replace(event, subagent_id="m:1"))
        assert "[reader]" not in shown(started, event)


@pytest.mark.parametrize("how", ["user_cancelled", "error", "timeout", "limit"])
def test_every_task_that_the_end_of_a_run_cuts_off_leaves_a_line(how: DoneReason):
    started = [
        ev.SubAgentEvent(
            phase="started", name="same", task=task, subagent_id=f"m:{task}", timestamp=NOW_S - 12
        )
        for task in ("here", "there")
    ]
    given = [call("task", task, description=task) for task in ("here", "there", "later")]
    made = replace(call("ls", "9", "same", path="/data"), subagent_id="m:there")
    ended = ev.DoneEvent(reason=how, timestamp=NOW_S)
    transcript = a_transcript()
    told = text_of(
        [
            part
            for event in [STARTED, *given, *started, made, ended]
            for part in transcript.show(event)
        ]
    )
    assert told.splitlines()[:3] == [
        # It did not begin.
        "✗ delegate later · not finished",
        "✗ same: here · not finished · 12.0 s #1",
        "✗ same (2): there · not finished · calls: 1 · 12.0 s #2",
    ]
    assert "    ✗ list /data · not finished" in text_of(transcript.unfold(2))
    assert live(STARTED, *given, *started, made, ended) == ""


def test_a_task_that_a_resumed_run_does_not_go_on_with_leaves_a_line_too():
    tasks = [
        ev.SubAgentEvent(
            phase="started", name="coder", task=task, subagent_id=task, timestamp=NOW_S - 12
        )
        for task in ("one", "two")
    ]
    asked = ev.HITLRequestEvent(interrupt_id="i", question="Go on?", subagent_id="one", seq=7)
    parked = ev.RunResumedEvent(attempt=2, seq=8)
    ended = ev.DoneEvent(reason="user_cancelled", timestamp=NOW_S)
    lines = [
        "✗ coder: one · not finished · 12.0 s #1",
        "✗ coder (2): two · not finished · 12.0 s #2",
    ]
    # A server resumes a run that waits in order to stop it.
    told = shown(STARTED, *tasks, asked, parked, ended).splitlines()
    assert told[1:3] == lines
    assert "▸" not in live(STARTED, *tasks, asked, parked)
    # One that goes on keeps its name and has one line.
    finished = replace(tasks[1], phase="finished", duration_ms=3_000)
    told = shown(STARTED, *tasks, asked, parked, tasks[1], finished, ended).splitlines()
    assert told[1:3] == ["✓ coder (2): two · 3.0 s #1", lines[0].replace("#1", "#2")]


def test_a_task_that_was_cut_off_says_so_in_full_on_a_narrow_terminal():
    task = ev.SubAgentEvent(
        phase="started", name="code-reviewer", task="look at every file", timestamp=NOW_S
    )
    ended = ev.DoneEvent(reason="user_cancelled", timestamp=NOW_S)
    told = shown(STARTED, task, ended, look=TerminalStyle(width_cells=40, plain=True))
    assert " ".join(told.split()).startswith(
        "✗ code-reviewer: look at every file · not finished · 0 ms #1 "
    )


def test_a_task_that_ended_before_the_run_was_stopped_has_one_line():
    task = ev.SubAgentEvent(phase="started", name="same", task="t", subagent_id="m:1")
    given = call("task", "1", description="t")
    told = shown(STARTED, given, task, replace(task, phase="finished"), STOPPED)
    assert told.count("same: t") == 1
    assert "not finished" not in told


@pytest.mark.parametrize("width_cells", [40, 80])
def test_the_line_of_a_failed_task_is_wrapped_and_names_its_sub_agent(width_cells: int):
    task = ev.SubAgentEvent(phase="started", name="code-reviewer", task="look " * 20)
    failed = replace(task, phase="failed", reason="它没有在规定的时间内完成。" * 5)
    lines = shown(
        task, failed, look=TerminalStyle(width_cells=width_cells, plain=True)
    ).splitlines()
    assert lines[0].startswith("✗ code-reviewer: ")
    assert all(cell_len(line) <= width_cells for line in lines)


def test_the_files_that_a_command_of_a_sub_agent_changed_say_whose_they_are():
    task = ev.SubAgentEvent(phase="started", name="coder", task="t", subagent_id="m:1")
    made = replace(call("shell", "9", "coder", command="make"), subagent_id="m:1")
    answer = replace(result("shell", "9", "ok"), subagent_id="m:1")
    changed = ev.FileOperationEvent(operation="write", file_path="/a", subagent_id="m:1")
    told = shown(task, made, answer, *[changed] * 9)
    assert "    [coder] write /a" in told
    assert told.splitlines()[-1] == "    [coder] …"


def test_a_request_of_a_sub_agent_says_whose_it_is_while_it_waits_and_when_it_is_answered():
    tasks = [
        ev.SubAgentEvent(phase="started", name="coder", task=task, subagent_id=task)
        for task in ("one", "two")
    ]
    actions: list[Any] = [{"name": "shell", "args": {"command": "make"}, "subagent": "coder"}]
    asked = ev.HITLRequestEvent(interrupt_id="i", action_requests=actions, subagent_id="two")
    announced = ev.ToolProgressEvent(
        tool_call_id="1", message="ls", timestamp=NOW_S, subagent_id="two"
    )
    assert "● [coder (2)] run ls" in live(*tasks, announced)
    assert "waits for you: [coder (2)] run make\n" in live(*tasks, asked)
    answer = ev.HITLAnswerEvent(interrupt_id="i", decision={"type": "approve"}, subagent_id="two")
    assert "✓ approved · [coder (2)] run make\n" in shown(*tasks, asked, answer)


def test_a_recorded_task_has_one_line_that_unfolds_into_its_calls_and_its_report():
    transcript = a_transcript()
    told = text_of([part for event in events_of("delegation") for part in transcript.show(event)])
    lines = [line for line in told.splitlines() if line.startswith(("✓", "✗"))]
    assert [line.partition(":")[0] for line in lines] == [
        "✓ code-reviewer",
        "✗ general-purpose",
        "✓ general-purpose (2)",
        "✓ general-purpose (3)",
    ]
    assert [line.rpartition("#")[2] for line in lines] == ["1", "2", "3", "4"]
    one, failed, first, second = (text_of(transcript.unfold(number)) for number in range(1, 5))
    assert "I look at it." in one
    assert "ModelError" in failed
    assert "    ✓ write /made/apples.txt · " in first
    assert "    ✓ run sleep 0.2; echo green · " in second
    assert "Green." in second


def test_who_fits_a_message_is_said_with_the_whole_reason():
    reason = "coder has the best score, 0.71; the next is bill-reader with 0.01."
    told = ev.SubAgentEvent(phase="assigned", name="coder", reason=reason)
    lines = shown(told)
    assert lines.startswith("▸ a sub-agent fits: coder · coder has the best score,")
    assert lines.replace("\n", " ").rstrip().endswith("the next is bill-reader with 0.01.")


def test_a_skill_that_is_loaded_is_one_line_which_unfolds_into_its_text():
    given = [
        replace(call("skill", "1"), tool_args={"name": "tidy-up"}),
        ev.SkillEvent(phase="activated", name="tidy-up", detail={"allowed_tools": None}),
        result("skill", "1", "Skill tidy-up (tenant 1.0.0) is active.\n\n# Tidy up"),
        ev.SkillEvent(phase="completed", name="tidy-up"),
    ]
    assert shown(*given) == "✓ load skill tidy-up · 1.2 s #1\n"
    transcript = a_transcript()
    for event in given:
        transcript.show(event)
    assert "# Tidy up" in text_of(transcript.unfold(1))
    failed = shown(given[0], result("skill", "1", "There is no skill 'tidy-up'.", "error"))
    assert "There is no skill" in failed


def test_a_skill_that_narrows_the_tools_says_to_which():
    lists: list[tuple[list[JsonValue], str]] = [
        (["read_file", "grep"], "read_file, grep"),
        ([], "-"),
    ]
    for allowed, named in lists:
        told = ev.SkillEvent(phase="activated", name="tidy-up", detail={"allowed_tools": allowed})
        assert shown(told) == f"▸ the skill tidy-up allows only these tools: {named}\n"


def test_a_call_of_a_sub_agent_that_fails_is_seen_in_its_steps_and_leaves_no_line_of_its_own():
    transcript = a_transcript()
    given = [
        *the_task("one"),
        call("read_file", "5", "one", file_path="/gone"),
        result("read_file", "5", "There is no file /gone.", "error"),
        ev.FileOperationEvent(operation="read", file_path="/gone", status="error"),
        call("ls", "6", "one", path="/data"),
        ev.SubAgentEvent(phase="finished", name="one", task="look at one", timestamp=NOW_S),
    ]
    told = text_of([part for event in given for part in transcript.show(event)])
    assert told == "✓ one: look at one · calls: 2 · 12.0 s #1\n"
    whole = text_of(transcript.unfold(1))
    assert "    ✗ read /gone · There is no file /gone. · 1.2 s\n" in whole
    assert "    ✗ list /data · not finished\n" in whole


def test_a_task_in_the_background_is_one_line_with_its_id_and_its_task():
    task_id, task = f"task-{'0a' * 12}", "read the long bill"
    transcript = a_transcript()
    given = [
        call("start_task", "1", subagent_type="coder", description=task),
        ev.SubAgentEvent(
            phase="assigned", name="coder", mode="background", subagent_id=task_id, task=task
        ),
        result("start_task", "1", f"Started {task_id} (coder)."),
    ]
    told = text_of([part for event in given for part in transcript.show(event)])
    assert told.split() == f"▸ coder works in the background · {task_id} · {task} #1".split()
    assert task in text_of(transcript.unfold(1))


def test_a_file_a_sub_agent_changed_is_shown_with_whose_it_was():
    told = shown(
        *the_task("one"),
        call("edit_file", "5", "one", file_path="/a"),
        result("edit_file", "5", "ok"),
        ev.FileOperationEvent(
            operation="edit", metrics={"lines_added": 1, "lines_removed": 1}, diff=DIFF
        ),
    )
    assert told.startswith("✓ [one] edit /a · +1 -1")
    assert "+zwei" in told


@pytest.mark.requirement("F8-1-transcript")
def test_a_long_diff_is_folded_and_unfolds_whole():
    diff = "--- a\n+++ b\n@@ -0,0 +1,200 @@\n" + "".join(f"+line {n}\n" for n in range(1, 201))
    transcript = a_transcript()
    given = [
        call("write_file", "1", file_path="/a"),
        result("write_file", "1", "ok"),
        ev.FileOperationEvent(operation="write", file_path="/a", diff=diff),
    ]
    told = text_of([part for event in given for part in transcript.show(event)])
    assert f"│+line {DIFF_LINES_MAX}\n" in told
    assert f"│+line {DIFF_LINES_MAX + 1}\n" not in told
    assert "… 160 more lines (/unfold 1)" in told
    assert " 200 │+line 200" in text_of(transcript.unfold(1))


def test_a_call_in_full_says_what_a_person_can_use_and_no_hashes():
    transcript = a_transcript()
    receipt: dict[str, Any] = {
        "exit_code": 3,
        "result": {"result_id": "r_1", "sha256": "abc"},
        "args_hash": "0123abcd",
        "result_hash": "4567",
        "result_bytes": 2,
        "status": "success",
    }
    ended = replace(result("shell", "1", "ok"), receipt=receipt)
    for event in (call("shell", "1", command="x"), ended):
        transcript.show(event)
    whole = text_of(transcript.unfold(1))
    assert "exit code: 3" in whole
    assert "kept result: r_1" in whole
    for hidden in ("args_hash", "0123abcd", "4567", "result_bytes", "abc", "status"):
        assert hidden not in whole


def test_a_command_that_was_stopped_leaves_a_line():
    told = shown(
        STARTED, call("shell", "1", command="sleep 100"), ev.DoneEvent(reason="user_cancelled")
    )
    assert "✗ run sleep 100 · not finished\n" in told
    finished = shown(STARTED, call("shell", "1", command="sleep 100"), ev.DoneEvent())
    assert "not finished" not in finished


@pytest.mark.parametrize("decision", ["respond", "reject"])
def test_a_refusal_is_shown_once(decision: str):
    asked: dict[str, Any] = {"name": "shell", "args": {"command": "rm x"}, "tool_call_id": "1"}
    told = shown(
        STARTED,
        call("shell", "1", command="rm x"),
        ev.HITLRequestEvent(interrupt_id="q", action_requests=[asked]),
        ev.HITLAnswerEvent(
            interrupt_id="q", decision={"type": decision, "message": "not that one"}
        ),
        result("shell", "1", "A person refused: not that one", "error"),
        ev.DoneEvent(reason="rejected" if decision == "reject" else "completed"),
    )
    assert told.count("rm x") == 1
    assert told.count("not that one") == 1


def test_a_diff_seen_a_moment_ago_in_the_question_is_not_shown_again():
    transcript = Transcript(Messages("en"), PLAIN, previewed={"2"})
    told = text_of([part for event in WALK for part in transcript.show(event)])
    assert "+1 -1" in told
    assert "zwei" not in told
    # A later call of the same id is another change.
    assert "zwei" in text_of([part for event in WALK for part in transcript.show(event)])


def test_a_file_tools_line_does_not_wait_for_counts_that_never_come():
    told = shown(call("read_file", "1", file_path="/a"), result("read_file", "1", "x"), STARTED)
    assert told == "✓ read /a · x · 1.2 s #1\n"


def test_files_a_command_changed_are_named_a_few_of_them():
    changes = [ev.FileOperationEvent(operation="write", file_path=f"/f{n}") for n in range(20)]
    told = shown(call("shell", "1", command="x"), result("shell", "1", "ok"), *changes)
    assert "write /f7" in told
    assert "write /f8" not in told
    assert "… and more (/unfold 1)" in told


def test_what_is_folded_is_kept_up_to_a_limit_and_says_when_it_is_gone():
    transcript = a_transcript()
    for n in range(FOLDED_MAX + 1):
        transcript.show(call("ls", str(n), path=f"/{n}"))
        transcript.show(result("ls", str(n), "x"))
    assert "nothing is folded under #1" in text_of(transcript.unfold(1))
    assert f"list /{FOLDED_MAX}" in text_of(transcript.unfold(transcript.last_folded))
