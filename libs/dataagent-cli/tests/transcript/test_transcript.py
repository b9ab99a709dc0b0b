"""A conversation's events on the screen."""

import re

import pytest
from transcripts import (
    PLAIN,
    SEQUENCE,
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
from dataagent_cli.transcript.limits import SAID_LINES_MAX
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle
from dataagent_core import events as ev

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
  1 [>] first
  2 [ ] second
✗ fetch http://a.b · no such host · 1.2 s #4
plan 1/2 second
✗ not done · run rm x · not that
mode: plan, reads only
rated as not helpful · by region
↻ trying again in 2.0 s (1): 429
! warning: half of the budget is used
the history was shortened for the model: 40 messages to 8

42 of 43.

figures traced: 1 (r_1: sum)
? figures without a source: 1 (43)
done · 40.0 s · 1,234 tokens · $0.0123
"""


def test_a_long_message_is_shown_by_its_first_lines_and_unfolds_whole():
    transcript = a_transcript()
    text = "\n".join(f"row {number}" for number in range(1, 301))
    told = text_of(transcript.user_message(text))
    assert len(told.splitlines()) == SAID_LINES_MAX + 1
    assert f"row {SAID_LINES_MAX}\n" in told
    assert f"… {300 - SAID_LINES_MAX} more lines (/unfold 1)" in told
    assert "row 300" in text_of(transcript.unfold(1))
    short = "\n".join(f"row {number}" for number in range(1, SAID_LINES_MAX + 1))
    assert len(text_of(a_transcript().user_message(short)).splitlines()) == SAID_LINES_MAX


def test_a_sentence_about_the_run_is_broken_between_words_and_not_cut():
    reason = "the provider has more requests than it can answer at the moment and asks to wait"
    told = shown(ev.RetryEvent(attempt=1, delay_s=2.0, reason=reason))
    assert "…" not in told
    assert " ".join(told.split()).endswith(reason)
    assert all(len(line) <= PLAIN.width_cells for line in told.splitlines())


@pytest.mark.requirement("F8-1-transcript")
def test_a_run_stands_on_the_screen():
    assert shown(*WALK) == SCREEN


def test_a_run_says_the_same_with_colours_without_and_in_ascii():
    coloured = shown(*WALK, look=TerminalStyle(width_cells=60))
    assert "\x1b[32m✓" in coloured
    assert "\x1b[31m-" in coloured
    assert SEQUENCE.sub("", coloured) == SCREEN
    no_colours = shown(*WALK, look=TerminalStyle(width_cells=60, colours=False))
    assert not re.search(r"\x1b\[(?:\d+;)*[349]\d", no_colours)
    assert SEQUENCE.sub("", no_colours) == SCREEN
    dumb = shown(*WALK, look=TerminalStyle(width_cells=60, plain=True, unicode=False))
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


@pytest.mark.requirement("F16-B6-approval-timeout")
def test_a_run_that_nobody_answered_in_time_says_so():
    error = ev.ErrorEvent(error="Nobody answered within 60 s.", code="APPROVAL_TIMEOUT")
    told = shown(STARTED, error, ev.DoneEvent(timestamp=11.0, reason="rejected", cancelled=True))
    assert told.startswith("✗ error: Nobody answered within 60 s.\n")
    assert Messages("en")("ended.rejected") in told


def test_a_question_waits_in_the_live_part_until_it_is_answered():
    asked = ev.HITLRequestEvent(interrupt_id="q", kind="clarification", question="Which year?")
    answer = ev.HITLAnswerEvent(
        interrupt_id="q", kind="clarification", decision={"type": "answer", "answer": "2025"}
    )
    assert live(asked) == "? waits for you: Which year?\n"
    transcript = a_transcript()
    transcript.show(asked)
    # While it is asked, it is above already and not repeated.
    assert transcript.live(asking=True) is None
    assert live(asked, answer) == ""
    assert shown(asked, answer) == "✓ answered · Which year? · 2025\n"


def test_what_the_person_said_stands_above_the_answer():
    transcript = a_transcript()
    said = text_of(transcript.user_message("one\ntwo\x1b[2J"))
    assert said == "\u203a one\n  two\n"
    answer = ev.TextEvent(content="yes", is_final=True)
    assert text_of(transcript.show(answer)) == "\nyes\n"
