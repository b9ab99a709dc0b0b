"""Telling a command from a message, and running it."""

import re

from dataagent_cli.repl.commands.command import Shell
from dataagent_core.errors import NotFoundError

# A path like /etc/hosts begins a message, not a command.
_TYPED = re.compile(r"/([A-Za-z0-9][\w-]*)(?:\s+(.*))?", re.DOTALL)


def typed_command(text: str) -> tuple[str, str] | None:
    """Give the name and the argument of a command, if the text is one."""
    found = _TYPED.fullmatch(text.strip())
    return (found[1].lower(), (found[2] or "").strip()) if found else None


async def run_command(shell: Shell, name: str, argument: str) -> None:
    """Run a command, or say which there are."""
    command = shell.commands.get(name)
    if command is None or command.waits:
        await shell.workbench.ready()
    if command is None:
        from dataagent_core.tools.nearest import did_you_mean

        guess = did_you_mean(name, shell.commands)
        raise NotFoundError(shell.app.say("repl_no_command", name=name, guess=f"{guess} ".lstrip()))
    await command.run(shell, argument)
