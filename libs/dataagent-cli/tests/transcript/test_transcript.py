"""A conversation's events as they stand on the screen."""

import io
import re
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import RenderableType

from dataagent_cli.display.tool_calls import DIFF_LINES_MAX
from dataagent_cli.messages import Language, Messages
from dataagent_cli.transcript.console import console_for
from dataagent_cli.transcript.limits import FOLDED_MAX
from dataagent_cli.transcript.look import Look
from dataagent_cli.transcript.transcript import Transcript
from dataagent_core import events as ev
from dataagent_core.events import Event
from dataagent_core.testing.strategies import events

NOW_S = 100.0
SEQUENCE = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;[^\x1b]*\x1b\\")
PLAIN = Look(width_cells=60, plain=True)


def a_transcript(look: Look = PLAIN, language: Language = "en") -> Transcript:
    return Transcript(Messages(language), look, clock=lambda: NOW_S)


def text_of(parts: Iterable[RenderableType | None], look: Look = PLAIN) -> str:
    file = io.StringIO()
    console = console_for(look, file)
    for part in parts:
        if part is not None:
            console.print(part)
    return file.getvalue()


def shown(*given: Event, look: Look = PLAIN, language: Language = "en") -> str:
    transcript = a_transcript(look, language)
    return text_of([part for event in given for part in transcript.show(event)], look)


def live(*given: Event, look: Look = PLAIN) -> str:
    transcript = a_transcript(look)
    for event in given:
        transcript.show(event)
    return text_of([transcript.live()], look)


def call(name: str, key: str, subagent: str | None = None, **args: str) -> ev.ToolCallEvent:
    return ev.ToolCallEvent(
        tool_name=name,
        tool_args=dict(args),
        tool_call_id=key,
        subagent=subagent,
        timestamp=NOW_S - 12,
    )


def result(name: str, key: str, text: str, status: str = "success") -> ev.ToolResultEvent:
    return ev.ToolResultEvent(
        tool_name=name, tool_call_id=key, result=text, status=status, duration_ms=1200
    )


STARTED = ev.RunStartedEvent(timestamp=10.0)
DIFF = "--- a\n+++ b\n@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three"
WALK: list[Event] = [
    STARTED,
    ev.ThoughtEvent(content="I should look "),
    ev.ThoughtEvent(content="first."),
    ev.TextEvent(content="Let me **lo"),
    ev.TextEvent(content="ok**.\n\nNow"),
    ev.ThoughtEvent(content="I should look first.", is_final=True),
    ev.TextEvent(content="Let me **look**.\n\nNow.", is_final=True),
    call("shell", "1", command="ls -la"),
    result("shell", "1", "a\nb\nc"),
    call("write_file", "2", file_path="/a.txt"),
    result("write_file", "2", "written"),
    ev.FileOperationEvent(
        operation="write",
        file_path="/a.txt",
        metrics={"lines_added": 1, "lines_removed": 1},
        diff=DIFF,
    ),
    ev.TodoUpdateEvent(
        todos=[
            {"content": "first", "status": "in_progress"},
            {"content": "second", "status": "pending"},
        ]
    ),
    call("fetch_url", "3", url="http://a.b"),
    result("fetch_url", "3", "no such host", status="error"),
    ev.TodoUpdateEvent(
        todos=[
            {"content": "first", "status": "completed"},
            {"content": "second", "status": "in_progress"},
        ]
    ),
    ev.HITLRequestEvent(
        interrupt_id="q", action_requests=[{"name": "shell", "args": {"command": "rm x"}}]
    ),
    ev.HITLAnswerEvent(interrupt_id="q", decision={"type": "respond", "message": "not that"}),
    ev.ModeChangedEvent(mode="plan"),
    ev.RetryEvent(attempt=1, delay_s=2.0, reason="429"),
    ev.WarningEvent(message="half of the budget is used"),
    ev.ContextCompressedEvent(original_message_count=40, final_message_count=8),
    ev.CostUpdateEvent(cost=0.0123),
    ev.TextEvent(
        content="42 of 43.",
        is_final=True,
        figures=[{"text": "42", "result_id": "r_1", "derivation": "sum"}],
        unsourced=[{"text": "43"}],
    ),
    ev.DoneEvent(timestamp=50.0, token_usage={"total_tokens": 1234}),
]
SCREEN = """\
∴ thought: I should look first. #1

Let me look.

Now.

✓ run ls -la · a (+2 lines) · 1.2 s #2
✓ write /a.txt · +1 -1 · 1.2 s #3
     1 │ one
     2 │-two
     2 │+zwei
     3 │ three
plan 0/2
  [>] first
  [ ] second
✗ fetch http://a.b · no such host · 1.2 s #4
plan 1/2 second
✗ not done · run rm x · not that
mode: plan, reads only
↻ trying again in 2.0 s (1): 429
! warning: half of the budget is used
the history was shortened for the model: 40 messages to 8

42 of 43.

figures traced: 1 (r_1: sum)
? figures without a source: 1 (43)
done · 40.0 s · 1,234 tokens · $0.0123
"""


