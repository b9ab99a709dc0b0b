"""Starts a server's program as a plain process, for a person who works without a sandbox.

It has the person's access and a small environment. It leads a session of its own; at the end all
processes of that session and all descendants are killed. When it ends by itself, a child with its
own session survives: only a sandbox prevents that.
"""

import asyncio
import os
import signal
from collections.abc import Mapping
from contextlib import suppress
from typing import cast

from dataagent_core.config.limits import SANDBOX_DRAIN_S, SANDBOX_LAST_WORDS_BYTES
from dataagent_core.config.limits.mcp import MCP_MESSAGE_BYTES_MAX, MCP_PROGRAM_PROCESSES_MAX
from dataagent_core.errors import ConflictError, MCPServerError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.transports.program import environment
from dataagent_core.mcp.transports.program.command import check_allowed, find_program
from dataagent_core.mcp.transports.program.program_policy import ProgramPolicy
from dataagent_core.mcp.transports.program.running_program import ProgramEnd
from dataagent_core.sandbox.processes.line_buffer import LineBuffer
from dataagent_core.sandbox.processes.output_capture import OutputBuffer
from dataagent_core.sandbox.processes.process_tree import list_pids_below

_SIGNAL_BASE = 128
_STDIN, _STDOUT, _STDERR = 0, 1, 2


class PlainProgram(asyncio.SubprocessProtocol):
    """A `RunningProgram` over a child process; its end is noticed even if its children live on."""

    def __init__(self) -> None:
        self._lines = LineBuffer(MCP_MESSAGE_BYTES_MAX, self._kill, self._pause)
        self._stderr = OutputBuffer(SANDBOX_LAST_WORDS_BYTES)
        self._open = {_STDOUT, _STDERR}
        self._exited = asyncio.Event()
        self._drained = asyncio.Event()
        self._writable = asyncio.Event()
        self._writable.set()
        self._transport: asyncio.SubprocessTransport | None = None
        # Its descendants at the time of the stop, which it may leave behind. By descriptor, because
        # a pid may belong to another process by then.
        self._descendants: list[int] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Casts, here and below: uvloop's transports are not subclasses of asyncio's.
        self._transport = cast("asyncio.SubprocessTransport", transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == _STDOUT:
            self._lines.add(data)
        else:
            self._stderr.add(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        del exc
        self._writable.set()
        self._open.discard(fd)
        if _STDOUT not in self._open:
            self._lines.end()
        if not self._open:
            self._drained.set()

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    def process_exited(self) -> None:
        self._exited.set()

    async def send(self, data: bytes) -> None:
        """Write to its input, as soon as it accepts data."""
        await self._writable.wait()
        pipe = cast("asyncio.WriteTransport | None", self._child.get_pipe_transport(_STDIN))
        if pipe is None or pipe.is_closing():
            raise ConflictError("The program has ended. Start it again.")
        pipe.write(data)

    async def read_line(self) -> bytes:
        """Read a line; empty when there is none any more."""
        return await self._lines.read_line()

    def close_input(self) -> None:
        """Close its input, and remember its descendants."""
        if not self._exited.is_set() and not self._descendants:
            for pid in list_pids_below(self._child.get_pid(), MCP_PROGRAM_PROCESSES_MAX)[1:]:
                with suppress(ProcessLookupError):
                    self._descendants.append(os.pidfd_open(pid))
        pipe = self._child.get_pipe_transport(_STDIN)
        if pipe is not None:
            pipe.close()

    def ask_to_end(self) -> None:
        """Send SIGTERM to its session and its descendants."""
        self._signal(signal.SIGTERM)

    async def ended(self) -> ProgramEnd:
        """Wait until it has ended and, briefly, for its last output."""
        await self._exited.wait()
        with suppress(TimeoutError):
            async with asyncio.timeout(SANDBOX_DRAIN_S):
                await self._drained.wait()
        self._lines.end()
        code = self._child.get_returncode()
        return ProgramEnd(
            exit_code=_SIGNAL_BASE - code if code is not None and code < 0 else code,
            last_words=self._stderr.output().data.decode(errors="replace"),
            is_overlong=self._lines.is_overlong,
        )

    async def close(self) -> None:
        self._kill()
        while self._descendants:
            os.close(self._descendants.pop())
        await self._exited.wait()
        self._lines.end()
        self._child.close()

    @property
    def _child(self) -> asyncio.SubprocessTransport:
        assert self._transport is not None
        return self._transport

    def _kill(self) -> None:
        self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        leader = self._child.get_pid()
        for descendant in self._descendants:
            with suppress(ProcessLookupError, PermissionError):
                signal.pidfd_send_signal(descendant, number)
        # Its pid is valid until it is reaped; its group exists as long as it has members.
        if not self._exited.is_set():
            for pid in list_pids_below(leader, MCP_PROGRAM_PROCESSES_MAX)[1:]:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, number)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(leader, number)

    def _pause(self, to: bool) -> None:  # noqa: FBT001 - the new state
        pipe = cast("asyncio.ReadTransport | None", self._child.get_pipe_transport(_STDOUT))
        if pipe is not None and not pipe.is_closing():
            if to:
                pipe.pause_reading()
            else:
                pipe.resume_reading()


async def start_plain(
    config: MCPServerConfig, policy: ProgramPolicy, environ: Mapping[str, str]
) -> PlainProgram:
    """Start a program; a failure leaves nothing behind."""
    program = await asyncio.to_thread(find_program, config, environ)
    await asyncio.to_thread(check_allowed, config, program, policy.commands, environ)
    loop = asyncio.get_running_loop()
    try:
        _, running = await loop.subprocess_exec(
            PlainProgram,
            program,
            *config.args,
            env=environment.plain(config, environ),
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise MCPServerError(
            config.name, f"cannot be started: {program!r} does not run here ({error})."
        ) from error
    return running
