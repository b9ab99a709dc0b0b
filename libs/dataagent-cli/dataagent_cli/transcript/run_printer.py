"""Prints the events of one run: for people, or for programs (`--json`).

For people the answer goes to stdout and everything else to stderr, as in the transcript. On a
terminal the answer is rendered while it arrives: finished blocks are printed, the open one is drawn
below and redrawn with every piece. Elsewhere the answer is printed as it was written, once it is
known to be the answer: a text before a tool call was only a remark and goes to stderr, so that
`dataagent run ... > out.md` holds just the answer.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING, Final, Protocol

from rich.console import RenderableType
from rich.text import Text

from dataagent_cli.messages import Messages
from dataagent_cli.output.json_lines import write_event
from dataagent_cli.output.progress import Progress
from dataagent_cli.output.sanitize import harmless_json, sanitize_text
from dataagent_cli.output.streams import Output
from dataagent_cli.transcript.calls.plots import Read
from dataagent_cli.transcript.terminal.console import ansi_text, console_for
from dataagent_cli.transcript.terminal.detection import detect_style
from dataagent_cli.transcript.terminal.live_rows import fit_rows
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle
from dataagent_cli.transcript.transcript import Transcript
from dataagent_core import events as ev

if TYPE_CHECKING:
    from dataagent_core.events import Event

FRAME_S: Final = 1 / 30


class RunPrinter(Protocol):
    """Shows events in order, without waiting, so a prompt comes after all earlier output."""

    def show(self, event: "Event") -> None: ...


def printer_for(
    output: Output,
    say: Messages,
    previewed: set[str],
    read: Read,
    *,
    as_json: bool,
    answer_at_the_end: bool,
    on_server: bool,
) -> RunPrinter:
    """Choose the printer of a run."""
    if as_json:
        return JsonPrinter()
    return TextPrinter(
        output, say, previewed, read, answer_at_the_end=answer_at_the_end, on_server=on_server
    )


class JsonPrinter:
    """Writes every event as it is, one per line."""

    def show(self, event: "Event") -> None:
        write_event(event)


class TextPrinter:
    """Prints for people; with `answer_at_the_end` the text is held until it is the answer."""

    def __init__(
        self,
        output: Output,
        say: Messages,
        previewed: set[str],
        read: Read | None = None,
        *,
        answer_at_the_end: bool = False,
        on_server: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._output = output
        self._streams = output.out_is_terminal and not answer_at_the_end
        self._transcript = Transcript(
            say, self._look(), read=read, previewed=previewed, on_server=on_server
        )
        self._progress = Progress(output)
        self._clock = clock
        self._drawn_s = 0.0
        # A text that may be the answer.
        self._last_text = ""

    def show(self, event: "Event") -> None:
        """Print what is finished with an event."""
        self._transcript.look = self._look()
        parts = self._transcript.parts(event)
        if isinstance(event, ev.ToolProgressEvent):
            self._progress.show(event.progress, event.total, event.message)
        if self._streams:
            for part in parts:
                self._print(part.renderables, is_answer=part.kind == "text")
            if isinstance(event, ev.TextEvent):
                self._draw(finished=bool(parts))
            return
        self._take_text(event)
        for part in parts:
            if part.kind != "text":
                self._print(part.lines, is_answer=False)

    def _take_text(self, event: "Event") -> None:
        """Hold a text until it is known whether it is the answer."""
        match event:
            case ev.TextEvent(is_final=True):
                self._last_text = event.content
            case ev.DoneEvent(reason="completed"):
                json = event.format == "json"
                answer = harmless_json(event.content) if json else sanitize_text(event.content)
                self._output.answer(answer)
                self._output.end_answer_line()
            case ev.ToolCallEvent() | ev.HITLRequestEvent() | ev.ErrorEvent() | ev.DoneEvent():
                if self._last_text:
                    self._output.note(sanitize_text(self._last_text).rstrip("\n"))
                self._last_text = ""
            case _:
                pass

    def _look(self) -> TerminalStyle:
        output = self._output
        look = detect_style(
            output.environment,
            is_terminal=output.out_is_terminal if self._streams else output.err_is_terminal,
            width_cells=output.width_cells,
            height_rows=output.height_rows,
            encoding=output.out_encoding,
        )
        # Pictures and unfolding are for the prompt: nothing is typed here.
        return replace(look, images="none", unfolds=False, breaks=output.err_is_terminal)

    def _print(self, lines: Sequence[RenderableType], *, is_answer: bool) -> None:
        if is_answer:
            self._output.answer(self._to_text(lines, coloured=self._output.out_coloured))
            return
        written = self._to_text(lines, coloured=self._output.err_coloured)
        self._output.verbatim(written.removesuffix("\n"))

    def _draw(self, *, finished: bool) -> None:
        now_s = self._clock()
        if not self._output.out_redraws or not (finished or now_s - self._drawn_s >= FRAME_S):
            return
        self._drawn_s = now_s
        lines = fit_rows(self._transcript.writing(), [], self._transcript.look)
        written = self._to_text(lines, coloured=self._output.out_coloured)
        self._output.draw(written, [line.cell_len for line in lines])

    def _to_text(self, lines: Sequence[RenderableType], *, coloured: bool) -> str:
        if not coloured:  # no dim or underlined text either
            texts = [line.plain.rstrip() for line in lines if isinstance(line, Text)]
            return "".join(f"{text}\n" for text in texts)
        return ansi_text(console_for(self._transcript.look, StringIO()), *lines)
