"""A command of the program itself, run in the person's terminal: `/mcp add` is `dataagent mcp add`.

What asks, signs in or shows progress does so as it always does; nothing of it is written twice.
"""

import asyncio
import shlex
import sys
from contextlib import suppress
from typing import Final

from dataagent_cli.repl.commands.command import Shell
from dataagent_cli.repl.commands.needs import workspace_of
from dataagent_core.errors import ValidationError

_START: Final = "from dataagent_cli.main import main; raise SystemExit(main())"


async def run_program(shell: Shell, group: str, argument: str) -> None:
    """Run a command with the whole terminal, and wait for its end."""
    try:
        words = shlex.split(argument)
    except ValueError as error:
        raise ValidationError(shell.app.say("command_bad_quotes", problem=str(error))) from error
    async with shell.lent():
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", _START, group, *words, cwd=workspace_of(shell)
        )
        try:
            await process.wait()
        finally:
            with suppress(ProcessLookupError):
                if process.returncode is None:
                    process.terminate()
