"""Ctrl-C: the first asks the run to stop, the second ends the process.

A plain signal handler, because it also runs while the event loop is busy.
"""

import asyncio
import os
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from types import FrameType, TracebackType
from typing import Any, Self

from dataagent_cli.messages import Messages
from dataagent_cli.output import exit_codes
from dataagent_cli.output.streams import Output


class CtrlC:
    """While entered, SIGINT sets `token`; enter it on the event loop."""

    def __init__(self, output: Output, say: Messages) -> None:
        self.token = asyncio.Event()
        self._output = output
        self._say = say
        self._loop = asyncio.get_running_loop()
        self._pressed = False
        self._paused = False
        self._before: Any = None

    def __enter__(self) -> Self:
        self._before = signal.signal(signal.SIGINT, self._interrupted)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # After a first Ctrl-C the second must still work while the process ends.
        if not self._pressed:
            signal.signal(signal.SIGINT, self._before)

    @asynccontextmanager
    async def pause(self) -> AsyncGenerator[None]:
        """Leave Ctrl-C to a program that uses the terminal."""
        self._paused = True
        try:
            yield
        finally:
            self._paused = False

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        if self._paused:
            return
        if self._pressed:
            os._exit(exit_codes.CANCELLED)
        self._pressed = True
        self._loop.call_soon_threadsafe(self._stop)

    def _stop(self) -> None:
        if self._output.err_is_terminal:
            self._output.note()
            self._output.note(self._say("cancelling"), dim=True)
        self.token.set()
