"""A command line that is allowed because it only looks, run where it cannot do harm.

It runs while it is decided whether it may: nothing it writes stays, so nothing has happened yet. If
it wrote nothing its result stands, as that of a call that only reads. Otherwise the result is
dropped, and what it tried to write is part of the question to the person.

`tool_call` is written when it is decided. A line that takes long is announced with `tool_progress`
before that, so that a person sees what runs.
"""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from langchain_core.messages import ToolMessage

from dataagent_core.config.limits import (
    LOOK_ANNOUNCED_AFTER_S,
    LOOK_ANNOUNCED_CHARS_MAX,
    SANDBOX_TIMEOUT_S,
)
from dataagent_core.errors import DataAgentError
from dataagent_core.events import ToolProgressEvent
from dataagent_core.language.unicode_text import storable
from dataagent_core.permissions.tool_groups import SHELL_TOOLS
from dataagent_core.sandbox.port import LookSandbox
from dataagent_core.tools.pipeline.agent_call import AgentCall, running_call
from dataagent_core.tools.pipeline.hooks import Refusal
from dataagent_core.tools.shell.shell_tool import KeepOutput, make_shell_answer


@dataclass(frozen=True, slots=True)
class LookOutcome:
    """What the command answered, how long it took, and what it tried to write."""

    message: ToolMessage
    duration_ms: int
    writes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShellLook:
    """Runs command lines of `shell` over a workspace that cannot be changed."""

    sandbox: LookSandbox
    keep: KeepOutput

    async def look(self, call: AgentCall) -> LookOutcome:
        """Run it."""
        timeout_s = float(call.args.get("timeout_s", SANDBOX_TIMEOUT_S))
        began = time.perf_counter()
        command = str(call.args["command"])
        async with _announce_if_slow(command):
            looked = await self.sandbox.look(command, timeout_s=timeout_s, env={})
        content, facts = await make_shell_answer(looked.done, timeout_s, self.keep)
        message = ToolMessage(
            content=content, name=call.name, tool_call_id=call.call_id, artifact=facts
        )
        return LookOutcome(message, round((time.perf_counter() - began) * 1000), looked.writes)


@asynccontextmanager
async def _announce_if_slow(command: str) -> AsyncGenerator[None]:
    """Say which command runs, if it still does after a moment."""
    announcement = asyncio.create_task(_announce(command))
    try:
        yield
    finally:
        announcement.cancel()
        await asyncio.wait({announcement})
    if not announcement.cancelled():
        announcement.result()  # a log that cannot be written ends the run


async def _announce(command: str) -> None:
    await asyncio.sleep(LOOK_ANNOUNCED_AFTER_S)
    current = running_call()
    if current is None or current.context.recorder.closed:
        return
    line = storable(" ".join(command[: 4 * LOOK_ANNOUNCED_CHARS_MAX].split()))
    shown = line[:LOOK_ANNOUNCED_CHARS_MAX]
    event = ToolProgressEvent(tool_call_id=current.call.call_id, message=shown)
    await current.context.recorder.emit(event)


def is_command_line(call: AgentCall) -> bool:
    """Say whether a call is a command line."""
    return call.name in SHELL_TOOLS and isinstance(call.args.get("command"), str)


async def run_look(look: ShellLook, call: AgentCall, *, is_planning: bool) -> LookOutcome | Refusal:
    """Run a line; in plan mode what it writes is a reason to refuse it, and no question."""
    try:
        looked = await look.look(call)
    except DataAgentError as error:
        return Refusal(f"{type(error).__name__}: {error}", error.for_person)
    if looked.writes and is_planning:
        return Refusal(
            f"{call.name} is denied: the session is in plan mode, and "
            f"{explain_look_writes(looked.writes)}."
        )
    return looked


def explain_look_writes(writes: tuple[str, ...]) -> str:
    """Say what a look tried, for the person."""
    return (
        f"it was taken for a command that only looks, but it writes {', '.join(writes)}. "
        "Nothing has been written yet"
    )
