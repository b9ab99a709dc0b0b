"""`dataagent sessions`: list, show and delete sessions, and take changed files back.

Commands on whole sessions (fork, search, rename, export, import) are in `transfer.py`.
"""

from pathlib import Path

import click

from dataagent_cli.commands.sessions.transfer import COMMANDS
from dataagent_cli.help.completion_values import session_ids
from dataagent_cli.output.error_report import errors_as_json

_workspace_option = click.option(
    "--workspace",
    type=click.Path(file_okay=False, path_type=Path),
    help="The directory the agent worked in, if it is not the one on record.",
)


_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group()
def sessions() -> None:
    """List, show, find, fork, export and delete sessions."""


for _command in COMMANDS:
    sessions.add_command(_command)


@sessions.command("list")
@_json_option
def list_(as_json: bool) -> None:
    """List your sessions, the last used first."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.sessions.list_sessions import list_sessions

        asyncio.run(list_sessions(wiring.start(), as_json))


@sessions.command()
@click.argument("session", shell_complete=session_ids)
@_json_option
def show(session: str, as_json: bool) -> None:
    """Show the conversation of a session."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.sessions.show import show_conversation

        asyncio.run(show_conversation(wiring.start(), session, as_json))


@sessions.command()
@click.argument("session", shell_complete=session_ids)
@click.option("--after", type=click.IntRange(min=0), default=0, help="Only events after this one.")
@_json_option
def events(session: str, after: int, as_json: bool) -> None:
    """Print the events of a session."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.sessions.event_log import print_events

        asyncio.run(print_events(wiring.start(), session, after, as_json))


@sessions.command()
@click.argument("session", shell_complete=session_ids)
@click.argument("call_id", required=False)
@click.option("--offset", type=click.IntRange(min=0), default=0, help="Lines to leave out first.")
@click.option("--limit", type=click.IntRange(min=1), help="Lines to show.")
@_json_option
def output(
    session: str, call_id: str | None, offset: int, limit: int | None, as_json: bool
) -> None:
    """List the outputs that were too long to show, or page through one."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.sessions.outputs import OutputPage, list_outputs, show_output

        app = wiring.start()
        if call_id is None:
            asyncio.run(list_outputs(app, session, as_json))
        else:
            asyncio.run(show_output(app, session, call_id, OutputPage.of(offset, limit), as_json))


@sessions.command()
@click.argument("session", shell_complete=session_ids)
@click.argument("words", nargs=-1)
@click.option("--version", type=click.IntRange(min=1), help="Change no other version of the plan.")
@_json_option
def plan(session: str, words: tuple[str, ...], version: int | None, as_json: bool) -> None:
    """Show the work plan of a session, or change a step that has not begun.

    WORDS: edit N TEXT, skip N, move N before M, add before M TEXT, assign N AGENT. Without
    `before M` a step goes to the end.
    """
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.sessions.plan import plan_of_session

        text = " ".join(words)
        work = plan_of_session(wiring.start(), session, text, version=version, as_json=as_json)
        asyncio.run(work)


@sessions.command()
@click.argument("session", shell_complete=session_ids)
@click.argument("words", nargs=-1, required=True)
@_json_option
def rate(session: str, words: tuple[str, ...], as_json: bool) -> None:
    """Say how good the last answer of a session was; patterns learn from it.

    WORDS: good, bad or none, and behind it what should have been different. Your last word counts;
    none takes it back.
    """
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.sessions.rate import rate_session

        asyncio.run(rate_session(wiring.start(), session, " ".join(words), as_json))


@sessions.command()
@click.argument("session", shell_complete=session_ids)
@click.option("--yes", is_flag=True, help="Do not ask.")
@_json_option
def delete(session: str, yes: bool, as_json: bool) -> None:
    """Delete a session with its messages, events and checkpoints."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.sessions.delete import delete_session

        asyncio.run(delete_session(wiring.start(), session, yes, as_json))


@sessions.command()
@click.argument("session", shell_complete=session_ids)
@click.argument("message", required=False)
@_workspace_option
@_json_option
def rewind(session: str, message: str | None, workspace: Path | None, as_json: bool) -> None:
    """Take files back to before MESSAGE, or before the last one that changed any.

    MESSAGE is the number of a question or a message's id. Files that somebody else changed since
    are listed and left as they are.
    """
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.sessions.rewind import RewindTarget, rewind_session

        which = RewindTarget(session, message, workspace)
        asyncio.run(rewind_session(wiring.start(), which, as_json))


@sessions.command()
@click.argument("session", shell_complete=session_ids)
@click.option("--since", help="Only what was changed since this message.")
@_workspace_option
@_json_option
def changes(session: str, since: str | None, workspace: Path | None, as_json: bool) -> None:
    """Show what the agent changed in files."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.sessions.rewind import RewindTarget, show_changes

        asyncio.run(show_changes(wiring.start(), RewindTarget(session, since, workspace), as_json))
