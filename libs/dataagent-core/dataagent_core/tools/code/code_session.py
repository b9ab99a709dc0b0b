"""One kernel for one session: started at the first piece of code, ended when idle or broken.

Between two pieces everything in it stands still: threads and children go on with the next piece.

Whenever a kernel is new the next result says so, and why: a model must not rely on variables that
are gone.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

from dataagent_core.config.limits import (
    CODE_FILES_SEEN_MAX,
    CODE_IDLE_S,
    CODE_INTERRUPT_S,
    CODE_PLOTS_MAX,
    CODE_VALUE_CHARS_MAX,
    OUTPUT_BYTES_MAX,
)
from dataagent_core.errors import ConflictError
from dataagent_core.sandbox.host_guard.host_guard import HostGuard
from dataagent_core.sandbox.port import PausableProcess, Process, ProcessSandbox
from dataagent_core.sandbox.processes.completion import run_to_completion
from dataagent_core.tools.code.kernel_reply import CodeResult, KernelReply, parse_reply
from dataagent_core.tools.code.python_runtime import find_own_runtime

_KERNEL = Path(__file__).with_name("kernel.py")
_BOUNDS = {
    "DATAAGENT_OUTPUT_CHARS": str(OUTPUT_BYTES_MAX),
    "DATAAGENT_VALUE_CHARS": str(CODE_VALUE_CHARS_MAX),
    "DATAAGENT_FILES_MAX": str(CODE_FILES_SEEN_MAX),
    "DATAAGENT_PLOTS_MAX": str(CODE_PLOTS_MAX),
}
_FRESH = "a new Python: nothing from before is defined"


@dataclass(slots=True, eq=False)
class CodeSession:
    """Runs pieces of code one after another; the sandbox is its maker's to close."""

    sandbox: ProcessSandbox
    idle_s: float = field(default=CODE_IDLE_S, kw_only=True)
    # Finds what looks at the workspace around each piece, as it does around a command. It blocks.
    find_guard: Callable[[], HostGuard] | None = field(default=None, kw_only=True)
    # Called when a piece has run: the kernel itself goes on, so its sandbox cannot tell.
    after: Callable[[], Awaitable[None]] | None = field(default=None, kw_only=True)
    _process: PausableProcess | None = field(default=None, init=False)
    _number: int = field(default=0, init=False)
    _why_new: str = field(default=_FRESH, init=False)
    # What was created under protected names, for the next result.
    _refused: list[str] = field(default_factory=list[str], init=False)
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    _idle: asyncio.Task[None] | None = field(default=None, init=False)

    @property
    def alive(self) -> bool:
        """Say whether a kernel is running."""
        return self._process is not None and self._process.alive

    async def run(self, code: str, timeout_s: float) -> CodeResult:
        """Run a piece; a cancelled one ends the kernel."""
        async with self._lock:
            self._stop_waiting()
            try:
                guard = self.find_guard and await asyncio.to_thread(self.find_guard)
                async with guard.watched() if guard else nullcontext([]) as held:
                    result = await self._run(code, timeout_s)
            finally:
                if self.after is not None:
                    await run_to_completion(self.after())
                if self._process is not None:
                    self._idle = asyncio.create_task(self._end_when_idle())
            return replace(result, notes=(*result.notes, *held))

    async def _run(self, code: str, timeout_s: float) -> CodeResult:
        try:
            notes = await self._ready()
            result = await self._exchange(code, timeout_s, notes)
        finally:
            await self._stand_still()
        refused, self._refused = self._refused, []
        return replace(result, notes=(*result.notes, *refused))

    async def _stand_still(self) -> None:
        """Stop threads and children, which would write when nobody looks any more."""
        if self._process is None:
            return
        if await self._process.freeze():
            self._refused += await self._process.refused_names()
        else:
            await run_to_completion(self._end("as it could not be stopped after the call before"))

    async def aclose(self) -> None:
        """End the kernel."""
        self._stop_waiting()
        async with self._lock:
            await self._end("it was closed")

    async def _ready(self) -> list[str]:
        if self._process is not None and self._process.alive:
            if await self._process.is_covered():
                await self._process.thaw()
                return []
            await self._end("as it could have opened a file that is denied or protected by now")
        if self._process is not None:
            await self._end("it ended by itself")
        source = await asyncio.to_thread(_KERNEL.read_text)
        runtime = await asyncio.to_thread(find_own_runtime)
        self._process = await self.sandbox.start(
            [runtime.executable, "-s", "-P", "-c", source], env={**runtime.env, **_BOUNDS}
        )
        notes = [self._why_new]
        if runtime.missing:
            missing = ", ".join(runtime.missing)
            notes.append(f"not installed: {missing}; pip install 'dataagent-core[code]'")
        return notes

    async def _exchange(self, code: str, timeout_s: float, notes: list[str]) -> CodeResult:
        process = self._process
        assert process is not None
        try:
            reply, timed_out = await self._ask(process, code, timeout_s)
        except BaseException:
            await run_to_completion(self._end("the call before was cancelled"))
            raise
        if reply is not None:
            return CodeResult(reply, tuple(notes), timed_out=timed_out)
        why = await self._end("it was stopped in the call before")
        killed = "it took too long and could not be interrupted" if timed_out else why
        return CodeResult(None, tuple(notes), killed=killed, timed_out=timed_out)

    async def _ask(
        self, process: Process, code: str, timeout_s: float
    ) -> tuple[KernelReply | None, bool]:
        """Give the answer, if one came, and whether the time ran out."""
        self._number += 1
        number = self._number
        try:
            await process.send(_line({"id": number, "code": code}))
            reply = await _reply(process, number, timeout_s)
            if reply is not None or not process.alive:
                return reply, False
            await process.send(_line({"interrupt": number}))
            return await _reply(process, number, CODE_INTERRUPT_S), True
        except ConflictError:  # it ended while being spoken to
            return None, False

    async def _end(self, why_new: str) -> str:
        """End the kernel, remember why for the next result, and say why it had ended."""
        process, self._process = self._process, None
        if process is None:
            return "it had ended"
        self._why_new = f"{_FRESH}, {why_new}"
        done = await process.kill()
        self._refused += done.notes
        return f"it used too much ({done.killed_reason})" if done.killed_reason else "it crashed"

    async def _end_when_idle(self) -> None:
        await asyncio.sleep(self.idle_s)
        async with self._lock:
            await run_to_completion(self._end(f"as it was not used for {self.idle_s:g} s"))

    def _stop_waiting(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None


def _line(message: dict[str, object]) -> bytes:
    return json.dumps(message).encode() + b"\n"


async def _reply(process: Process, number: int, wait_s: float) -> KernelReply | None:
    try:
        async with asyncio.timeout(wait_s):
            while line := await process.read_line():
                reply = parse_reply(line)
                if reply is not None and reply.id == number:
                    return reply
    except TimeoutError:
        pass
    return None
