"""`dataagent sessions rewind` and `changes`: what the agent did to files, and the way back."""

from pathlib import Path

import click

from dataagent_cli.help.completion_values import session_ids
from dataagent_cli.output.error_report import errors_as_json

_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_workspace_option = click.option(
    "--workspace",
    type=click.Path(file_okay=False, path_type=Path),
    help="The directory the agent worked in, if it is not the one on record.",
)


@click.command()
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


@click.command()
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


REWIND_COMMANDS = (rewind, changes)
