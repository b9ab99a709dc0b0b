"""`CheckedSandbox`: opened at its first use, and only after the self-test has passed.

It can be made before an event loop runs and costs nothing until a command does.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
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


class CheckedSandbox:
    """Stands before a sandbox that must have proved that it holds."""

    def __init__(
        self, name: str, health: SandboxHealth, opening: Callable[[], Awaitable[LocalSandbox]]
    ) -> None:
        self.id = name
        self._health = health
        self._opening = opening
        self._opened: LocalSandbox | None = None
        self._closed = False
        self._one_at_a_time = asyncio.Lock()

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
        async with self._one_at_a_time:
            self._closed = True
            if self._opened is not None:
                await self._opened.aclose()

    async def _ready(self) -> LocalSandbox:
        async with self._one_at_a_time:
            if self._closed:
                raise ConflictError("This sandbox is closed. Open another one for the workspace.")
            if self._opened is None:
                (await self._health.result()).require()
                self._opened = await self._opening()
            return self._opened
