"""A program that goes on running in a namespace of its own, talked to over its pipes."""

import asyncio
import os
from collections.abc import Awaitable, Callable

from dataagent_core.config.limits import SANDBOX_LINE_BYTES_MAX
from dataagent_core.errors import ConflictError
from dataagent_core.sandbox.bwrap_run import BwrapRun
from dataagent_core.sandbox.line_buffer import LineBuffer
from dataagent_core.sandbox.namespace import refresh_root
from dataagent_core.sandbox.port import Completed, OnOutput, StreamName

Begin = Callable[[OnOutput, int], Awaitable[BwrapRun]]


class BwrapProcess:
    """Lines in, lines out, and a watchdog beside it until it ends."""

    def __init__(self, give_back: Callable[[BwrapRun], Awaitable[None]]) -> None:
        self._give_back = give_back
        self._run: BwrapRun | None = None
        self._ending: asyncio.Task[Completed] | None = None
        self._lines = LineBuffer(SANDBOX_LINE_BYTES_MAX, self._stop)
        self._stdin: asyncio.WriteTransport | None = None

    async def begin(self, begin: Begin) -> None:
        """Start it, with its input as a pipe."""
        theirs, ours = os.pipe()
        try:
            self._run = await begin(self._take, theirs)
        except BaseException:
            os.close(ours)
            raise
        finally:
            os.close(theirs)
        loop = asyncio.get_running_loop()
        pipe = os.fdopen(ours, "wb", buffering=0)
        self._stdin, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, pipe)
        self._ending = asyncio.create_task(self._watch(self._run))

    @property
    def alive(self) -> bool:
        """Say whether it still runs."""
        return self._ending is not None and not self._ending.done()

    async def send(self, data: bytes) -> None:
        """Write to its input."""
        if self._stdin is None or self._stdin.is_closing() or not self.alive:
            raise ConflictError("The program has ended. Start it again.")
        self._stdin.write(data)

    async def read_line(self) -> bytes:
        """Read one line of its output; empty at its end."""
        return await self._lines.line()

    async def refresh(self) -> None:
        """Drop what its root remembers of names, so that it sees changes made outside."""
        assert self._run is not None
        if self._run.is_overlay:
            await refresh_root(self._run.launched.first_pid)

    async def kill(self) -> Completed:
        """End it and everything it started, and wait until it is gone."""
        assert self._run is not None
        assert self._ending is not None
        self._stop()
        return await asyncio.shield(self._ending)

    async def _watch(self, run: BwrapRun) -> Completed:
        try:
            return await run.supervise(None)
        finally:
            if self._stdin is not None and not self._stdin.is_closing():
                self._stdin.abort()
            await self._give_back(run)
            self._lines.end()

    def _stop(self) -> None:
        if self._run is not None and self.alive:
            self._run.launched.kill()

    def _take(self, name: StreamName, data: bytes) -> None:
        if name == "stdout":
            self._lines.add(data)
