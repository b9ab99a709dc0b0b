"""/diff, /undo and /rewind: what the agent did to files, and the way back."""

from dataagent_cli.harmless import one_line
from dataagent_cli.repl.commands.command import Shell
from dataagent_cli.repl.commands.needs import above_prompt, needs_idle, question_numbered
from dataagent_core.errors import NotFoundError


async def diff(shell: Shell, argument: str) -> None:
    """Show what the agent changed, in the whole session or since a question."""
    since = (await question_numbered(shell, argument)).message_id if argument else None
    changed = await shell.conversation.record.changes(since)
    from dataagent_cli.sessions.rewinding import print_changes

    print_changes(above_prompt(shell), changed)


async def undo(shell: Shell, argument: str) -> None:
    """Take back what the last message that changed files made of them."""
    del argument
    await _go_back(shell, None)


async def rewind(shell: Shell, argument: str) -> None:
    """Take files back to before a question, named by its number or chosen from a list."""
    needs_idle(shell)
    if argument:
        await _go_back(shell, (await question_numbered(shell, argument)).message_id)
        return
    say = shell.app.say
    questions = list(reversed(await shell.conversation.record.questions()))
    if not questions:
        raise NotFoundError(say("command_nothing_said"))
    rows = [f"#{question.number}  {one_line(question.text)}" for question in questions]
    chosen = await shell.pick(say("command_pick_rewind"), rows)
    if chosen is not None:
        await _go_back(shell, questions[chosen].message_id)


async def _go_back(shell: Shell, message_id: str | None) -> None:
    needs_idle(shell)
    done = await shell.conversation.record.rewind(message_id)
    from dataagent_cli.sessions.rewinding import print_rewound

    print_rewound(above_prompt(shell), done)
