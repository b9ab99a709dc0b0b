"""An export tells what happened, and nothing in it is more than text."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from dataagent_core.events import (
    DoneEvent,
    ErrorEvent,
    Event,
    FileOperationEvent,
    HITLAnswerEvent,
    HITLRequestEvent,
    RunResumedEvent,
    RunStartedEvent,
    StepEndEvent,
    StepStartEvent,
    TextEvent,
    ToolCallEvent,
    ToolResultEvent,
    WorkPlanEvent,
    from_dict,
)
from dataagent_core.session import Message, Session
from dataagent_core.session.export import (
    ExportedSession,
    html_page,
    json_document,
    markdown_document,
    turns_of,
)
from dataagent_core.session.export.read_session import read_session_for_export
from dataagent_core.session.export.turns import ToolCallPart
from dataagent_core.session.stores.memory import MemoryEventLog, MemoryMessageStore
from dataagent_core.testing.strategies import events as any_events

SESSION = Session(session_id="s1", user_id="ada", assistant_id="helper")
EVIL = "</pre></details><script>alert(1)</script><img src=x onerror=alert(1)>\n```\n<b>\n![p](http://e/)"


def exported(*events: Event, question: str = "How much?", title: str = "Sales") -> ExportedSession:
    message = Message(message_id="r:m0", session_id="s1", role="user", content=question)
    told = [RunStartedEvent(message_id="r:m0", model="openai:gpt"), *events]
    numbered = [
        from_dict({**event.to_dict(), "run_id": "r", "session_id": "s1", "seq": number})
        for number, event in enumerate(told, 1)
    ]
    return ExportedSession(session=SESSION, title=title, messages=[message], events=numbered)


A_RUN = (
    TextEvent(content="I will "),
    TextEvent(content="I will look.", is_final=True),
    ToolCallEvent(tool_name="shell", tool_args={"command": "ls"}, tool_call_id="c"),
    ToolResultEvent(tool_name="shell", tool_call_id="c", result="a.txt"),
    FileOperationEvent(operation="write", file_path="/b.txt", diff="+new"),
    TextEvent(content="It is **42**.", is_final=True, unsourced=[{"text": "42"}]),
    DoneEvent(content="It is **42**."),
)


class Tags(HTMLParser):
    """Collects what a browser would build."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]


OURS = {
    "html", "head", "meta", "title", "style", "body", "header", "main", "section", "h1", "p",
    "div", "details", "summary", "pre", "ul", "li", "span",
}  # fmt: skip


def only_ours(page: str) -> bool:
    read = Tags()
    read.feed(page)
    shown = {"lang", "charset", "name", "content", "http-equiv", "class", "aria-label"}
    return set(read.tags) <= OURS and set(read.attributes) <= shown


@pytest.mark.requirement("F8-export")
def test_markdown_tells_question_steps_and_answer():
    text = markdown_document(exported(*A_RUN))
    assert text.startswith("# Sales\n")
    assert "> How much?" in text
    assert "I will look." in text
    assert text.count("I will") == 1
    assert '```json\n{\n  "command": "ls"\n}\n```' in text
    assert "```\na.txt\n```" in text
    assert "```diff\n+new\n```" in text
    assert "It is **42**.\n\n*1 figures here have no source.*" in text
    assert "not finished" not in text


def test_calls_of_one_id_in_several_sub_agents_keep_their_own_results():
    def call(by: str) -> ToolCallEvent:
        args: dict[str, JsonValue] = {"path": by}
        return ToolCallEvent(
            tool_name="ls",
            tool_args=args,
            tool_call_id="call_0",
            subagent=f"S-{by}",
            subagent_id=by,
        )

    def result(by: str) -> ToolResultEvent:
        return ToolResultEvent(
            tool_name="ls", tool_call_id="call_0", result=f"of {by}", subagent_id=by
        )

    both = (call("one"), call("two"), result("one"), result("two"))
    steps = turns_of(exported(*both, DoneEvent()))[0].steps
    found = [(s.args["path"], s.result) for s in steps if isinstance(s, ToolCallPart)]
    assert found == [("one", "of one"), ("two", "of two")]
    for text in (markdown_document(exported(*both)), html_page(exported(*both))):
        assert "ls (success, by S-one)" in text
        assert "ls (success, by S-two)" in text
    # One that a crash cut off is left out, though another one of its id has a result.
    resumed = RunResumedEvent(attempt=2, discard_after=1)
    cut = (call("one"), call("two"), result("two"), resumed, DoneEvent())
    steps = turns_of(exported(*cut))[0].steps
    assert [s.result for s in steps if isinstance(s, ToolCallPart)] == ["of two"]


def planned(text: str) -> ExportedSession:
    steps: list[dict[str, JsonValue]] = [
        {"step_number": 1, "description": text, "assigned_agent": text},
        {"step_number": 3, "description": "fill", "status": "skipped"},
        {"step_number": 2, "description": "pour"},
    ]
    made = WorkPlanEvent(plan_id="r", steps=steps[:1])
    edited = WorkPlanEvent(plan_id="r", steps=steps, version=2, change="edited", reason=text)
    begun = StepStartEvent(plan_id="r", step_number=2, agent="helper")
    ended = StepEndEvent(plan_id="r", step_number=1, status="failed", success=False, result=text)
    # A person changes the plan of a run in an event that belongs to none.
    log = exported(made, edited, begun, ended, begun)
    events = [
        replace(event, run_id="")
        if isinstance(event, WorkPlanEvent) and event.change == "edited"
        else event
        for event in log.events
    ]
    return replace(log, events=events)


