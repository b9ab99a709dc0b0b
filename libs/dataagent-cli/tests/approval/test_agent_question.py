"""What a person types at a question, and what it means."""

import asyncio
import sys
from dataclasses import replace
from typing import Any

import pytest
from rich.cells import cell_len

from dataagent_cli.approval.action_lines import question_lines
from dataagent_cli.approval.agent_question import answer_from, option_labels, show_question
from dataagent_cli.approval.decider import Decider
from dataagent_cli.approval.dialogue import Dialogue
from dataagent_cli.approval.question_box import QuestionBox
from dataagent_cli.approval.questions import OpenQuestions
from dataagent_cli.approval.rule import ApprovalRule
from dataagent_cli.conversation.workbench import QuestionServices
from dataagent_cli.messages import Messages
from dataagent_cli.output.streams import Output
from dataagent_cli.transcript.calls.task_names import TaskName
from dataagent_core.errors import NoOneToAskError
from dataagent_core.events import HITLRequestEvent, SubAgentEvent
from dataagent_core.events.hitl import HumanRequestKind
from dataagent_core.hitl import Decision

OPTIONS: list[dict[str, Any]] = [
    {"label": "Fast", "description": "less exact"},
    {"label": "Exact", "description": "slower", "is_recommended": True},
]


def question(**changes: Any) -> HITLRequestEvent:
    values: dict[str, Any] = {"kind": "decision", "options": OPTIONS, "required": False, **changes}
    return HITLRequestEvent(interrupt_id="i", question="How?", **values)


@pytest.mark.requirement("S2-6.5.5")
def test_a_person_is_asked_about_a_pattern_in_their_own_language(
    capsys: pytest.CaptureFixture[str],
):
    text = (
        "This was done before with success. Again that way?\n\nSales of {date}\n"
        "It succeeded 3 of 4 times.\n1. sql_query\nA person corrected: net"
    )
    asked = HITLRequestEvent(
        interrupt_id="i",
        kind="clarification",
        question=text,
        question_type="pattern",
        options=[
            {"label": "Do it that way", "description": "Take over.", "is_recommended": True},
            {"label": "Work it out anew", "description": "Leave it."},
        ],
    )
    show_question(asked, option_labels(asked), Output.of_process(), Messages("zh"))
    shown = capsys.readouterr().err
    for said in (
        "仍按那样做吗",
        "共 4 次,其中成功 3 次",
        "人工纠正:net",
        "按以往的做法",
        "重新处理",
    ):
        assert said in shown
    assert "Do it that way" not in shown
    # The answer stays in the engine's words.
    assert answer_from("1", asked, option_labels(asked)) == {
        "type": "answer",
        "answer": "Do it that way",
    }


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("1", "Fast"),
        ("2", "Exact"),
        ("", "Exact"),
        ("neither", "neither"),
        ("1 x", "1 x"),
        ("2025 is fine", "2025 is fine"),
    ],
)
@pytest.mark.requirement("F8-3-questions")
def test_a_number_chooses_nothing_takes_the_recommended_and_words_are_the_answer(
    typed: str, answer: str
):
    asked = question()
    assert answer_from(typed, asked, option_labels(asked)) == {"type": "answer", "answer": answer}


def test_several_numbers_choose_several_where_that_is_allowed():
    asked = question(allow_multiple=True)
    decision = answer_from("1, 2", asked, option_labels(asked))
    assert decision == {"type": "answer", "answer": ["Fast", "Exact"]}


@pytest.mark.parametrize("typed", ["3", "0", "1 3", "1, 2", "9" * 5_000])
def test_a_number_that_names_no_option_is_not_taken_for_words(typed: str):
    asked = question()
    assert answer_from(typed, asked, option_labels(asked)) is None


def test_a_loop_is_not_corrected_with_a_number_that_names_no_way():
    asked = question(kind="doom_loop", options=[])
    assert answer_from("9", asked, option_labels(asked)) is None


def test_a_number_answers_a_question_that_has_no_options():
    asked = question(options=[], required=True)
    assert answer_from("7", asked, []) == {"type": "answer", "answer": "7"}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_where_several_may_be_chosen_the_question_says_how(
    capsys: pytest.CaptureFixture[str], language: Any
):
    said = Messages(language)
    for several in (True, False):
        asked = question(allow_multiple=several)
        show_question(asked, option_labels(asked), Output.of_process(), said)
        assert ("1, 2" in capsys.readouterr().err) is several


