"""/diff, /undo and /rewind: shows what the agent changed, and takes it back."""

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, get_args

from dataagent_cli.conversation.record import SessionFork, UserQuestion
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.repl.commands.command import Shell
from dataagent_cli.repl.commands.needs import above_prompt, needs_idle, question_numbered
from dataagent_cli.repl.commands.sessions import request_for
from dataagent_core.errors import NotFoundError, ValidationError

if TYPE_CHECKING:
    from dataagent_core.tools.workspace_history import RewindResult

# What can be taken back, in the order of the list.
Part = Literal["both", "conversation", "files"]
_PARTS: tuple[Part, ...] = get_args(Part)


async def diff(shell: Shell, argument: str) -> None:
    """Show what the agent changed, in the whole session or since a user message."""
    since = (await question_numbered(shell, argument)).message_id if argument else None
    changed = await shell.conversation.record.changes(since)
    from dataagent_cli.sessions.rewind import print_changes

    print_changes(above_prompt(shell), changed)


async def undo(shell: Shell, argument: str) -> None:
    """Take back the file changes of the last message that made any."""
    del argument
    needs_idle(shell)
    _print_done(shell, await shell.conversation.record.rewind(None))


async def rewind(shell: Shell, argument: str) -> None:
    """Go back to before a user message: the files, the conversation or both."""
    needs_idle(shell)
    number, _, words = argument.partition(" ")
    wanted = _find_part(shell, words.strip()) if words.strip() else None
    question = await question_numbered(shell, number) if number else await _choose_question(shell)
    part = wanted or (await _choose_part(shell) if question is not None else None)
    if question is None or part is None:
        return
    record = shell.conversation.record
    # The fork comes first, because it only copies: if it fails, the files are unchanged.
    made = await record.fork(question.message_id) if part != "files" else None
    if part != "conversation":
        # A run may have started meanwhile.
        try:
            needs_idle(shell)
            done = await record.rewind(question.message_id)
        except BaseException:
            if made is not None:
                await _remove_unused(shell, question, made)
            raise
        _print_done(shell, done)
    if made is not None:
        _turn_to_fork(shell, question, made)


def _find_part(shell: Shell, word: str) -> Part:
    for part in _PARTS:
        if part == word.lower():
            return part
    raise ValidationError(shell.app.say("command_bad_part", part=word))


async def _choose_question(shell: Shell) -> UserQuestion | None:
    say = shell.app.say
    questions = list(reversed(await shell.conversation.record.questions()))
    if not questions:
        raise NotFoundError(say("command_nothing_said"))
    rows = [f"#{question.number}  {one_line(question.text)}" for question in questions]
    chosen = await shell.pick(say("command_pick_rewind"), rows)
    return None if chosen is None else questions[chosen]


async def _choose_part(shell: Shell) -> Part | None:
    say = shell.app.say
    rows = [say(f"command_rewind.{part}") for part in _PARTS]
    chosen = await shell.pick(say("command_pick_part"), rows)
    return None if chosen is None else _PARTS[chosen]


def _print_done(shell: Shell, done: "RewindResult") -> None:
    from dataagent_cli.sessions.rewind import print_rewound

    print_rewound(above_prompt(shell), done)


async def _remove_unused(shell: Shell, question: UserQuestion, made: SessionFork) -> None:
    """Remove the fork if the files could not be taken back; name a fork that stays."""
    try:
        await shell.conversation.record.remove_fork(made)
    except Exception:  # noqa: BLE001 (why the files stay is the error that is reported)
        number, new = question.number, made.session_id
        shell.output.note(shell.app.say("command_fork_unused", number=number, new=new))


def _turn_to_fork(shell: Shell, question: UserQuestion, made: SessionFork) -> None:
    """Continue in the fork, with the user message in the input again."""
    say, old = shell.app.say, shell.conversation.facts.session_id
    shell.output.note(say("command_rewound_talk", number=question.number, old=old))
    if made.left_unfinished:
        shell.output.note(say("fork_left_unfinished"), fg="yellow")
    shell.turn_to(replace(request_for(shell, made.session_id), begun=question.own))
