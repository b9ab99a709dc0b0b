"""Prints lines of commands and questions above the prompt instead of on the two streams."""

import os
import sys
from typing import Any

from dataagent_cli.output.streams import Output
from dataagent_cli.repl.input.answer_line import AnswerLine
from dataagent_cli.repl.screen.screen import Screen

_WIDTH_MIN_CELLS = 20


class ScreenOutput(Output):
    """The output of `approval/` and commands while the prompt is drawn."""

    def __init__(self, screen: Screen, answer_line: AnswerLine) -> None:
        super().__init__(sys.stdout, sys.stderr, os.environ)
        self._screen = screen
        self._answer_line = answer_line

    @property
    def width_cells(self) -> int:
        return max(self._screen.width_cells, _WIDTH_MIN_CELLS)

    def answer(self, text: str) -> None:
        self._screen.print(text)

    def end_answer_line(self) -> None:
        """Do nothing: every line is complete."""

    def note(self, text: str = "", **style: Any) -> None:
        self._write_note(self._wrap(text), **style)

    def _write_note(self, text: str, **style: Any) -> None:
        self._screen.print(self.styled(text, **style) + "\n")

    def status(self, text: str, **style: Any) -> None:
        """Do nothing: the status is drawn, not printed."""

    def prompt(self, text: str) -> None:
        self._answer_line.label = text
