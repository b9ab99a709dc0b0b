"""Turns events into what the screen shows.

What `show` returns is finished and printed once; `live` returns what still changes and is drawn
again above the prompt. The terminal, the clock and the folder are passed in, so an old session that
is read again from its events looks as it did.
"""

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, assert_never

from rich.console import Group, RenderableType
from rich.text import Text

from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import one_line, sanitize_text
from dataagent_cli.output.text_width import cut
from dataagent_cli.transcript.calls.call_lines import render_unfolded
from dataagent_cli.transcript.calls.calls import ToolCalls
from dataagent_cli.transcript.calls.created_files import render_created_files
from dataagent_cli.transcript.calls.folded_items import FoldedItems, FoldedMessage
from dataagent_cli.transcript.calls.plots import Read
from dataagent_cli.transcript.calls.subagents import SubAgents
from dataagent_cli.transcript.figures import figure_lines
from dataagent_cli.transcript.limits import LIVE_ROWS_OF_CALLS_MAX, SAID_LINES_MAX
from dataagent_cli.transcript.markdown.stream import MarkdownStream
from dataagent_cli.transcript.memory_lines import say_changed, say_recalled
from dataagent_cli.transcript.parts import PartWriter, TranscriptPart
from dataagent_cli.transcript.pattern_line import say_pattern
from dataagent_cli.transcript.plan import Plan
from dataagent_cli.transcript.price import format_cost
from dataagent_cli.transcript.rating_line import say_rating
from dataagent_cli.transcript.requests import Requests
from dataagent_cli.transcript.terminal.line_breaks import prefix_lines, wrap_text
from dataagent_cli.transcript.terminal.live_rows import fit_rows
from dataagent_cli.transcript.terminal.symbols import (
    AGAIN,
    AGENT,
    DOT,
    FAILED,
    WARNING,
    YOU,
    draw_symbols,
)
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle
from dataagent_cli.transcript.thoughts import Thoughts
from dataagent_core import events as ev

if TYPE_CHECKING:
    from dataagent_core.events import CostUpdateEvent, DoneEvent, Event


