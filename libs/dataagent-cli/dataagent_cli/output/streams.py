"""The two streams of a terminal: the answer on stdout, everything about it on stderr.

Knows each stream (terminal or not, colours or not, how wide) and keeps lines whole when both
streams are on the same screen. Callers decide what is written, and sanitize it.
"""

import contextlib
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Self, TextIO

import click

_WIDTH_WITHOUT_TERMINAL_CELLS = 120
_WIDTH_MIN_CELLS = 20
_HEIGHT_WITHOUT_TERMINAL_ROWS = 24
_ERASE_LINE = "\r\x1b[2K"
# Erases from the cursor's line on. Not by one sequence: tmux keeps in its scroll-back what is
# erased at once from its first line on, and the lines of a narrowed window move up to there.
ERASE_BELOW = "\r\x1b[2K\x1b7\x1b[B\x1b[J\x1b8"


class Output:
    """Writes to both streams; text of others must be sanitized before."""

    def __init__(self, out: TextIO, err: TextIO, environment: Mapping[str, str]) -> None:
        self._out = out
        self._err = err
        coloured = not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"
        self.out_is_terminal = out.isatty()
        self.err_is_terminal = err.isatty()
        self.out_coloured = coloured and self.out_is_terminal
        self.err_coloured = coloured and self.err_is_terminal
        # Whether a line on stderr can be erased.
        self.redraws = self.err_is_terminal and environment.get("TERM") != "dumb"
        # Whether lines on stdout can be erased: a text may be drawn while it is written.
        self.out_redraws = self.out_coloured and environment.get("TERM") != ""
        self.environment = environment
        self._inside_line = False
        self._status = False
        # The width of each temporary line on stdout.
        self._drawn_cells: list[int] = []

    @classmethod
    def of_process(cls) -> Self:
        """Use the process's own streams; characters their encoding lacks are escaped."""
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")  # pyright: ignore[reportAttributeAccessIssue]
        return cls(sys.stdout, sys.stderr, os.environ)

    @property
    def width_cells(self) -> int:
        """The width of the terminal, from the stream that is one."""
        size = self._size()
        return max(size.columns, _WIDTH_MIN_CELLS) if size else _WIDTH_WITHOUT_TERMINAL_CELLS

    @property
    def height_rows(self) -> int:
        """The height of the terminal, from the stream that is one."""
        size = self._size()
        return size.lines if size and size.lines else _HEIGHT_WITHOUT_TERMINAL_ROWS

    @property
    def out_encoding(self) -> str | None:
        return self._out.encoding

    def answer(self, text: str) -> None:
        """Write a piece of the answer immediately."""
        if text:
            self._erase_status()
            self._out.write(text)
            self._out.flush()
            self._inside_line = not text.endswith("\n")

    def line(self, text: str, **style: Any) -> None:
        """Write a line of the result to stdout."""
        self.answer((click.style(text, **style) if self.out_coloured else text) + "\n")

    def sentence(self, text: str, **style: Any) -> None:
        """Write a sentence of the result; on a terminal it is wrapped between words."""
        self.line(self._wrap(text) if self.out_is_terminal else text, **style)

    def end_answer_line(self) -> None:
        """End the answer's current line, if there is one."""
        if self._inside_line:
            self.answer("\n")

    def note(self, text: str = "", **style: Any) -> None:
        """Write a note about the run; on a terminal its lines are wrapped between words."""
        self._write_note(self._wrap(text) if self.err_is_terminal else text, **style)

    def verbatim(self, text: str) -> None:
        """Write a line of a program or a file, unchanged."""
        self._write_note(text)

    def status(self, text: str, **style: Any) -> None:
        """Write a line that the next output replaces; only if `redraws` is true."""
        self._begin_line()
        self._err.write(self.styled(text, **style))
        self._err.flush()
        self._status = True

    def draw(self, text: str, widths_cells: Sequence[int]) -> None:
        """Write lines to stdout that the next output replaces.

        They end with a line break: if the process dies, they stay whole. Only if `out_redraws` is
        true; `widths_cells` is the width of each line.
        """
        self._erase_status()
        self._out.write(text)
        self._out.flush()
        self._drawn_cells = list(widths_cells)

    def prompt(self, text: str) -> None:
        """Write the beginning of a line that the person will finish."""
        self._erase_status()
        self._err.write(self.styled(text, bold=True))
        self._err.flush()

    def _write_note(self, text: str, **style: Any) -> None:
        self._begin_line()
        self._err.write(self.styled(text, **style) + "\n")
        self._err.flush()

    def _wrap(self, text: str) -> str:
        width = self.width_cells
        # No character is wider than two cells.
        if len(text) * 2 <= width:
            return text
        from dataagent_cli.transcript.terminal.line_breaks import word_lines

        return "\n".join(word_lines(text, width))

    def _begin_line(self) -> None:
        self._erase_status()
        if self.out_is_terminal:
            self.end_answer_line()

    def _size(self) -> os.terminal_size | None:
        for stream in (self._err, self._out):
            with contextlib.suppress(OSError, ValueError):
                # A terminal may not know its own width, and reports 0.
                size = os.get_terminal_size(stream.fileno())
                if size.columns:
                    return size
        return None

    def _erase_drawn(self) -> None:
        if not self._drawn_cells:
            return
        size = self._size()
        columns = size.columns if size else _WIDTH_WITHOUT_TERMINAL_CELLS
        # A terminal that became narrower has wrapped the lines again.
        rows = sum(max(1, -(-cells // columns)) for cells in self._drawn_cells)
        self._drawn_cells = []
        self._out.write(f"\x1b[{rows}A{ERASE_BELOW}")
        self._out.flush()

    def _erase_status(self) -> None:
        self._erase_drawn()
        if self._status:
            self._status = False
            self._err.write(_ERASE_LINE)
            self._err.flush()

    def styled(self, text: str, **style: Any) -> str:
        """Colour a text for stderr, if colours are used."""
        return click.style(text, **style) if style and self.err_coloured else text
