"""Recognises a command in the typed text, and runs it."""

import re
from collections.abc import Mapping
from typing import Final

from dataagent_cli.repl.commands.command import Command, Shell
from dataagent_core.errors import NotFoundError

# A path like /etc/hosts is a message, not a command.
_TYPED = re.compile(r"/([A-Za-z0-9][\w-]*|\?)(?:\s+(.*))?", re.DOTALL)
# Words that leave other programs; alone they are not a message.
_BARE: Final = frozenset({"exit", "quit"})
# Names of these commands in other programs.
OTHER_NAMES: Final = {"exit": "quit", "q": "quit", "?": "help"}


def parse_command(text: str) -> tuple[str, str] | None:
    """Return the name and the argument of a command, or None for a message."""
    if (word := text.strip().lower()) in _BARE:
        return word, ""
    found = _TYPED.fullmatch(text.strip())
    return (found[1].lower(), (found[2] or "").strip()) if found else None


def find_command(commands: Mapping[str, Command], name: str) -> Command | None:
    """Find a command by its name, or by its other name if no own command has that."""
    return commands.get(name) or commands.get(OTHER_NAMES.get(name, ""))


async def run_command(shell: Shell, name: str, argument: str) -> None:
    """Run a command, or list the commands."""
    command = find_command(shell.commands, name)
    if command is None or command.waits:
        await shell.workbench.ready()
    if command is None:
        from dataagent_core.tools.definition.name_suggestions import suggest_names

        guess = suggest_names(name, shell.commands)
        raise NotFoundError(shell.app.say("repl_no_command", name=name, guess=f"{guess} ".lstrip()))
    await command.run(shell, argument)
