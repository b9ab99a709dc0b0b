"""The part of the terminal that changes, and what is printed above it.

Finished output goes into the terminal's own scroll-back. It is written from the event loop in one
piece (erase the prompt, write, draw the prompt), at most once per frame, with the terminal in raw
mode: `run_in_terminal` would echo what is typed meanwhile.
"""

import asyncio
import contextvars
import os
import select
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from prompt_toolkit.application import Application, in_terminal
from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.key_binding import KeyPress

from dataagent_cli.repl.limits import FRAME_S, TYPED_AHEAD_BYTES_MAX


class Screen:
    """Prints above a running application, and lends its terminal."""

    def __init__(self, application: Application[None]) -> None:
        self._application = application
        self._pending: list[str] = []
        self._printed_s = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._borrowed = 0
        # The context of the application's tasks, which drawing needs to find the application.
        self._context: contextvars.Context | None = None

    def begins(self) -> None:
        """Store the application's context; called inside it."""
        self._context = contextvars.copy_context()
        self._schedule()

    @property
    def width_cells(self) -> int:
        return self._application.output.get_size().columns

    @property
    def height_rows(self) -> int:
        return self._application.output.get_size().rows

    def print(self, text: str) -> None:
        """Print sanitized text soon."""
        self._pending.append(text)
        self._schedule()

    def draw(self) -> None:
        """Draw the changing part again soon."""
        self._application.invalidate()

    def clear(self) -> None:
        self._application.renderer.clear()

    @asynccontextmanager
    async def borrow(self) -> AsyncGenerator[None]:
        """Give the plain terminal to another part."""
        self.flush()
        self._borrowed += 1
        try:
            async with in_terminal():
                yield
        finally:
            self._borrowed -= 1
            self._schedule()

    @asynccontextmanager
    async def lend(self) -> AsyncGenerator[None]:
        """Give the plain terminal to a program; its unread lines are typed into the prompt."""
        lines = ""
        async with self.borrow():
            yield
            lines = _unread_lines(self._application.input.fileno())
        if lines and self._context is not None:
            self._context.copy().run(self._type, lines)

    # The name in the approval dialogue's port.
    pause = borrow

    def _type(self, lines: str) -> None:
        keys: list[KeyPress] = []
        # In line mode the terminal turns Enter into a line break.
        Vt100Parser(keys.append).feed(lines.replace("\n", "\r"))
        self._application.key_processor.feed_multiple(keys)
        self._application.key_processor.process_keys()

    def flush(self) -> None:
        """Print now what waits."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._context is None or self._borrowed or not self._pending:
            return
        self._context.copy().run(self._write)

    def _schedule(self) -> None:
        if self._timer is None and self._context is not None and not self._borrowed:
            wait_s = max(0.0, self._printed_s + FRAME_S - time.monotonic())
            self._timer = asyncio.get_running_loop().call_later(wait_s, self.flush)

    def _write(self) -> None:
        application = self._application
        text = "".join(self._pending)
        self._pending.clear()
        if not application.is_running:
            return
        application.renderer.erase()
        application.output.write_raw(text if text.endswith("\n") else text + "\n")
        application.output.flush()
        # The windows cache their content per drawing.
        application.render_counter += 1
        application.renderer.render(application, application.layout)
        self._printed_s = time.monotonic()


def _unread_lines(terminal: int) -> str:
    """Read the complete typed lines; in line mode nothing else can be read."""
    typed = b""
    while len(typed) < TYPED_AHEAD_BYTES_MAX and select.select([terminal], [], [], 0)[0]:
        read = os.read(terminal, TYPED_AHEAD_BYTES_MAX)
        if not read:  # Ctrl-D
            break
        typed += read
    return typed.decode("utf-8", "replace")
