"""A long-running program in a namespace of its own, reached over its pipes."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress

from dataagent_core.errors import ConflictError
from dataagent_core.sandbox.bubblewrap.bwrap_run import BwrapRun
from dataagent_core.sandbox.port import CommandResult, OnOutput, StreamName
from dataagent_core.sandbox.processes.completion import run_to_completion
from dataagent_core.sandbox.processes.line_buffer import LineBuffer
from dataagent_core.sandbox.processes.process_pipes import OutgoingPipe
from dataagent_core.sandbox.processes.process_tree import freeze_tree, list_pids_below, thaw_tree

Begin = Callable[[OnOutput, int], Awaitable[BwrapRun]]
# More than the processes one may have.
_SIGNALLED_MAX = 100_000


class BwrapProcess:
    """Exchanges lines with a program; a watchdog runs until it ends."""

    def __init__(
        self, release_run: Callable[[BwrapRun], Awaitable[None]], line_bytes_max: int
    ) -> None:
        self._release_run = release_run
        self._run: BwrapRun | None = None
        self._ending: asyncio.Task[CommandResult] | None = None
        self._lines = LineBuffer(line_bytes_max, self._stop, self._pause)
        self._stdin = OutgoingPipe()

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
        await self._stdin.open(ours)
        self._ending = asyncio.create_task(self._watch(self._run))

    @property
    def alive(self) -> bool:
        """Say whether it still runs."""
        return self._ending is not None and not self._ending.done()

    @property
    def is_overlong(self) -> bool:
        """Say whether it was ended because a line of its output had no end."""
        return self._lines.is_overlong

    async def send(self, data: bytes) -> None:
        """Write to its input."""
        if not self._stdin.is_open or not self.alive:
            raise ConflictError("The program has ended. Start it again.")
        await self._stdin.send(data)

    async def read_line(self) -> bytes:
        """Read one line of its output; empty at its end."""
        return await self._lines.read_line()

    def close_input(self) -> None:
        """Let it read the end of its input: most programs then end."""
        self._stdin.close()

    def ask_to_end(self) -> None:
        """Send SIGTERM to what runs inside; the namespace's first process never gets it."""
        if self._run is not None and self.alive:
            for pid in list_pids_below(self._run.namespace.first_pid, _SIGNALLED_MAX)[1:]:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGTERM)

    async def freeze(self) -> bool:
        """Stop every process inside; False if that cannot be done."""
        if self._run is None or not self.alive:
            return True
        first = self._run.namespace.first_pid
        return await run_to_completion(asyncio.to_thread(freeze_tree, first, _SIGNALLED_MAX))

    async def thaw(self) -> None:
        """Resume every process inside."""
        if self._run is not None and self.alive:
            first = self._run.namespace.first_pid
            self._run.resume()
            await run_to_completion(asyncio.to_thread(thaw_tree, first, _SIGNALLED_MAX))

    async def refused_names(self) -> list[str]:
        """Say which protected names it had created when it was stopped; they are renamed."""
        return [] if self._run is None or not self.alive else await self._run.rename_refused_names()

    async def is_covered(self) -> bool:
        """Say whether it can open nothing that is denied or protected by now."""
        return self._run is not None and await self._run.is_covered()

    async def ended(self) -> CommandResult:
        """Wait for its end; `stderr` holds the end of its error output."""
        assert self._ending is not None
        return await asyncio.shield(self._ending)

    async def kill(self) -> CommandResult:
        """End it and everything it started, and wait until it is gone."""
        self._stop()
        return await self.ended()

    async def _watch(self, run: BwrapRun) -> CommandResult:
        try:
            return await run.supervise(None)
        finally:
            if self._stdin.is_open:
                self._stdin.abort()
            await self._release_run(run)
            self._lines.end()

    def _stop(self) -> None:
        if self._run is not None and self.alive:
            self._run.namespace.kill()

    def _pause(self, to: bool) -> None:  # noqa: FBT001 - what is to be
        if self._run is not None:
            self._run.pause_output(to)

    def _take(self, name: StreamName, data: bytes) -> None:
        if name == "stdout":
            self._lines.add(data)