def test_an_empty_answer_to_a_required_question_is_none():
    asked = question(required=True)
    assert answer_from("", asked, option_labels(asked)) is None


@pytest.mark.parametrize(
    ("typed", "decision"),
    [
        ("1", {"type": "stop"}),
        ("continue", {"type": "continue"}),
        ("look in /src", {"type": "correct", "message": "look in /src"}),
    ],
)
def test_a_loop_is_stopped_continued_or_corrected(typed: str, decision: dict[str, str]):
    asked = question(kind="doom_loop", options=[])
    assert answer_from(typed, asked, option_labels(asked)) == decision


@pytest.mark.requirement("F8-3-questions")
def test_the_question_shows_its_options_and_hides_no_control_characters(
    capsys: pytest.CaptureFixture[str],
):
    asked = question(options=[{"label": "a\x1b[2Jb", "is_recommended": True}])
    show_question(asked, option_labels(asked), Output.of_process(), Messages("en"))
    shown = capsys.readouterr().err
    assert "How?" in shown
    assert "(recommended)" in shown
    assert "\x1b[2J" not in shown


def test_a_yes_in_advance_does_not_cover_doing_something_twice():
    rule = ApprovalRule(everything=True)
    action: Any = {"name": "shell", "args": {}, "description": ""}
    assert rule.covers(action)
    action["unknown_outcome"] = True
    assert not rule.covers(action)


def test_a_yes_in_advance_does_not_cover_what_is_always_asked():
    rule = ApprovalRule(everything=True, tools=frozenset({"sql_write"}))
    action: Any = {"name": "sql_write", "args": {}, "description": "", "always_asked": True}
    assert not rule.covers(action)


async def test_what_is_always_asked_waits_where_nobody_is(capsys: pytest.CaptureFixture[str]):
    rule = ApprovalRule(everything=True, alone=True)
    decider = Decider(rule, None, Output.of_process(), Messages("en"))
    action: Any = {"name": "sql_write", "args": {}, "description": "", "always_asked": True}
    with pytest.raises(NoOneToAskError):
        await decider.decide(HITLRequestEvent(kind="approval", action_requests=[action]))
    assert capsys.readouterr().out == ""


def test_the_ways_on_from_a_plan_are_said_in_the_persons_language(
    capsys: pytest.CaptureFixture[str],
):
    labels = ["Accept, ask me first", "Accept, go ahead", "Keep planning", "a way of its own"]
    options = [{"label": label, "description": "in English"} for label in labels]
    asked = question(question_type="plan", options=options)
    show_question(asked, labels, Output.of_process(), Messages("zh"))
    shown = capsys.readouterr().err
    assert "接受,先问我" in shown
    assert "继续规划" in shown
    assert shown.count("in English") == 1
    # What is sent is the option itself, whatever it is called on the screen.
    assert answer_from("1", asked, labels) == {"type": "answer", "answer": labels[0]}


def test_the_ways_on_from_a_work_plan_and_its_steps_are_said_in_the_persons_language(
    capsys: pytest.CaptureFixture[str],
):
    say, output = Messages("zh"), Output.of_process()
    for number, kind, labels, words in (
        (None, "work_plan", ["Go ahead", "Work without a plan"], "按计划执行"),
        (2, "risk", ["Continue", "Skip this step"], "跳过此步骤"),
    ):
        options = [{"label": label, "description": "in English"} for label in labels]
        asked = replace(
            question(question_type=kind, options=options, step_number=number),
            question="Do it?\n\n1. dig",
        )
        show_question(asked, labels, output, say)
        shown = capsys.readouterr().err
        assert words in shown
        assert "1. dig" in shown
        assert "in English" not in shown
        assert answer_from("2", asked, labels) == {"type": "answer", "answer": labels[1]}


def test_a_decision_that_the_agent_asks_for_stays_in_its_words(
    capsys: pytest.CaptureFixture[str],
):
    asked = question(question_type="risk", options=[{"label": "Continue"}])
    show_question(asked, ["Continue"], Output.of_process(), Messages("zh"))
    assert "Continue" in capsys.readouterr().err


