"""A run for people: which event becomes which lines.

The answer goes to stdout (`answer.py`), everything else to stderr in short lines. Approval
requests are shown by whoever asks them (`approval/`), because showing and asking are one act.
"""

from typing import TYPE_CHECKING, assert_never

from dataagent_cli.display.answer import Answer, PlainAnswer
from dataagent_cli.display.diff import Line, shortened
from dataagent_cli.display.figures import figure_lines
from dataagent_cli.display.fit import cut
from dataagent_cli.display.plan import PLAN_LINES_MAX, plan_lines
from dataagent_cli.display.plots import Read
from dataagent_cli.display.progress import Progress
from dataagent_cli.display.rendered_answer import RenderedAnswer
from dataagent_cli.display.thoughts import Thoughts
from dataagent_cli.display.tool_calls import ToolCalls
from dataagent_cli.harmless import cleaned, one_line
from dataagent_cli.messages import Messages
from dataagent_cli.output import Output
from dataagent_core import events as ev

if TYPE_CHECKING:
    from dataagent_core.events import Event


class Human:
    """Shows the events of one run."""

    def __init__(
        self,
        output: Output,
        say: Messages,
        previewed: set[str],
        read: Read | None = None,
        *,
        answer_at_the_end: bool = False,
    ) -> None:
        self._output = output
        self._say = say
        # Where only the answer counts, nothing shows before it is known to be the answer.
        streams = output.out_is_terminal and not answer_at_the_end
        self._answer: Answer = RenderedAnswer(output, say) if streams else PlainAnswer(output)
        self._thoughts = Thoughts(output, say)
        self._tools = ToolCalls(output, say, previewed, read)
        self._progress = Progress(output)
        # Of the last text; a remark's are replaced by the answer's.
        self._figures: list[Line] = []
        self._began = 0.0

    def show(self, event: "Event") -> None:  # noqa: C901, PLR0912, PLR0915 (one row per event)
        say = self._say
        self._began = self._began or event.timestamp
        match event:
            case ev.ThoughtEvent(is_final=False):
                self._thoughts.piece(event.content)
            case ev.ThoughtEvent():
                self._thoughts.final(event.content)
            case ev.TextEvent(is_final=False):
                self._thoughts.ended()
                self._answer.piece(event.content)
            case ev.TextEvent():
                self._answer.final(event.content)
                self._figures = figure_lines(event, say)
            case ev.ToolCallEvent():
                self._answer.was_a_remark()
                self._tools.called(event)
            case ev.HITLRequestEvent():
                self._answer.was_a_remark()
            case ev.ToolResultEvent():
                self._tools.returned(event)
            case ev.FileOperationEvent():
                self._tools.touched_file(event)
            case ev.TodoUpdateEvent():
                self._plan(event)
            case ev.SubAgentEvent(phase="started"):
                text = say("subagent", name=one_line(event.name), task=one_line(event.task))
                self._line(f"▸ {text}", fg="magenta")
            case ev.ContextCompressedEvent():
                before, after = event.original_message_count, event.final_message_count
                self._line(say("compressed", before=before, after=after), dim=True)
            case ev.RunResumedEvent():
                self._answer.start_again()
                self._line(f"── {say('resumed', attempt=event.attempt)} ──", dim=True)
            case ev.ModeChangedEvent():
                self._line(f"── {say(f'mode.{event.mode}')} ──", dim=True)
            case ev.RetryEvent():
                self._answer.start_again()
                reason = one_line(event.reason)
                text = say("retry", delay=event.delay_s, attempt=event.attempt, reason=reason)
                self._output.note(f"↻ {text}", fg="yellow")
            case ev.WarningEvent():
                self._output.note(f"! {say('warning', text=one_line(event.message))}", fg="yellow")
            case ev.ErrorEvent():
                self._answer.was_a_remark()
                self._output.note(say("error", text=cleaned(event.error)), fg="red", bold=True)
            case ev.DoneEvent():
                self._done(event)
            case ev.ToolProgressEvent():
                self._progress.show(event.progress, event.total, event.message)
            case (
                ev.RunStartedEvent()
                | ev.HITLAnswerEvent()
                | ev.WorkPlanEvent()
                | ev.StepStartEvent()
                | ev.StepEndEvent()
                | ev.StepFinishEvent()
                | ev.SkillEvent()
                | ev.SubAgentEvent()
                | ev.PatternEvent()
                | ev.CostUpdateEvent()
            ):
                pass
            case _:
                assert_never(event)

    def _line(self, text: str, **style: str | bool) -> None:
        self._output.note(cut(text, self._output.width_cells), **style)

    def _plan(self, event: ev.TodoUpdateEvent) -> None:
        self._output.note(self._say("plan"), bold=True)
        kept, more = shortened(plan_lines(event.todos), PLAN_LINES_MAX)
        for line in kept:
            style = {"fg": line.colour} if line.colour else {}
            self._line(line.text, **style)
        if more:
            self._output.note("  " + self._say("more_lines", count=more))

    def _done(self, event: ev.DoneEvent) -> None:
        if event.reason == "completed":
            self._answer.done(event.content, event.format)
            for line in self._figures:
                self._line(line.text, **({"fg": line.colour} if line.colour else {"dim": True}))
        else:
            self._answer.was_a_remark()
            self._output.end_answer_line()
        seconds = event.timestamp - self._began
        tokens = (event.token_usage or {}).get("total_tokens")
        match event.reason:
            case "completed" if tokens:
                self._line(self._say("done_tokens", tokens=tokens, seconds=seconds), dim=True)
            case "completed":
                self._line(self._say("done", seconds=seconds), dim=True)
            case "user_cancelled":
                self._line(self._say("cancelled"), fg="yellow")
            case "rejected":
                self._line(self._say("rejected"), fg="yellow")
            case "budget" | "timeout" | "limit" | "error":
                pass  # the error before it has said everything
