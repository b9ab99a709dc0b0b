"""The two streams a person sees: the answer on stdout, everything about it on stderr.

Knows what each stream is (terminal or not, colours or not, how wide) and keeps lines whole when
both end up on the same screen. What is written is decided elsewhere, and cleaned there.
"""

import contextlib
import os
import sys
from collections.abc import Mapping
from typing import Any, Self, TextIO

import click

_WIDTH_WITHOUT_TERMINAL_CELLS = 120
_WIDTH_MIN_CELLS = 20
_ERASE_LINE = "\r\x1b[2K"


class Output:
    """Writes to both streams; text of others must be harmless before it comes here."""

    def __init__(self, out: TextIO, err: TextIO, environment: Mapping[str, str]) -> None:
        self._out = out
        self._err = err
        coloured = not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"
        self.out_is_terminal = out.isatty()
        self.err_is_terminal = err.isatty()
        self._out_coloured = coloured and self.out_is_terminal
        self._err_coloured = coloured and self.err_is_terminal
        # Whether a line on stderr can be taken back.
        self.redraws = self.err_is_terminal and environment.get("TERM") != "dumb"
        self._inside_line = False
        self._status = False

    @classmethod
    def of_process(cls) -> Self:
        """Take the process's own streams; what their encoding lacks is shown as an escape."""
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")  # pyright: ignore[reportAttributeAccessIssue]
        return cls(sys.stdout, sys.stderr, os.environ)

    @property
    def width_cells(self) -> int:
        """How much fits on a line of the terminal, whichever stream is one."""
        for stream in (self._err, self._out):
            with contextlib.suppress(OSError, ValueError):
                # A terminal may not know its own width, and then says 0.
                if columns := os.get_terminal_size(stream.fileno()).columns:
                    return max(columns, _WIDTH_MIN_CELLS)
        return _WIDTH_WITHOUT_TERMINAL_CELLS

    def answer(self, text: str) -> None:
        """Write a piece of the answer, at once."""
        if text:
            self._take_back_status()
            self._out.write(text)
            self._out.flush()
            self._inside_line = not text.endswith("\n")

    def line(self, text: str, **style: Any) -> None:
        """Write a line of what was asked for to stdout."""
        self.answer((click.style(text, **style) if self._out_coloured else text) + "\n")

    def end_answer_line(self) -> None:
        """Finish the line of the answer, if one was begun."""
        if self._inside_line:
            self.answer("\n")

    def note(self, text: str = "", **style: Any) -> None:
        """Write a line about the run."""
        self._begin_line()
        self._err.write(self.styled(text, **style) + "\n")
        self._err.flush()

    def status(self, text: str, **style: Any) -> None:
        """Write a line that whatever comes next takes the place of; for where `redraws` says so."""
        self._begin_line()
        self._err.write(self.styled(text, **style))
        self._err.flush()
        self._status = True

    def prompt(self, text: str) -> None:
        """Write the beginning of a line that the person will finish."""
        self._take_back_status()
        self._err.write(self.styled(text, bold=True))
        self._err.flush()

    def _begin_line(self) -> None:
        self._take_back_status()
        if self.out_is_terminal:
            self.end_answer_line()

    def _take_back_status(self) -> None:
        if self._status:
            self._status = False
            self._err.write(_ERASE_LINE)
            self._err.flush()

    def styled(self, text: str, **style: Any) -> str:
        """Colour a text for stderr, where colours are wanted."""
        return click.style(text, **style) if style and self._err_coloured else text
