"""The answer on a terminal: Markdown, rendered as the conversation renders it, while it comes.

A finished block is printed for good. The one that is being written is drawn below it and drawn
anew with every piece, where the terminal can take lines back; elsewhere it shows once it is whole.
"""

import time
from collections.abc import Callable, Sequence
from io import StringIO
from typing import Final

from rich.text import Text

from dataagent_cli.messages import Messages
from dataagent_cli.output import Output
from dataagent_cli.transcript.answer import Answer as MarkdownText
from dataagent_cli.transcript.console import ansi_text, console_for
from dataagent_cli.transcript.live import fitted
from dataagent_cli.transcript.look import Look
from dataagent_cli.transcript.terminal import look_of

FRAME_S: Final = 1 / 30


class RenderedAnswer:
    """Follows the texts of one run."""

    def __init__(
        self, output: Output, say: Messages, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._output = output
        self._say = say
        self._clock = clock
        self._drawn_s = 0.0
        self._text = MarkdownText()

    def piece(self, text: str) -> None:
        """Print the blocks that are finished with a piece, and draw the one under way."""
        look = self._look()
        finished = self._text.piece(text, look)
        self._print(finished, look)
        now_s = self._clock()
        if self._output.out_redraws and (finished or now_s - self._drawn_s >= FRAME_S):
            self._drawn_s = now_s
            self._draw(look)

    def final(self, text: str) -> None:
        if self._text.contradicts(text):
            self.start_again()
        look = self._look()
        whole, self._text = self._text, MarkdownText()
        self._print(whole.final(text, look), look)

    def was_a_remark(self) -> None:
        """Print what was written of a text that will not be finished."""
        look = self._look()
        unfinished, self._text = self._text, MarkdownText()
        self._print(unfinished.rest(look), look)

    def start_again(self) -> None:
        """Draw a rule: the pieces above it do not count."""
        streamed = self._text.streamed
        self.was_a_remark()
        if streamed:
            self._output.note(f"── {self._say('again')} ──", dim=True)

    def done(self, content: str, answer_format: str) -> None:
        """Print what is left: the text itself stands there already."""
        del content, answer_format
        self.was_a_remark()

    def _look(self) -> Look:
        output = self._output
        return look_of(
            output.environment,
            is_terminal=True,
            width_cells=output.width_cells,
            height_rows=output.height_rows,
            encoding=output.out_encoding,
        )

    def _print(self, lines: Sequence[Text], look: Look) -> None:
        if lines:
            self._output.answer(self._written(lines, look))

    def _draw(self, look: Look) -> None:
        lines = fitted(self._text.live(look), [], look)
        self._output.draw(self._written(lines, look), [line.cell_len for line in lines])

    def _written(self, lines: Sequence[Text], look: Look) -> str:
        if not self._output.out_coloured:  # no faint or underlined words either
            return "".join(f"{line.plain.rstrip()}\n" for line in lines)
        return ansi_text(console_for(look, StringIO()), *lines)
