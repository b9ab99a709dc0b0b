"""The port of a running program that `stdio.py` uses, and how a program is stopped.

`start_program.py` and `plain_program.py` start them.
"""

import asyncio
from dataclasses import dataclass
from typing import Protocol

from dataagent_core.config.limits.mcp import (
    MCP_LAST_WORDS_CHARS_MAX,
    MCP_MESSAGE_BYTES_MAX,
    MCP_STOP_GRACE_S,
    MCP_TERMINATE_GRACE_S,
)
from dataagent_core.mcp.transports.program.secret_filter import NO_SECRETS, SecretFilter
from dataagent_core.sandbox.port import KilledReason

_LIMITS: dict[KilledReason, str] = {
    "timeout": "ran for too long and was ended",
    "memory": "used more memory than it may and was ended",
    "processes": "started more processes than it may and was ended",
    "disk": "wrote more to disk than it may and was ended",
    "output": "wrote too much and was ended",
}


@dataclass(frozen=True, slots=True)
class ProgramEnd:
    """How a program ended."""

    exit_code: int | None
    last_words: str = ""
    is_overlong: bool = False
    killed_reason: KilledReason | None = None

    def sentence(self, secrets: SecretFilter = NO_SECRETS) -> str:
        """Return a sentence that follows the server's name."""
        if self.is_overlong:
            return (
                f"sent a message of more than {MCP_MESSAGE_BYTES_MAX // 2**20} MiB and was ended. "
                "Ask it for less at once."
            )
        if self.killed_reason is not None:
            what = _LIMITS[self.killed_reason]
        elif self.exit_code is None:
            what = "was ended"
        else:
            what = f"ended with exit code {self.exit_code}"
        words = secrets.redact(self.last_words).strip()[-MCP_LAST_WORDS_CHARS_MAX:]
        return f"{what}; its last words: {words}" if words else f"{what} without a word"


class RunningProgram(Protocol):
    """A running program that reads and writes lines."""

    async def send(self, data: bytes) -> None:
        """Write to its input; raises `ConflictError` if it has ended."""
        ...

    async def read_line(self) -> bytes:
        """Read a line; empty when there is none any more."""
        ...

    def close_input(self) -> None: ...

    def ask_to_end(self) -> None:
        """Send SIGTERM to it and what it started."""
        ...

    async def ended(self) -> ProgramEnd: ...

    async def close(self) -> None:
        """Kill it and all it started, and release its resources; idempotent."""
        ...


async def stop(program: RunningProgram) -> None:
    """Stop a program as the protocol requires: close its input, wait, SIGTERM, kill."""
    reading = asyncio.ensure_future(_drain_output(program))
    try:
        program.close_input()
        if not await _ends_within(program, MCP_STOP_GRACE_S):
            program.ask_to_end()
            await _ends_within(program, MCP_TERMINATE_GRACE_S)
    finally:
        await program.close()
        reading.cancel()
        await asyncio.wait({reading})


async def _drain_output(program: RunningProgram) -> None:
    """Read its remaining output: a blocked write would keep it from seeing the end of input."""
    while await program.read_line():  # noqa: ASYNC110 - it also waits for lines
        await asyncio.sleep(0)


async def _ends_within(program: RunningProgram, wait_s: float) -> bool:
    try:
        async with asyncio.timeout(wait_s):
            await program.ended()
    except TimeoutError:
        return False
    return True
