"""Sample events, and their transcript as plain text."""

import io
import re
from collections.abc import Iterable

from rich.console import RenderableType

from dataagent_cli.messages import Messages
from dataagent_cli.transcript.terminal.console import console_for
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle
from dataagent_cli.transcript.transcript import Transcript
from dataagent_core import events as ev
from dataagent_core.events import Event
from dataagent_core.language import Language

NOW_S = 100.0
SEQUENCE = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;[^\x1b]*\x1b\\")
PLAIN = TerminalStyle(width_cells=60, plain=True)


def a_transcript(look: TerminalStyle = PLAIN, language: Language = "en") -> Transcript:
    return Transcript(Messages(language), look, clock=lambda: NOW_S)


def text_of(parts: Iterable[RenderableType | None], look: TerminalStyle = PLAIN) -> str:
    file = io.StringIO()
    console = console_for(look, file)
    for part in parts:
        if part is not None:
            console.print(part)
    return file.getvalue()


def shown(*given: Event, look: TerminalStyle = PLAIN, language: Language = "en") -> str:
    transcript = a_transcript(look, language)
    return text_of([part for event in given for part in transcript.show(event)], look)


def live(*given: Event, look: TerminalStyle = PLAIN) -> str:
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
# A whole run with almost every kind of event.
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
    ev.FeedbackEvent(rating="down", correction="by region", target_run_id="run"),
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
