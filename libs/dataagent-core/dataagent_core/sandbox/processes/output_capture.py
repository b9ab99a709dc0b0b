"""Both output streams of a command, kept within bounds and passed on as they arrive."""

import asyncio

from dataagent_core.config.limits import SANDBOX_DRAIN_S
from dataagent_core.sandbox.limits.command_limits import CommandLimits
from dataagent_core.sandbox.port import KilledReason, OnOutput, StreamName, StreamOutput
from dataagent_core.sandbox.processes.process_pipes import IncomingPipe


class OutputCapture:
    """Reads stdout and stderr of one command."""

    def __init__(self, limits: CommandLimits, on_output: OnOutput | None) -> None:
        self._limits = limits
        self._on_output = on_output
        self._flooded = asyncio.Event()
        self._buffers = {
            name: OutputBuffer(limits.output_kept_bytes) for name in ("stdout", "stderr")
        }
        self.stdout = IncomingPipe(lambda data: self._take("stdout", data))
        self.stderr = IncomingPipe(lambda data: self._take("stderr", data))

    async def open(self) -> None:
        """Start to read."""
        await self.stdout.open()
        await self.stderr.open()

    def close_child_ends(self) -> None:
        """Close our copies of the writing ends, after the command has started."""
        self.stdout.close_child_end()
        self.stderr.close_child_end()

    async def wait_for_flood(self) -> KilledReason:
        """Wait until the output exceeds its limit."""
        await self._flooded.wait()
        return "output"

    async def drain(self) -> None:
        """Read what is left in the pipes, for a limited time: a process may outlive a kill."""
        try:
            async with asyncio.timeout(SANDBOX_DRAIN_S):
                await asyncio.gather(self.stdout.wait_for_end(), self.stderr.wait_for_end())
        except TimeoutError:
            pass

    def outputs(self) -> tuple[StreamOutput, StreamOutput]:
        """Give what was kept of stdout and stderr."""
        return self._buffers["stdout"].output(), self._buffers["stderr"].output()

    def close(self) -> None:
        """Stop reading."""
        self.stdout.close()
        self.stderr.close()

    def _take(self, name: StreamName, data: bytes) -> None:
        self._buffers[name].add(data)
        if self._on_output is not None:
            self._on_output(name, data)
        total = sum(buffer.total_bytes for buffer in self._buffers.values())
        if total > self._limits.output_total_bytes:
            self._flooded.set()


class OutputBuffer:
    """Takes bytes without end; keeps at most `kept_bytes_max` of them."""

    def __init__(self, kept_bytes_max: int) -> None:
        self._head_max = kept_bytes_max // 2
        self._tail_max = kept_bytes_max - self._head_max
        self._head = bytearray()
        self._tail = bytearray()
        self.total_bytes = 0

    def add(self, data: bytes) -> None:
        """Take the next bytes."""
        self.total_bytes += len(data)
        head_left = self._head_max - len(self._head)
        self._head += data[:head_left]
        self._tail += data[head_left:] if head_left > 0 else data
        # Cut only when twice as long, so that many small writes stay cheap.
        if len(self._tail) > 2 * self._tail_max:
            del self._tail[: -self._tail_max]

    def output(self) -> StreamOutput:
        """Give what was kept."""
        tail = self._tail[-self._tail_max :] if self._tail_max else b""
        return StreamOutput(bytes(self._head), bytes(tail), self.total_bytes)
