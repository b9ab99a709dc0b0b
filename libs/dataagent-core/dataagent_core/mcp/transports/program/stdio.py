"""The stdio transport: a program with one message per line on its input and output."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

from mcp.client._transport import TransportStreams

from dataagent_core.errors import ConflictError, MCPServerError
from dataagent_core.mcp.transports.exchange import exchange, run_uncancelled
from dataagent_core.mcp.transports.program.running_program import RunningProgram, stop
from dataagent_core.mcp.transports.program.secret_filter import SecretFilter

StartProgram = Callable[[], Awaitable[RunningProgram]]


class _StdioWire:
    """A program as a `MessageWire`."""

    def __init__(self, server: str, program: RunningProgram, secrets: SecretFilter) -> None:
        self._server = server
        self._program = program
        self._secrets = secrets

    async def send(self, data: bytes) -> None:
        """Write a line; `receive` reports the end of the program."""
        with suppress(ConflictError):
            await self._program.send(data + b"\n")

    async def receive(self) -> bytes:
        """Read a line; empty lines are skipped."""
        while line := await self._program.read_line():
            if line.strip():
                return line
        # A program that closed its output is of no use, even if it goes on.
        self._program.close_input()
        raise MCPServerError(self._server, (await self._program.ended()).sentence(self._secrets))


@asynccontextmanager
async def stdio_transport(
    server: str, start: StartProgram, secrets: SecretFilter
) -> AsyncGenerator[TransportStreams]:
    """Start a program and always stop it, even if cancelled during the start."""
    started: list[RunningProgram] = []
    try:
        await run_uncancelled(_start_and_keep(start, started))
        wire = _StdioWire(server, started[0], secrets)
        async with exchange(server, wire, secrets) as streams:
            yield streams
    finally:
        for program in started:
            await run_uncancelled(stop(program))


async def _start_and_keep(start: StartProgram, started: list[RunningProgram]) -> None:
    started.append(await start())