def test_a_work_plan_is_told_with_what_came_of_its_steps():
    assert (
        "**Plan**, in progress: `why`\n\n"
        "- `1` `why`, `failed, why`: `why`\n"
        "- `3` `fill`, `skipped`\n"
        "- `2` `pour`, `in progress, helper`\n"
    ) in markdown_document(planned("why"))
    page = html_page(planned("why"))
    assert '<li>1. why <span class="meta">failed, why: why</span></li>' in page
    assert '<li>2. pour <span class="meta">in progress, helper</span></li>' in page


def test_a_hostile_work_plan_is_text_in_every_format():
    assert only_ours(html_page(planned(EVIL)))
    text = markdown_document(planned(EVIL))
    assert all(line.startswith(("- `", "**Plan**")) for line in text.split("\n") if "<b>" in line)
    assert json.loads(json_document(planned(EVIL)))["events"][1]["steps"][0]["description"] == EVIL


def test_an_unfinished_or_failed_run_says_so_in_every_format():
    waiting = exported(TextEvent(content="half an ans"))
    assert turns_of(waiting)[0].reason is None
    for text in (markdown_document(waiting), html_page(waiting)):
        assert "not finished" in text
    failed = exported(ErrorEvent(error="no <b>model"), DoneEvent(reason="error"))
    assert "no <b>model" in markdown_document(failed)
    assert "no &lt;b&gt;model" in html_page(failed)
    assert "The run ended: error." in html_page(failed)


def test_what_a_resumed_run_took_back_is_not_told():
    told = exported(
        TextEvent(content="lost words"),
        ToolCallEvent(tool_name="shell", tool_call_id="void"),
        RunResumedEvent(attempt=2, discard_after=1),
        TextEvent(content="new words", is_final=True),
        DoneEvent(),
    )
    text = markdown_document(told)
    assert ("lost words" in text, "shell" in text, "new words" in text) == (False, False, True)


@pytest.mark.requirement("F8-export")
def test_what_a_tool_returned_stays_text_in_markdown_and_html():
    hostile = exported(
        ToolCallEvent(tool_name=EVIL, tool_args={"x": EVIL}, tool_call_id="c"),
        ToolResultEvent(tool_name=EVIL, tool_call_id="c", result=EVIL, status=EVIL),
        FileOperationEvent(operation=EVIL, file_path=EVIL, diff=EVIL),
        ErrorEvent(error=EVIL),
        TextEvent(content=EVIL, is_final=True),
        DoneEvent(),
        question=EVIL,
        title=EVIL,
    )
    assert only_ours(html_page(hostile))
    assert "http" not in html_page(hostile).replace("http://e/", "").replace("http-equiv", "")
    lines = markdown_document(hostile).split("\n")
    # Where a fence is open, HTML is text; elsewhere there is none but ours.
    fence = ""
    for line in lines:
        mark = line.lstrip("> ")
        if fence:
            fence = "" if mark == fence else fence
        elif mark.startswith("```"):
            fence = mark.rstrip("abcdefghijklmnopqrstuvwxyz")
        else:
            outside = re.sub("`[^`]*`", "", line)
            for ours in ("<details><summary>", "</summary>", "</details>"):
                outside = outside.replace(ours, "")
            assert "<" not in outside, line
            assert "![" not in outside.replace(r"\![", ""), line
    assert fence == ""


@given(events=st.lists(any_events(), max_size=8), text=st.text(max_size=60))
def test_whatever_happened_can_be_exported_and_only_our_html_is_in_it(
    events: list[Event], text: str
):
    told = exported(*events, question=text, title=text)
    assert only_ours(html_page(told))
    html_page(told).encode()
    markdown_document(told).encode()
    document = json.loads(json_document(told))
    assert (document["format"], document["version"]) == ("dataagent.session", 1)
    assert [from_dict(event) for event in document["events"]] == list(told.events)


async def test_an_export_keeps_no_credentials_and_no_places_of_the_machine():
    log, messages = MemoryEventLog(), MemoryMessageStore()
    where = {"workspace": "/home/ada/private"}
    await messages.save_message("s1", "user", "hi", where, message_id="r:m0")
    secret: dict[str, JsonValue] = {"type": "answer", "answer": {"password": "hunter2"}}
    await log.append(
        "s1",
        "r",
        [
            RunStartedEvent(message_id="r:m0"),
            HITLRequestEvent(interrupt_id="i", kind="elicitation", question="password?"),
            HITLAnswerEvent(interrupt_id="i", kind="elicitation", decision=secret),
            HITLRequestEvent(kind="oauth", context="https://login/?state=hunter2"),
        ],
    )
    told = await read_session_for_export(messages, log, SESSION)
    assert told.title == "hi"
    for text in (json_document(told), markdown_document(told), html_page(told)):
        assert ("hunter2" in text, "/home/ada" in text) == (False, False)
    assert "password?" in json_document(told)
