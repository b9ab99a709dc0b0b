"""`dataagent sessions fork|search|rename|export|import`: commands on whole sessions."""

from pathlib import Path
from typing import Literal

import click

from dataagent_cli.output.error_report import errors_as_json

_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_file = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("session")
@click.argument("message", required=False)
@click.option("--session", "new_id", metavar="ID", help="The id of the new session.")
@_json_option
def fork(session: str, message: str | None, new_id: str | None, as_json: bool) -> None:
    """Begin another session with what SESSION has before MESSAGE.

    MESSAGE is the number of a question or a message's id; after an answer's id the answer is kept.
    Without it, everything that is finished is taken. SESSION stays as it is.
    """
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.sessions.fork import fork_session

        asyncio.run(fork_session(wiring.start(), session, message, new_id, as_json))


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--limit", type=click.IntRange(1, 100), default=20, help="How many to show.")
@click.option("--after", help="Where an earlier page ended.")
@_json_option
def search(words: tuple[str, ...], limit: int, after: str | None, as_json: bool) -> None:
    """Find the sessions that hold all WORDS, in titles and messages."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.sessions.search import find_sessions

        query = " ".join(words)
        app = wiring.start()
        asyncio.run(find_sessions(app, query, limit=limit, after=after, as_json=as_json))


@click.command()
@click.argument("session")
@click.argument("title")
@_json_option
def rename(session: str, title: str, as_json: bool) -> None:
    """Give a session a title."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.sessions.rename import rename_session

        asyncio.run(rename_session(wiring.start(), session, title, as_json))


@click.command()
@click.argument("session")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["md", "html", "json"]),
    help="By the file's name if unset, else md.",
)
@click.option("--output", "-o", type=_file, help="Write to a file instead of standard output.")
@click.option("--bundle", type=_file, help="Write a zip file to go on with elsewhere.")
@click.option("--workspace", is_flag=True, help="Put the files of the workspace into the bundle.")
@_json_option
def export(
    session: str,
    *,
    kind: Literal["md", "html", "json"] | None,
    output: Path | None,
    bundle: Path | None,
    workspace: bool,
    as_json: bool,
) -> None:
    """Write a session as Markdown, HTML or JSON, or as a bundle."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.sessions.export import export_bundle, export_document
        from dataagent_core.errors import ValidationError

        app = wiring.start()
        if bundle is None:
            if workspace:
                raise ValidationError(app.say("workspace_needs_bundle"))
            asyncio.run(export_document(app, session, kind, output))
            return
        if kind is not None or output is not None:
            raise ValidationError(app.say("one_export"))
        work = export_bundle(app, session, bundle, with_workspace=workspace, as_json=as_json)
        asyncio.run(work)


@click.command("import")
@click.argument("file", type=_file)
@click.option(
    "--workspace",
    type=click.Path(path_type=Path, file_okay=False),
    help="Put the bundle's files into this directory, which must be new or empty.",
)
@click.option("--session", "new_id", metavar="ID", help="The id of the new session.")
@_json_option
def import_(file: Path, workspace: Path | None, new_id: str | None, as_json: bool) -> None:
    """Make a session of a bundle; it gets ids of its own."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.sessions.import_bundle import import_session

        asyncio.run(import_session(wiring.start(), file, workspace, new_id, as_json))


COMMANDS = (fork, search, rename, export, import_)