class Transcript:
    """Follows one conversation."""

    def __init__(
        self,
        say: Messages,
        look: TerminalStyle,
        *,
        read: Read | None = None,
        previewed: set[str] | None = None,
        on_server: bool = False,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._on_server = on_server
        self._writer = PartWriter(look)
        self._say = say
        self._read = read
        self._clock = clock
        self._folded = FoldedItems()
        self._answer = MarkdownStream()
        self._thoughts = Thoughts(say, self._folded)
        self._calls = ToolCalls(say, self._folded, previewed if previewed is not None else set())
        self._agents = SubAgents(say, self._folded)
        # The number of the last answer to a question.
        self._answered_seq: int | None = None
        self._requests = Requests(say)
        self._plan = Plan(say)
        # Of the last text; those of a remark are replaced by the answer's.
        self._receipts: list[Text] = []
        self._spent: ev.CostUpdateEvent | None = None
        self._began_s = 0.0
        self._runs = False

    @property
    def look(self) -> TerminalStyle:
        """What the terminal can show now; what is printed already stays as it is."""
        return self._writer.look

    @look.setter
    def look(self, look: TerminalStyle) -> None:
        self._writer.look = look

    @property
    def last_folded(self) -> int:
        """The number of the last folded item; 0 if there is none."""
        return self._folded.last

    def show(self, event: "Event") -> list[RenderableType]:
        """Take an event; return what is finished with it."""
        return _renderables(self.parts(event))

    def parts(self, event: "Event") -> list[TranscriptPart]:
        """Take an event; return the finished parts, the answer separate from the rest."""
        self._agents.see(event)
        waited = [] if isinstance(event, ev.FileOperationEvent) else self._calls.flush(self.look)
        if isinstance(event, ev.TextEvent):
            # The thought before the text is over; the final thought and text come later.
            before = self._writer.notes([*waited, *self._thoughts.ended(self.look)])
            return [*before, *self._text(event)]
        return [*self._writer.notes(waited), *self._other(event)]

    def user_message(self, text: str) -> list[RenderableType]:
        """Return a user message as it is printed above its answer."""
        lines = wrap_text(Text(sanitize_text(text).strip("\n")), self.look.room_cells - 2)
        sign = Text(f"{YOU} ", style="bold")
        more = len(lines) - SAID_LINES_MAX
        if more > 0:
            # A long paste must not push the answer out of sight.
            number = self._folded.keep(FoldedMessage(text))
            hint = self._say("folded_lines", count=more, number=number)
            lines[SAID_LINES_MAX:] = [Text(hint, style="dim")]
        return _renderables(self._writer.user_message(prefix_lines(sign, Text("  "), lines)))

    def live(self, *, asking: bool = False) -> RenderableType | None:
        """Return what still changes, without the question that is being asked."""
        look, now_s = self.look, self._clock()
        writing = self.writing()
        calls = [
            *self._agents.rows(now_s, self._calls.running),
            *self._calls.rows(now_s, self._agents.shows, look),
            *self._requests.rows()[1 if asking else 0 :],
        ]
        more = len(calls) - LIVE_ROWS_OF_CALLS_MAX
        if more > 0:
            calls[LIVE_ROWS_OF_CALLS_MAX:] = [f"  {self._say('more_lines', count=more)}"]
        rows = [Text(cut(row, look.room_cells)) for row in calls]
        plan = self._plan.rows(look) if self._runs else []
        lines = fit_rows(writing, [*self._thoughts.rows(look), *rows, *plan], look)
        return Group(*(draw_symbols(line, look) for line in lines)) if lines else None

    def writing(self) -> list[Text]:
        """Return the lines of the text that is being written."""
        lines = self._answer.live(self.look)
        if lines and lines[0].plain and self._writer.gap_before_text:
            lines.insert(0, Text())
        return lines

    def unfold(self, number: int) -> list[RenderableType]:
        """Return the shortened item with this number in full."""
        item = self._folded.get(number)
        if item is None:
            line = self._say("nothing_folded", number=number)
            return _renderables(self._writer.note(line, "yellow"))
        return _renderables(self._writer.notes(render_unfolded(item, number, self._say, self.look)))

    def _text(self, event: "ev.TextEvent") -> list[TranscriptPart]:
        if not event.is_final:
            return self._writer.text(self._answer.piece(event.content, self.look))
        again: list[TranscriptPart] = []
        if self._answer.contradicts(event.content):
            self._answer, again = MarkdownStream(), self._writer.rule(self._say("again"))
        lines = self._answer.final(event.content, self.look)
        self._answer = MarkdownStream()
        receipts = figure_lines(event, self._say)
        self._receipts = [Text(line.text, style=line.colour or "dim") for line in receipts]
        return [*again, *self._writer.text(lines)]

    def _other(self, event: "Event") -> list[TranscriptPart]:  # noqa: C901, PLR0911, PLR0912, PLR0915 (one row per event)
        say, look = self._say, self.look
        match event:
            case ev.TextEvent():
                return self._text(event)
            case ev.ThoughtEvent(is_final=False):
                self._thoughts.piece(event.content)
                return []
            case ev.ThoughtEvent():
                return self._writer.notes(self._thoughts.final(event.content, look))
            case ev.RunStartedEvent():
                self._forget()
                self._plan.forget()
                self._runs, self._began_s, self._spent = True, event.timestamp, None
                return []
            case ev.RunResumedEvent():
                return self._resumed(event)
            case ev.ToolCallEvent():
                call = self._agents.named(event)
                self._calls.add_call(call)
                self._agents.add_call(call)
                return self._writer.notes(self._thoughts.ended(look))
            case ev.ToolProgressEvent():
                self._calls.add_progress(event, self._agents.tag(event))
                return []
            case ev.ToolResultEvent():
                refused = self._requests.repeats_refusal(event)
                is_shown = self._agents.add_result(event) or refused
                lines = self._calls.add_result(event, look, is_shown=is_shown)
                return self._writer.notes(
                    [*lines, *render_created_files(event, self._read, say, look)]
                )
            case ev.FileOperationEvent():
                return self._writer.notes(self._calls.add_file_operation(event, look))
            case ev.HITLRequestEvent():
                self._requests.add(event, self._agents.tag(event))
                self._calls.clear_announced()
                return []
            case ev.HITLAnswerEvent():
                self._answered_seq = event.seq
                return self._writer.notes(self._requests.resolve(event, look))
            case ev.TodoUpdateEvent():
                return self._writer.notes(self._plan.put_todos(event.todos, look))
            case ev.WorkPlanEvent():
                return self._writer.notes(self._plan.put_version(event, look))
            case ev.StepStartEvent():
                return self._writer.notes(self._plan.begin_step(event, look))
            case ev.StepEndEvent():
                return self._writer.notes(self._plan.end_step(event, look))
            case ev.StepFinishEvent():
                return []  # a step's usage is in the totals that come with it
            case ev.CostUpdateEvent():
                self._spent = event
                return []
            case ev.SubAgentEvent():
                return self._writer.sentences(self._agents.follow(event, look))
            case ev.SkillEvent():
                return self._skill(event)
            case ev.PatternEvent():
                told = say_pattern(event, say, on_server=self._on_server)
                return self._writer.note(f"{AGENT} {told}", "dim")
            case ev.MemoryRecalledEvent():
                told = say_recalled(event, say)
                return self._writer.note(f"{AGENT} {told}", "dim") if told else []
            case ev.MemoryChangedEvent():
                told = say_changed(event, say)
                return self._writer.note(f"{AGENT} {told}", "dim") if told else []
            case ev.ContextCompressedEvent():
                before, after = event.original_message_count, event.final_message_count
                text = say("compressed", before=before, after=after)
                return self._writer.note(f"{self._agents.tag(event)}{text}", "dim")
            case ev.ModeChangedEvent():
                return self._writer.note(say(f"mode_now.{event.mode}"), "bold")
            case ev.FeedbackEvent():
                said = say_rating(event.rating, event.correction, say)
                return self._writer.note(said, "dim")
            case ev.RetryEvent():
                reason = one_line(event.reason)
                text = say("retry", delay=event.delay_s, attempt=event.attempt, reason=reason)
                return self._writer.note(f"{AGAIN} {self._agents.tag(event)}{text}", "yellow")
            case ev.WarningEvent():
                text = self._agents.tag(event) + say("warning", text=one_line(event.message))
                return self._writer.paragraph(WARNING, text, "yellow")
            case ev.ErrorEvent():
                text = say("error", text=sanitize_text(event.error).strip())
                return [*self._rest_of_text(), *self._writer.paragraph(FAILED, text, "bold red")]
            case ev.DoneEvent():
                return self._done(event)
            case _:
                assert_never(event)

    def _skill(self, event: "ev.SkillEvent") -> list[TranscriptPart]:
        key = f"skill.{event.phase}"
        # That one is loaded is shown as a tool call, and so are its tools.
        allowed = event.detail.get("allowed_tools")
        if not self._say.has(key) or (event.phase == "activated" and not isinstance(allowed, list)):
            return []
        tools = ", ".join(map(str, allowed)) if isinstance(allowed, list) else ""
        told = self._say(key, name=one_line(event.name), tools=one_line(tools) or "-")
        return self._writer.note(f"{AGENT} {self._agents.tag(event)}{told}", "dim")

    def _resumed(self, event: "ev.RunResumedEvent") -> list[TranscriptPart]:
        """Draw a rule: unfinished text, thoughts and calls above it do not count."""
        line = self._say("resumed", attempt=event.attempt)
        if self._answer.streamed:
            line = f"{line} {DOT} {self._say('again')}"
        self._answer = MarkdownStream()
        self._calls.forget()
        self._agents.interrupt()
        self._thoughts.forget()
        # A server parks a run at its request and resumes it with the answer: nothing was lost.
        was_parked = event.seq is not None and self._answered_seq == event.seq - 1
        return [] if was_parked else self._writer.rule(line)

    def _done(self, event: "ev.DoneEvent") -> list[TranscriptPart]:
        text = self._rest_of_text()
        receipts = self._writer.notes(self._thoughts.ended(self.look))
        if event.reason != "completed":
            refused, shown = self._requests.refused, self._agents.has_line
            left = self._calls.unfinished_lines(refused, shown, self.look)
            left += self._agents.unfinished_lines(event.timestamp, self.look)
            receipts += self._writer.sentences(left)
        if event.reason == "completed":
            receipts += self._writer.sentences(self._receipts)
        style = "dim" if event.reason == "completed" else "yellow"
        line = final_line(event, self._began_s or event.timestamp, self._spent, self._say)
        self._forget()
        return [*text, *receipts, *self._writer.note(line, style)]

    def _rest_of_text(self) -> list[TranscriptPart]:
        """Print the written part of a text that will not be finished."""
        answer, self._answer = self._answer, MarkdownStream()
        return self._writer.text(answer.rest(self.look))

    def _forget(self) -> None:
        self._calls.forget()
        self._agents.forget()
        self._requests.forget()
        self._thoughts.forget()
        self._receipts = []
        self._runs = False


def _renderables(parts: Sequence[TranscriptPart]) -> list[RenderableType]:
    return [one for part in parts for one in part.renderables]


def final_line(
    event: "DoneEvent", began_s: float, spent: "CostUpdateEvent | None", say: Messages
) -> str:
    """Write how a run ended; tokens and cost only if they are known."""
    parts = [say(f"ended.{event.reason}"), say("took", seconds=max(0.0, event.timestamp - began_s))]
    used = event.token_usage or (spent.tokens if spent else {})
    if tokens := used.get("total_tokens") or used.get("input_tokens", 0) + used.get(
        "output_tokens", 0
    ):
        parts.append(say("used_tokens", tokens=tokens))
    if spent is not None and spent.cost is not None:
        parts.append(format_cost(spent.cost, spent.currency))
    return f" {DOT} ".join(parts)