@pytest.mark.requirement("F8-1-transcript")
def test_a_run_stands_on_the_screen():
    assert shown(*WALK) == SCREEN


def test_a_run_says_the_same_with_colours_without_and_in_ascii():
    coloured = shown(*WALK, look=Look(width_cells=60))
    assert "\x1b[32m✓" in coloured
    assert "\x1b[31m-" in coloured
    assert SEQUENCE.sub("", coloured) == SCREEN
    no_colours = shown(*WALK, look=Look(width_cells=60, colours=False))
    assert not re.search(r"\x1b\[(?:\d+;)*[349]\d", no_colours)
    assert SEQUENCE.sub("", no_colours) == SCREEN
    dumb = shown(*WALK, look=Look(width_cells=60, plain=True, unicode=False))
    assert dumb == SCREEN.translate(str.maketrans("✓✗·│∴↻…", "+x-|:~~"))
    assert dumb.isascii()


def test_a_run_in_chinese_says_everything_in_chinese():
    told = shown(*WALK, language="zh")
    assert "计划 1/2 second" in told
    assert "未执行" in told
    assert "完成" in told


def test_a_session_read_again_looks_as_it_did_and_its_numbers_go_on():
    transcript = a_transcript()
    twice = text_of([part for event in [*WALK, *WALK] for part in transcript.show(event)])
    first, second = twice[: len(SCREEN)], twice[len(SCREEN) :]
    assert first == SCREEN
    renumbered = re.sub(
        r"#(\d)$", lambda found: f"#{int(found[1]) + 4}", SCREEN, flags=re.MULTILINE
    )
    assert second == renumbered


def test_the_final_text_ends_what_was_streamed_and_repeats_nothing():
    pieces = [ev.TextEvent(content=piece) for piece in ("one\n", "\ntwo\n", "\nthr")]
    told = shown(*pieces, ev.TextEvent(content="one\n\ntwo\n\nthree", is_final=True))
    assert told == "one\n\ntwo\n\nthree\n"


def test_another_final_text_than_was_streamed_starts_again_below_a_rule():
    told = shown(
        ev.TextEvent(content="one\n\ntw"), ev.TextEvent(content="eins\n\nzwei", is_final=True)
    )
    rule = f"── the answer starts again {'─' * 33}"
    assert told == f"one\n\n{rule}\n\neins\n\nzwei\n"


def test_a_run_that_was_parked_at_a_question_goes_on_without_a_rule():
    answered = ev.HITLAnswerEvent(interrupt_id="i", decision={"type": "approve"}, seq=7)
    resumed = ev.RunResumedEvent(attempt=2, discard_after=7, seq=8)
    assert "resumed" not in shown(answered, resumed)
    assert "resumed (attempt 2)" in shown(resumed)


def test_a_resumed_run_draws_a_rule_and_gives_the_answer_again():
    before = [ev.TextEvent(content="one\n\ntw"), call("shell", "1", command="sleep")]
    resumed = ev.RunResumedEvent(attempt=2)
    told = shown(*before, resumed, ev.TextEvent(content="one\n\ntwo", is_final=True))
    rule = f"── resumed (attempt 2) · the answer starts again {'─' * 11}"
    assert told == f"one\n\n{rule}\n\none\n\ntwo\n"
    assert "sleep" in live(*before)
    assert live(*before, resumed) == ""


def test_a_warning_in_the_middle_of_an_answer_stands_between_two_gaps():
    told = shown(
        ev.TextEvent(content="one\n\ntw"),
        ev.WarningEvent(message="slow"),
        ev.TextEvent(content="one\n\ntwo", is_final=True),
    )
    assert told == "one\n\n! warning: slow\n\ntwo\n"


