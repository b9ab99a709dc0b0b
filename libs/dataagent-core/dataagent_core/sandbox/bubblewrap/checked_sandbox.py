"""`CheckedSandbox`: opened at its first use, and only after the self-test has passed.

It can be made before an event loop runs and costs nothing until a command does.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, Unpack

from dataagent_core.errors import ConflictError
from dataagent_core.sandbox.bubblewrap.self_test import SandboxHealth
from dataagent_core.sandbox.port import (
    Command,
    CommandResult,
    LookResult,
    LookSandbox,
    Network,
    PausableProcess,
    ProcessSandbox,
    RunOptions,
)


class LocalSandbox(ProcessSandbox, LookSandbox, Protocol):
    """What a sandbox of this host can do."""


@dataclass(slots=True, eq=False)
class CheckedSandbox:
    """Stands before a sandbox that must have proved that it holds."""

    id: str
    health: SandboxHealth
    open_sandbox: Callable[[], Awaitable[LocalSandbox]]
    _opened: LocalSandbox | None = field(default=None, init=False)
    _closed: bool = field(default=False, init=False)
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    async def run(self, command: Command, **options: Unpack[RunOptions]) -> CommandResult:
        """Run a command, or refuse with what is wrong with the sandbox."""
        return await (await self._ready()).run(command, **options)

    async def look(
        self, command: Command, *, timeout_s: float, env: Mapping[str, str]
    ) -> LookResult:
        """Run a command that can change nothing, or refuse with what is wrong with the sandbox."""
        return await (await self._ready()).look(command, timeout_s=timeout_s, env=env)

    async def start(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        network: Network | None = None,
    ) -> PausableProcess:
        """Start a program, or refuse with what is wrong with the sandbox."""
        return await (await self._ready()).start(command, env=env, network=network)

    async def aclose(self) -> None:
        """Close the sandbox if it was ever opened."""
        async with self._lock:
            self._closed = True
            if self._opened is not None:
                await self._opened.aclose()

    async def _ready(self) -> LocalSandbox:
        async with self._lock:
            if self._closed:
                raise ConflictError("This sandbox is closed. Open another one for the workspace.")
            if self._opened is None:
                (await self.health.result()).require()
                self._opened = await self.open_sandbox()
            return self._opened
