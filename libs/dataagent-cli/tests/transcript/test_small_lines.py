"""Lines about patterns, feedback and memories: each says what it is, and what can be done about it."""

from typing import Any

import pytest
from transcripts import PLAIN, text_of

from dataagent_cli.messages import Messages
from dataagent_cli.transcript.memory_lines import say_memory
from dataagent_cli.transcript.transcript import Transcript
from dataagent_core import events as ev

PATTERN = "16831b67af9f54859b21524ac030359c"


def told(event: ev.Event, language: Any = "en", *, on_server: bool = False) -> str:
    transcript = Transcript(Messages(language), PLAIN, on_server=on_server)
    return " ".join(text_of(transcript.show(event)).split())


@pytest.mark.parametrize(
    ("mode", "line", "command"),
    [
        ("offered", "an earlier way of working fits (87%)", "patterns show 16831b67"),
        ("hint", "the model is told of earlier work like this (87%)", "patterns show 16831b67"),
        ("used", "works as the pattern 16831b67 says", ""),
        ("workflow", "runs as the workflow of the pattern 16831b67", ""),
        ("repeated", "was done several times in the same way", "patterns compile 16831b67"),
        ("newer", "the model is told of earlier work like this (87%)", "patterns show 16831b67"),
    ],
)
def test_what_becomes_of_a_pattern_is_one_line_with_the_next_step(
    mode: str, line: str, command: str
):
    event = ev.PatternEvent(pattern_id=PATTERN, similarity=0.87, mode=mode)
    here, there = told(event), told(event, on_server=True)
    assert line in here
    assert line in there
    assert command in here
    # The patterns of a server are not in the list of this machine.
    assert "dataagent patterns" not in there
    assert "dataagent patterns" not in told(event, "zh", on_server=True)


def test_a_pattern_of_a_hostile_log_draws_nothing():
    event = ev.PatternEvent(pattern_id="\x1b[2J\u202e\n" * 50, mode="\x1b[2J")
    assert "\x1b" not in told(event)
    assert "\u202e" not in told(event)


@pytest.mark.parametrize(
    ("kind", "question", "answer", "line"),
    [
        (
            "work_plan",
            "Carry out this plan? (4 steps)\n1. dig",
            "Go ahead",
            "执行此计划?(4 个步骤) · 按计划执行",
        ),
        (
            "pattern",
            "This was done before with success. Again that way?",
            "Work it out anew",
            "仍按那样做吗? · 重新处理",
        ),
        ("scope", "Go ahead", "Go ahead", "Go ahead · Go ahead"),
    ],
)
def test_an_answered_question_of_ours_stays_in_the_language_of_the_person(
    kind: str, question: str, answer: str, line: str
):
    transcript = Transcript(Messages("zh"), PLAIN)
    transcript.show(
        ev.HITLRequestEvent(
            interrupt_id="i", kind="clarification", question=question, question_type=kind
        )
    )
    answered = ev.HITLAnswerEvent(interrupt_id="i", decision={"type": "answer", "answer": answer})
    assert line in " ".join(text_of(transcript.show(answered)).split())


@pytest.mark.parametrize(
    ("rating", "correction", "line"),
    [
        ("up", "", "rated as helpful"),
        ("down", "net,\nnot \x1b[2Jgross", "rated as not helpful · net, not"),
        ("", "use 2026", "corrected · use 2026"),
        ("", "", "the rating is taken back"),
    ],
)
def test_feedback_is_one_line(rating: Any, correction: str, line: str):
    shown = told(ev.FeedbackEvent(rating=rating, correction=correction))
    assert line in shown
    assert "\x1b" not in shown


USED: dict[str, Any] = {
    "id": "m1",
    "content": "I live in\nBasel\x1b[2J",
    "recorded_at": "2026-11-12T08:00:00+00:00",
    "source": {"kind": "conversation", "speaker": ""},
}


@pytest.mark.parametrize(
    ("memory", "line"),
    [
        (USED, "I live in Basel (you said so, 2026-11-12)"),
        (USED | {"source": {"kind": "manual"}}, "I live in Basel (added by hand, 2026-11-12)"),
        (
            USED | {"is_tainted": True, "source": {"kind": "tool_result", "tool": "fetch_url"}},
            "I live in Basel (fetch_url says so, 2026-11-12)",
        ),
        ({"content": "x", "source": None}, "x (you said so)"),
        ({"id": "m1", "is_gone": True}, "forgotten, or another person's"),
    ],
)
def test_a_memory_names_its_source_or_says_that_it_is_gone(memory: Any, line: str):
    assert say_memory(memory, Messages("en")) == line


def test_of_memories_that_were_recalled_only_their_number_is_told():
    recalled = ev.MemoryRecalledEvent(memories=[USED, USED | {"id": "m2"}])
    assert told(recalled).endswith("2 memories used (/memory shows them)")
    assert told(recalled, "zh").endswith("使用了 2 条记忆(/memory 可查看)")
    assert "Basel" not in told(recalled)
    assert told(ev.MemoryRecalledEvent()) == ""
    assert told(ev.MemoryRecalledEvent(tool="memory_search", memories=[USED])) == ""


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (ev.MemoryChangedEvent(content="I live in Basel"), "remembered: I live in Basel"),
        (ev.MemoryChangedEvent(change="merged", content="x"), ""),
        (ev.MemoryChangedEvent(change="merged", content="x", by="me"), "known already: x"),
        (ev.MemoryChangedEvent(change="refused", code="secret", reason="why"), "remembered: why"),
        (ev.MemoryChangedEvent(change="refused", code="ungrounded", reason="why"), ""),
        (ev.MemoryChangedEvent(change="forgotten"), "forgotten"),
        (ev.MemoryChangedEvent(change="retired", content="x", by="me"), "used any more: x"),
        (ev.MemoryChangedEvent(change="retired", by="me"), "that memory is wrong, and not used"),
    ],
)
def test_what_became_of_a_memory_is_one_line(event: ev.Event, line: str):
    assert line in told(event)
    assert bool(told(event)) is bool(line)
