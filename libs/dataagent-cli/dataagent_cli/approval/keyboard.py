"""Reads lines from the terminal without blocking the event loop and without a thread.

A thread waiting in `input()` cannot be cancelled and would keep the process alive after Ctrl-C;
here cancelling the wait is enough. The terminal itself edits the line and delivers it whole.
"""

import asyncio
import os
import termios
from typing import Protocol

_READ_BYTES = 4096


class Lines(Protocol):
    """A source of the person's answers, line by line."""

    def forget_what_was_typed(self) -> None: ...

    async def line(self, begun: str = "") -> str | None:
        """Wait for a line; `begun` is an editable beginning, where the keyboard supports it."""
        ...


class Keyboard:
    """The terminal behind a file descriptor."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def forget_what_was_typed(self) -> None:
        """Drop keys that were pressed before the question was shown."""
        termios.tcflush(self._descriptor, termios.TCIFLUSH)

    async def line(self, begun: str = "") -> str | None:
        """Wait for a line; `None` if the person ends the input (Ctrl-D)."""
        del begun  # the terminal edits only what was typed
        data = b""
        while not data.endswith(b"\n"):
            part = await self._part()
            if not part:
                return None
            data += part
        return data.decode("utf-8", "replace").rstrip("\r\n")

    async def _part(self) -> bytes:
        loop = asyncio.get_running_loop()
        arrived: asyncio.Future[bytes] = loop.create_future()

        def read() -> None:
            if not arrived.done():
                arrived.set_result(os.read(self._descriptor, _READ_BYTES))

        loop.add_reader(self._descriptor, read)
        try:
            return await arrived
        finally:
            loop.remove_reader(self._descriptor)
