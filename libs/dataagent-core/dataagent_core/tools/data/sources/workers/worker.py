"""The process in which an engine's program runs: started on first use, killed when it is late.

Requests and replies are JSON lines (`worker_programs/question_server.py` is the other end), one
request at a time. An abandoned request ends the process, so that its memory and locks are released,
and the next request starts a new one. So does a request that used most of its memory.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

from dataagent_core.config.limits.data import DATA_WORKER_IDLE_S, DATA_WORKER_START_S
from dataagent_core.errors import (
    ConflictError,
    DataAgentError,
    QueryFailedError,
    SandboxUnavailableError,
)
from dataagent_core.sandbox.port import Process
from dataagent_core.sandbox.processes.completion import run_to_completion
from dataagent_core.tools.data.time_left import TimeLeft, limit_time, make_late_error

StartProcess = Callable[[], Awaitable[Process]]


class Worker:
    """One engine's process, which handles one request at a time."""

    def __init__(self, start: StartProcess, name: str, idle_s: float = DATA_WORKER_IDLE_S) -> None:
        self._start = start
        # The name in messages for a person.
        self._name = name
        self._idle_s = idle_s
        self._process: Process | None = None
        self._number = 0
        # Its last request left too little memory for another.
        self._is_full = False
        self._lock = asyncio.Lock()
        self._idle: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.alive

    @property
    def process(self) -> Process | None:
        """The process of the last request, if it still runs."""
        return self._process

    async def ask(self, operation: str, arguments: Mapping[str, Any], timeout_s: float) -> Any:
        """Send one request; a late or cancelled one ends the process."""
        async with self._lock:
            self._cancel_idle()
            try:
                left = TimeLeft(timeout_s)
                process = await self._get_process(timeout_s)
                return await self._exchange(process, operation, arguments, left)
            except BaseException as error:
                # After a refusal the process is still usable.
                if not isinstance(error, QueryFailedError) or not self.alive:
                    await run_to_completion(self._end())
                if isinstance(error, DataAgentError):
                    # Closing ends the current request at any point.
                    self._refuse_if_closed()
                raise
            finally:
                if self._process is not None:
                    self._idle = asyncio.create_task(self._end_when_idle())

    async def restart(self) -> None:
        """End the process; the next request starts another."""
        self._cancel_idle()
        async with self._lock:
            await run_to_completion(self._end())

    async def aclose(self) -> None:
        """End the process for good; the current request fails."""
        self._closed = True
        await run_to_completion(self._end())
        # A process that was just being started is ended by its own request.
        await self.restart()

    async def _get_process(self, timeout_s: float) -> Process:
        if self._process is None or not self._process.alive or self._is_full:
            await self._end()
            self._is_full = False
            self._refuse_if_closed()
            # Starting counts against the time of the request.
            async with limit_time(self._name, min(timeout_s, DATA_WORKER_START_S)):
                self._process = await self._start()
        self._refuse_if_closed()
        return self._process

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise ConflictError(f"{self._name} was closed and answers no more questions.")

    async def _exchange(
        self, process: Process, operation: str, arguments: Mapping[str, Any], left: TimeLeft
    ) -> Any:
        self._number += 1
        request = {**arguments, "id": self._number, "op": operation}
        try:
            async with asyncio.timeout(left.s()):
                await process.send(json.dumps(request).encode() + b"\n")
                reply = await _read_reply(process, self._number)
        except TimeoutError:
            await run_to_completion(self._end())
            raise make_late_error(self._name, left.timeout_s) from None
        except ConflictError:  # it ended during the request
            reply = None
        if reply is None:
            raise QueryFailedError(await run_to_completion(self._explain_end()))
        # Not ended yet: its output is still to be copied out of its folder.
        self._is_full = bool(reply.get("full"))
        if "error" in reply:
            raise QueryFailedError(f"{self._name}: {reply['error']}", said=_get_engine_text(reply))
        return reply["answer"]

    async def _explain_end(self) -> str:
        process, self._process = self._process, None
        done = await process.kill() if process is not None else None
        match done.killed_reason if done else None:
            case "memory":
                return (
                    f"{self._name} needed more memory than a query may use and was stopped. "
                    "Aggregate or filter earlier, or ask for fewer columns."
                )
            case "disk":
                return f"{self._name} wrote more to disk than a query may use and was stopped."
            case _:
                return f"{self._name} ended unexpectedly. Ask again; if it stays, ask for less."

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            # A process that is killed during its start reports an unavailable sandbox.
            with suppress(SandboxUnavailableError):
                await process.kill()

    async def _end_when_idle(self) -> None:
        await asyncio.sleep(self._idle_s)
        async with self._lock:
            await run_to_completion(self._end())

    def _cancel_idle(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None


def _get_engine_text(reply: Mapping[str, Any]) -> str:
    """Return the engine's own text, which may quote values; empty for our own messages."""
    return "" if reply.get("own") else str(reply["error"])


async def _read_reply(process: Process, number: int) -> dict[str, Any] | None:
    """Return the reply to this request; None if the process ended without one."""
    while line := await process.read_line():
        try:
            reply = json.loads(line)
        except ValueError:
            continue  # a library that writes to standard output
        if isinstance(reply, dict) and reply.get("id") == number:
            return reply
    return None