def test_a_tool_from_outside_is_asked_about_with_what_its_server_says_of_it():
    says = "This is the tool 'send' of the MCP server 'mail'. The server says of it: 'Sends mail.'"
    action: Any = {
        "name": "mcp__local_mail__send",
        "args": {"to": "a\nb"},
        "description": f"mcp__local_mail__send(to='a\nb')\n{says}",
        "version": "1",
    }
    lines = [line.text for line in question_lines(action, None, Messages("en"), 60)]
    assert "Sends mail." in " ".join(line.removeprefix("│ ") for line in lines)
    assert sum("mcp__local_mail__send" in line for line in lines) == 0
    del action["version"]
    assert "Sends mail." not in " ".join(
        line.text for line in question_lines(action, None, Messages("en"), 60)
    )


class Yes:
    """A keyboard at which yes is typed, and the conversation that takes the answer."""

    def __init__(self) -> None:
        self.answered = asyncio.Event()

    def forget_what_was_typed(self) -> None: ...

    async def line(self, begun: str = "") -> str | None:
        del begun
        return "y"

    async def answer(self, interrupt_id: str, decision: Decision) -> None:
        del interrupt_id, decision
        self.answered.set()


def asks(kind: HumanRequestKind, task_id: str) -> HITLRequestEvent:
    action: dict[str, Any] = {"name": "shell", "args": {"command": "make"}, "subagent": "coder"}
    return HITLRequestEvent(
        interrupt_id="i", kind=kind, action_requests=[action], question="?", subagent_id=task_id
    )


@pytest.mark.parametrize(
    ("request_", "heading"),
    [
        (
            asks("approval", "m:1"),
            "╭ shell (coder) asks for your approval\n│ (for the task: one)\n",
        ),
        (
            asks("approval", "m:2"),
            "╭ shell (coder (2)) asks for your approval\n│ (for the task: two)",
        ),
        (asks("doom_loop", "m:2"), "╭ the agent repeats itself (coder (2))\n"),
    ],
)
async def test_a_question_says_which_of_two_tasks_of_one_sub_agent_asks(
    request_: HITLRequestEvent, heading: str, capsys: pytest.CaptureFixture[str]
):
    person, said, output = Yes(), Messages("en"), Output.of_process()
    there: Any = person

    async def make() -> Dialogue:
        services = QuestionServices(there, None, there)
        return Dialogue(there, services, there, output=output, say=said, previewed=set())

    questions = OpenQuestions(there, Decider(ApprovalRule(), make, output, said), output, said)
    for number, task in enumerate(("one", "two"), 1):
        task_id = f"m:{number}"
        questions.see(SubAgentEvent(phase="started", name="coder", task=task, subagent_id=task_id))
    questions.see(request_)
    asking = asyncio.create_task(questions.run())
    await person.answered.wait()
    asking.cancel()
    assert heading in capsys.readouterr().err


@pytest.mark.parametrize("width_cells", [40, 80])
def test_the_task_of_an_approval_is_folded_behind_the_bar(width_cells: int):
    action: Any = {"name": "shell", "args": {"command": "make"}, "description": ""}
    task = TaskName("coder", "look at 一切 " * 50)
    lines = question_lines(action, None, Messages("en"), width_cells, task)
    assert all(line.text.startswith("│ ") for line in lines)
    assert max(cell_len(line.text) for line in lines) <= width_cells
    assert len(lines) <= 6


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_choices_of_a_question_fit_a_narrow_terminal(
    language: Any, capsys: pytest.CaptureFixture[str]
):
    class Narrow(Output):
        @property
        def width_cells(self) -> int:
            return 40

    said, narrow = Messages(language), Narrow(sys.stdout, sys.stderr, {})
    QuestionBox("mcp__server__a_tool_of_others 请求批准 " * 2, [], narrow, said).show()
    shown = capsys.readouterr().err.strip().splitlines()
    assert max(map(cell_len, shown)) <= 40
    assert all(line[0] in "╭│├╰" for line in shown)
    assert [line[0] for line in shown].count("╰") == 1
    # No key is separated from its meaning.
    assert all(line.rstrip()[-1] != "]" for line in shown)
