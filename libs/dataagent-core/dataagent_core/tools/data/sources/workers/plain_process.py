"""A worker's process without a sandbox: for database servers, and where a user chose so.

It sees what we see. Its memory is bounded (on Linux), it is killed with its process group, and it
ends with the thread that started it: the event loop's.
"""

import asyncio
import os
import resource
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

from dataagent_core.config.limits.data import DATA_REPLY_BYTES_MAX, DATA_STDERR_BYTES_MAX
from dataagent_core.errors import ConflictError
from dataagent_core.sandbox.port import CommandResult, StreamOutput
from dataagent_core.sandbox.processes.output_capture import OutputBuffer

_CHUNK_BYTES = 65_536
_SIGNAL_BASE = 128


class PlainProcess:
    """`sandbox.port.Process` over a child process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._began = time.monotonic()
        self._stderr = OutputBuffer(DATA_STDERR_BYTES_MAX)
        self._stderr_reader = asyncio.create_task(self._read_stderr())

    @classmethod
    async def start(
        cls,
        argv: Sequence[str],
        *,
        env: Mapping[str, str],
        memory_bytes: int | None = None,
        cwd: Path | None = None,
    ) -> Self:
        """Start a program with pipes; `env` is its whole environment."""
        process = await asyncio.create_subprocess_exec(
            *argv,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=dict(env),
            cwd=cwd,
            start_new_session=True,
            limit=DATA_REPLY_BYTES_MAX,
        )
        if memory_bytes is not None and sys.platform == "linux":
            # Not in the child before it starts: that is unsafe with threads.
            with suppress(ProcessLookupError):
                resource.prlimit(process.pid, resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
                resource.prlimit(process.pid, resource.RLIMIT_CORE, (0, 0))
        return cls(process)

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.returncode is None

    async def send(self, data: bytes) -> None:
        """Write to its input."""
        pipe = self._process.stdin
        assert pipe is not None
        try:
            if self.alive:
                pipe.write(data)
                await pipe.drain()
                return
        except (BrokenPipeError, ConnectionResetError):
            pass
        raise ConflictError("The program has ended. Start it again.")

    async def read_line(self) -> bytes:
        """Read one line of its output; empty at the end, or if a line is too long."""
        assert self._process.stdout is not None
        try:
            line = await self._process.stdout.readline()
        except ValueError:
            self._kill_group()
            return b""
        return line if line.endswith(b"\n") else b""

    async def kill(self) -> CommandResult:
        """End it and its group, and wait until it is gone."""
        was_alive = self.alive
        self._kill_group()
        code = await self._process.wait()
        await self._stderr_reader
        # It may have ended by itself a moment before.
        was_killed = was_alive and code == -signal.SIGKILL
        return CommandResult(
            exit_code=None if was_killed else code if code >= 0 else _SIGNAL_BASE - code,
            stdout=StreamOutput(),
            stderr=self._stderr.output(),
            duration_s=time.monotonic() - self._began,
        )

    async def _read_stderr(self) -> None:
        """Keep the last part of its standard error."""
        assert self._process.stderr is not None
        while data := await self._process.stderr.read(_CHUNK_BYTES):
            self._stderr.add(data)

    def _kill_group(self) -> None:
        # The group outlives its leader as long as a child is in it.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
