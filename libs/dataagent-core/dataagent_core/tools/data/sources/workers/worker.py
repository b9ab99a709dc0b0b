"""The process in which an engine's program runs: started when first asked, killed when it is late.

Questions and answers are JSON, a line each (`worker_programs/question_server.py` is the other end).
One question at a time; a question that was given up takes the process with it, so that its memory
and its locks are returned, and the next one starts a new process. So does one that took most of its
memory.
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
    """One engine's process, spoken to in turn."""

    def __init__(self, start: StartProcess, name: str, idle_s: float = DATA_WORKER_IDLE_S) -> None:
        self._start = start
        # What a person calls it, for messages.
        self._name = name
        self._idle_s = idle_s
        self._process: Process | None = None
        self._number = 0
        # Its last answer left it without memory for another.
        self._is_full = False
        self._one_at_a_time = asyncio.Lock()
        self._idle: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def alive(self) -> bool:
        """Say whether the process runs."""
        return self._process is not None and self._process.alive

    @property
    def process(self) -> Process | None:
        """Give the process of the last question, if it still runs."""
        return self._process

    async def ask(self, operation: str, arguments: Mapping[str, Any], timeout_s: float) -> Any:
        """Ask one question; a late or cancelled one ends the process."""
        async with self._one_at_a_time:
            self._stop_waiting()
            try:
                left = TimeLeft(timeout_s)
                process = await self._ready(timeout_s)
                return await self._exchange(process, operation, arguments, left)
            except BaseException as error:
                # An answer that says no leaves a process that is well.
                if not isinstance(error, QueryFailedError) or not self.alive:
                    await run_to_completion(self._end())
                if isinstance(error, DataAgentError):
                    # Closing ends what is under way, wherever it had got to.
                    self._refuse_if_closed()
                raise
            finally:
                if self._process is not None:
                    self._idle = asyncio.create_task(self._end_when_idle())

    async def restart(self) -> None:
        """End the process; the next question starts another."""
        self._stop_waiting()
        async with self._one_at_a_time:
            await run_to_completion(self._end())

    async def aclose(self) -> None:
        """End the process for good; a question under way fails."""
        self._closed = True
        await run_to_completion(self._end())
        # One that was just being started is seen to be unwanted and ended by its own question.
        await self.restart()

    async def _ready(self, timeout_s: float) -> Process:
        if self._process is None or not self._process.alive or self._is_full:
            await self._end()
            self._is_full = False
            self._refuse_if_closed()
            # Starting takes its time out of the question's.
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
        question = {**arguments, "id": self._number, "op": operation}
        try:
            async with asyncio.timeout(left.s()):
                await process.send(json.dumps(question).encode() + b"\n")
                reply = await _reply(process, self._number)
        except TimeoutError:
            await run_to_completion(self._end())
            raise make_late_error(self._name, left.timeout_s) from None
        except ConflictError:  # it ended while being spoken to
            reply = None
        if reply is None:
            raise QueryFailedError(await run_to_completion(self._why_it_ended()))
        # Not ended yet: what it wrote is still to be taken out of its folder.
        self._is_full = bool(reply.get("full"))
        if "error" in reply:
            raise QueryFailedError(f"{self._name}: {reply['error']}", said=_engine_said(reply))
        return reply["answer"]

    async def _why_it_ended(self) -> str:
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
            # One that is ended while it is being set up says that it could not be.
            with suppress(SandboxUnavailableError):
                await process.kill()

    async def _end_when_idle(self) -> None:
        await asyncio.sleep(self._idle_s)
        async with self._one_at_a_time:
            await run_to_completion(self._end())

    def _stop_waiting(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None


def _engine_said(reply: Mapping[str, Any]) -> str:
    """Give what an engine itself said, which may quote values; nothing of our own sentences."""
    return "" if reply.get("own") else str(reply["error"])


async def _reply(process: Process, number: int) -> dict[str, Any] | None:
    """Give the answer to this question; None when the process ended without one."""
    while line := await process.read_line():
        try:
            reply = json.loads(line)
        except ValueError:
            continue  # a library that writes to standard output
        if isinstance(reply, dict) and reply.get("id") == number:
            return reply
    return None
