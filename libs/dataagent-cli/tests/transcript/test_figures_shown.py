"""The lines below an answer: the sources of its figures, and figures without a source."""

import io

import pytest

from dataagent_cli.messages import Messages
from dataagent_cli.output.streams import Output
from dataagent_cli.transcript.figures import UNSOURCED_SHOWN_MAX, figure_lines
from dataagent_cli.transcript.run_printer import TextPrinter
from dataagent_core.events import DoneEvent, Event, TextEvent, ToolCallEvent
from dataagent_core.language import Language

RESULT = "r_ab12cd34ef56"
ANSWER = TextEvent(
    content="East had 120 of 200 orders, 42%.",
    is_final=True,
    figures=[
        {"text": "120", "result_id": RESULT, "derivation": "cell", "class": "result"},
        {"text": "200", "result_id": RESULT, "derivation": "sum", "class": "result"},
        {
            "text": "7",
            "result_id": None,
            "derivation": "output",
            "detail": "seen in the output of code_executor",
        },
    ],
    unsourced=[{"text": "42%", "start": 28, "end": 31, "reason": "not_found"}],
)


def shown(*events: Event, language: Language = "en") -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    printer = TextPrinter(Output(out, err, {}), Messages(language), set())
    for event in events:
        printer.show(event)
    return out.getvalue(), err.getvalue()


@pytest.mark.parametrize(
    ("language", "traced", "unsourced"),
    [
        (
            "en",
            f"figures traced: 3 ({RESULT}: cell, sum; seen in the output of code_executor)",
            "? figures without a source: 1 (42%)",
        ),
        ("zh", "单元格, 合计", "没有来源的数字"),
    ],
)
def test_the_sources_stand_below_the_answer_and_not_in_it(
    language: Language, traced: str, unsourced: str
):
    done = DoneEvent(reason="completed", content=ANSWER.content)
    out, err = shown(ANSWER, done, language=language)
    assert out == f"{ANSWER.content}\n"
    assert traced in err
    assert unsourced in err


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "? no query ran, not verified: 1 figure (45,300)"),
        ("zh", "? 没有运行查询,未经核实的数字:1 个(45,300)"),
    ],
)
def test_a_figure_of_an_answer_without_a_query_is_said_to_be_unverified(
    language: Language, line: str
):
    answer = TextEvent(
        content="Revenue in March was 45,300.",
        is_final=True,
        unsourced=[{"text": "45,300", "start": 21, "end": 27, "reason": "no_query"}],
    )
    done = DoneEvent(reason="completed", content=answer.content)
    _, err = shown(answer, done, language=language)
    assert line in err


def test_an_answer_without_figures_says_nothing():
    done = DoneEvent(reason="completed", content="Hello.")
    _, err = shown(TextEvent(content="Hello.", is_final=True), done)
    assert "figures" not in err


def test_a_remarks_figures_are_not_the_answers():
    call = ToolCallEvent(tool_name="ls", tool_call_id="c")
    done = DoneEvent(reason="completed", content="Hello.")
    _, err = shown(ANSWER, call, TextEvent(content="Hello.", is_final=True), done)
    assert "figures" not in err


def test_what_an_event_holds_cannot_move_the_terminal():
    evil = TextEvent(is_final=True, unsourced=[{"text": "4\x1b[2J2\n"}], figures=["odd", None, 3])
    text = "".join(line.text for line in figure_lines(evil, Messages("en")))
    assert "\x1b" not in text
    assert "\n" not in text


def test_many_figures_without_a_source_are_cut():
    many = TextEvent(is_final=True, unsourced=[{"text": str(n)} for n in range(100)])
    (line,) = figure_lines(many, Messages("en"))
    assert line.text.count(",") == UNSOURCED_SHOWN_MAX - 1
    assert "…" in line.text


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "≈ value found, meaning not checked: 1 (80)"),
        ("zh", "≈ 找到数值,未核对含义:1 个(80)"),
    ],
)
def test_a_figure_whose_meaning_was_not_checked_stands_apart(language: Language, said: str):
    answer = TextEvent(
        is_final=True,
        figures=[
            {"text": "120", "result_id": RESULT, "derivation": "cell", "class": "result"},
            {"text": "80", "result_id": RESULT, "derivation": "cell", "class": "value"},
        ],
    )
    traced, value = figure_lines(answer, Messages(language))
    assert "1 (" in traced.text or "1 个" in traced.text
    assert value.text == said