def test_calls_that_share_an_id_are_told_apart_by_their_tool():
    told = shown(
        call("ls", "call_0", path="/a"),
        call("shell", "call_0", command="b"),
        result("shell", "call_0", "x"),
        result("ls", "call_0", "y"),
    )
    assert told == "✓ run b · x · 1.2 s #1\n✓ list /a · y · 1.2 s #2\n"


def test_a_stopped_run_keeps_what_was_written():
    told = shown(
        STARTED,
        ev.TextEvent(content="half a sen"),
        ev.DoneEvent(timestamp=11.0, reason="user_cancelled", cancelled=True),
    )
    assert told == "half a sen\n\nstopped; what was done is kept · 1.0 s\n"


@pytest.mark.parametrize("reason", ["budget", "timeout", "limit", "error", "rejected"])
def test_every_ending_says_why_and_the_error_stands_before_it(reason: str):
    done = ev.DoneEvent(timestamp=11.0, reason=reason)  # pyright: ignore[reportArgumentType]
    told = shown(STARTED, ev.ErrorEvent(error="it\nbroke"), done)
    assert told.startswith("✗ error: it\n  broke\n")
    assert Messages("en")(f"ended.{reason}") in told


def test_a_running_call_shows_its_progress_and_its_time():
    running = call("shell", "1", command="make " + "x" * 100)
    progress = ev.ToolProgressEvent(tool_call_id="1", progress=2, total=4, message="half")
    assert live(running).endswith("… · 12 s\n")
    row = live(running, progress)
    assert row.startswith("● run make xxx")
    assert "[######------] 2/4" in row
    assert row.endswith(" · 12 s\n")
    assert "[####----] 2/4" in live(running, progress, look=Look(width_cells=40, plain=True))
    assert live(running, result("shell", "1", "ok")) == ""


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
    assert "list /data" in whole
    assert "found\n    all" in whole


def test_a_task_that_was_refused_before_it_began_is_shown_as_a_call():
    refused = call("task", "t", subagent_type="x", description="do it")
    assert "✗ delegate do it · denied" in shown(refused, result("task", "t", "denied", "error"))


def test_two_sub_agents_of_one_name_keep_their_rows_and_their_calls_get_their_own():
    working = [*the_task("same"), *the_task("same"), call("ls", "9", "same", path="/data")]
    rows = live(*working).splitlines()
    assert len(rows) == 3
    assert rows[2] == "● [same] list /data · 12 s"


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


def test_a_diff_seen_a_moment_ago_in_the_question_is_not_shown_again():
    transcript = Transcript(Messages("en"), PLAIN, previewed={"2"})
    told = text_of([part for event in WALK for part in transcript.show(event)])
    assert "+1 -1" in told
    assert "zwei" not in told


def test_a_file_tools_line_does_not_wait_for_counts_that_never_come():
    told = shown(call("read_file", "1", file_path="/a"), result("read_file", "1", "x"), STARTED)
    assert told == "✓ read /a · x · 1.2 s #1\n"


def test_files_a_command_changed_are_named_a_few_of_them():
    changes = [ev.FileOperationEvent(operation="write", file_path=f"/f{n}") for n in range(20)]
    told = shown(call("shell", "1", command="x"), result("shell", "1", "ok"), *changes)
    assert "write /f7" in told
    assert "write /f8" not in told
    assert "… and more (/unfold 1)" in told


@pytest.mark.requirement("F8-1-transcript")
def test_the_plan_is_drawn_around_where_the_work_is():
    todos = [
        {"content": f"step {n}", "status": "completed" if n < 20 else "pending"} for n in range(40)
    ]
    drawn = live(STARTED, ev.TodoUpdateEvent(todos=[dict(todo) for todo in todos]))
    assert drawn.startswith("plan 20/40\n")
    assert "[ ] step 20" in drawn
    assert len(drawn.splitlines()) == 9


def test_a_work_plan_moves_with_its_steps():
    plan = ev.WorkPlanEvent(steps=[{"description": "dig"}, {"description": "fill"}])
    told = shown(STARTED, plan, ev.StepStartEvent(step_number=1), ev.StepEndEvent(step_number=1))
    assert told == "plan 0/2\n  [ ] dig\n  [ ] fill\nplan 0/2 dig\nplan 1/2 fill\n"


