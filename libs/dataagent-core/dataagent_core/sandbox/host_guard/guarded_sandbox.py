"""`GuardedSandbox`: after a command, what programs of the host would obey is as it was before."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Unpack

from dataagent_core.sandbox.bubblewrap.checked_sandbox import LocalSandbox
from dataagent_core.sandbox.host_guard.host_guard import HostGuard
from dataagent_core.sandbox.port import (
    Command,
    CommandResult,
    LookResult,
    Network,
    PausableProcess,
    RunOptions,
)


class GuardedSandbox:
    """Stands before a sandbox whose workspace is a folder of this host."""

    def __init__(self, sandbox: LocalSandbox, guard: HostGuard) -> None:
        self._sandbox = sandbox
        self._guard = guard

    @property
    def id(self) -> str:
        """Name the sandbox behind it."""
        return self._sandbox.id

    async def run(self, command: Command, **options: Unpack[RunOptions]) -> CommandResult:
        """Run a command; also one that is cancelled is looked at afterwards."""
        async with self._guard.watched() as held:
            done = await self._sandbox.run(command, **options)
        return replace(done, notes=(*done.notes, *held))

    async def look(
        self, command: Command, *, timeout_s: float, env: Mapping[str, str]
    ) -> LookResult:
        """Run a command that can change nothing, so there is nothing to hold back."""
        return await self._sandbox.look(command, timeout_s=timeout_s, env=env)

    async def start(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        network: Network | None = None,
    ) -> PausableProcess:
        """Start a program; whoever talks to it lets the guard watch each time."""
        return await self._sandbox.start(command, env=env, network=network)

    async def aclose(self) -> None:
        """Close the sandbox behind it."""
        await self._sandbox.aclose()
