"""/clear, /resume, /search, /fork and /rename: switch to another session, and name this one."""

from dataclasses import replace
from pathlib import Path

from dataagent_cli.conversation.conversation_request import ConversationRequest
from dataagent_cli.repl.commands.command import Shell
from dataagent_cli.repl.commands.needs import needs_idle, question_numbered
from dataagent_cli.repl.session_line import session_line
from dataagent_core.errors import NotFoundError, ValidationError


async def clear(shell: Shell, argument: str) -> None:
    """Start a new session in the same directory, on a clear screen."""
    del argument
    needs_idle(shell)
    facts = shell.conversation.facts
    here = shell.request.workspace if facts.server is not None else Path(facts.workspace)
    shell.clear()
    shell.turn_to(replace(request_for(shell, None), workspace=here, model=facts.model or None))


async def resume(shell: Shell, argument: str) -> None:
    """Continue another session: the named one, or one chosen from a list."""
    needs_idle(shell)
    session_id = argument or await _choose_session(shell)
    if session_id is None:
        return
    record, here = shell.conversation.record, shell.conversation.facts.session_id
    if session_id == here:
        raise ValidationError(shell.app.say("command_already_here"))
    await record.may_open(session_id)
    shell.turn_to(request_for(shell, session_id))


async def search(shell: Shell, argument: str) -> None:
    """List the sessions that contain every word."""
    say = shell.app.say
    if not argument:
        raise ValidationError(say("command_needs_words"))
    found = await shell.conversation.record.sessions(argument)
    for row in found:
        shell.output.note(f"  {row.session_id}  {session_line(row, say)}")
    shell.output.note(say("command_search_how" if found else "no_session_found"), dim=True)


async def fork(shell: Shell, argument: str) -> None:
    """Continue in a fork: of everything, or of the events before a user message."""
    needs_idle(shell)
    before = (await question_numbered(shell, argument)).message_id if argument else None
    made = await shell.conversation.record.fork(before)
    say = shell.app.say
    shell.output.note(say("command_forked"))
    if made.left_unfinished:
        shell.output.note(say("fork_left_unfinished"), fg="yellow")
    shell.turn_to(request_for(shell, made.session_id))


async def rename(shell: Shell, argument: str) -> None:
    """Set the title of this session."""
    say = shell.app.say
    if not argument:
        raise ValidationError(say("command_needs_title"))
    title = await shell.conversation.record.rename(argument)
    shell.output.note(say("renamed", title=title))


async def _choose_session(shell: Shell) -> str | None:
    say = shell.app.say
    here = shell.conversation.facts.session_id
    rows = [row for row in await shell.conversation.record.sessions("") if row.session_id != here]
    if not rows:
        raise NotFoundError(say("command_no_other_session"))
    chosen = await shell.pick(say("repl_pick_session"), [session_line(row, say) for row in rows])
    return None if chosen is None else rows[chosen].session_id


def request_for(shell: Shell, session_id: str | None) -> ConversationRequest:
    """Make the request for another session; an existing one has its own model and mode."""
    return replace(
        shell.request,
        session_id=session_id,
        must_exist=session_id is not None,
        last=False,
        choose=False,
        model=None,
        mode=None,
        begun="",
        first_message="",
    )