def test_what_is_folded_is_kept_up_to_a_limit_and_says_when_it_is_gone():
    transcript = a_transcript()
    for n in range(FOLDED_MAX + 1):
        transcript.show(call("ls", str(n), path=f"/{n}"))
        transcript.show(result("ls", str(n), "x"))
    assert "nothing is folded under #1" in text_of(transcript.unfold(1))
    assert f"list /{FOLDED_MAX}" in text_of(transcript.unfold(transcript.last_folded))


def test_a_question_waits_in_the_live_part_until_it_is_answered():
    asked = ev.HITLRequestEvent(interrupt_id="q", kind="clarification", question="Which year?")
    answer = ev.HITLAnswerEvent(
        interrupt_id="q", kind="clarification", decision={"type": "answer", "answer": "2025"}
    )
    assert live(asked) == "? waits for you: Which year?\n"
    transcript = a_transcript()
    transcript.show(asked)
    # While it is put, it stands above; said once is enough.
    assert transcript.live(asking=True) is None
    assert live(asked, answer) == ""
    assert shown(asked, answer) == "✓ answered · Which year? · 2025\n"


def test_what_the_person_said_stands_above_the_answer():
    transcript = a_transcript()
    said = text_of(transcript.said("one\ntwo\x1b[2J"))
    assert said == "\u203a one\n  two\n"
    answer = ev.TextEvent(content="yes", is_final=True)
    assert text_of(transcript.show(answer)) == "\nyes\n"


HOSTILE = "\x1b[2J\x1b]0;x\x07\u202e\r[bold]x[/bold] :smile: \x9b31m"


def hostile_events() -> list[Event]:
    return [
        call(HOSTILE, HOSTILE, None, **{HOSTILE: HOSTILE}),
        ev.ToolProgressEvent(tool_call_id=HOSTILE, message=HOSTILE),
        ev.ToolResultEvent(
            tool_call_id=HOSTILE,
            tool_name=HOSTILE,
            result=HOSTILE,
            artifacts=[{"path": HOSTILE, "media_type": HOSTILE}],
        ),
        ev.FileOperationEvent(operation=HOSTILE, file_path=HOSTILE, diff=f"\n\n+{HOSTILE}"),
        ev.SubAgentEvent(phase="started", name=HOSTILE, task=HOSTILE),
        ev.SkillEvent(name=HOSTILE),
        ev.TodoUpdateEvent(todos=[{"content": HOSTILE, "status": HOSTILE}]),
        ev.HITLRequestEvent(interrupt_id="1", question=HOSTILE),
        ev.ErrorEvent(error=HOSTILE),
        ev.ThoughtEvent(content=HOSTILE),
        ev.TextEvent(content=HOSTILE),
    ]


def assert_harmless(text: str, width: int) -> None:
    bare = SEQUENCE.sub("", text)
    assert not [c for c in bare if (ord(c) < 32 and c != "\n") or 0x7F <= ord(c) < 0xA0]
    assert not set(bare) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028")
    for line in bare.split("\n"):
        assert cell_len(line) <= width, line


def test_words_of_others_are_never_markup():
    told = shown(*hostile_events(), ev.TextEvent(content="[bold]x[/bold] :smile:", is_final=True))
    assert "[bold]x[/bold] :smile:" in told


@given(st.lists(events() | st.sampled_from(hostile_events()), max_size=12), st.integers(40, 90))
@settings(max_examples=150, deadline=None)
def test_no_event_steers_the_terminal_or_leaves_the_screen(given: list[Event], width: int):
    look = Look(width_cells=width, links=True)
    transcript = a_transcript(look)
    told = ""
    for event in given:
        told += text_of(transcript.show(event), look) + text_of([transcript.live()], look)
    for number in range(1, transcript.last_folded + 1):
        told += text_of(transcript.unfold(number), look)
    assert_harmless(told, width)


def test_the_live_part_leaves_room_for_the_prompt():
    rows: list[Event] = [call("shell", str(n), command=f"job {n}") for n in range(30)]
    text = ev.TextEvent(content="\n".join(f"line {n}" for n in range(50)))
    look = Look(width_cells=60, height_rows=24, plain=True)
    drawn = live(STARTED, *rows, text, look=look).splitlines()
    assert len(drawn) <= 24 - 8
    assert "line 49" in drawn[-10]
    assert "… 22 more lines" in drawn[-1]
