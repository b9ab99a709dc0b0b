"""Checks what a command needs: an idle agent, this machine, a workspace."""

from dataclasses import replace
from pathlib import Path

from dataagent_cli.conversation.record import UserQuestion
from dataagent_cli.repl.commands.command import Shell
from dataagent_cli.wiring import App
from dataagent_core.errors import ConflictError, NotFoundError, ValidationError

_NUMBER_CHARS_MAX = 9


def above_prompt(shell: Shell) -> App:
    """Return the app for the program's own commands, printing above the prompt."""
    return replace(shell.app, output=shell.output)


def needs_idle(shell: Shell) -> None:
    """Refuse while a run is active."""
    if shell.active:
        raise ConflictError(shell.app.say("command_needs_idle"))


def needs_this_machine(shell: Shell, name: str) -> None:
    """Refuse what only a conversation in this process can do."""
    server = shell.conversation.facts.server
    if server is not None:
        raise ConflictError(shell.app.say("command_not_on_server", name=name, server=server))


def workspace_of(shell: Shell) -> Path:
    """Return the agent's directory on this machine."""
    return Path(shell.conversation.facts.workspace)


async def question_numbered(shell: Shell, number: str) -> UserQuestion:
    """Find a user message by its number, as `/rewind` and `/fork` list it."""
    say = shell.app.say
    digits = number.lstrip("#")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= _NUMBER_CHARS_MAX):
        raise ValidationError(say("command_bad_question", number=number))
    questions = await shell.conversation.record.questions()
    for question in questions:
        if question.number == int(digits):
            return question
    raise NotFoundError(say("no_such_question", count=len(questions), number=digits))
