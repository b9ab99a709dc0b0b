"""/export: writes the session as a document into a file."""

import asyncio
import shlex
from pathlib import Path

from dataagent_cli.conversation.record import Format
from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.repl.commands.command import Shell
from dataagent_cli.sessions.formats import FORMATS, format_of_file
from dataagent_core.errors import ConflictError, DirectoryError, ValidationError

_NAMES_TRIED_MAX = 1_000


async def export(shell: Shell, argument: str) -> None:
    """Write the session to a new file, and print its path."""
    kind, path = parse_export(argument, shell.app.say)
    text = await shell.conversation.record.export(kind)
    # In the current directory: with a server, the agent's directory is not on this machine.
    folder = shell.request.workspace
    name = f"session-{shell.conversation.facts.session_id}"
    wanted = [folder / path.expanduser()] if path else _candidate_names(folder, name, kind)
    written = await asyncio.to_thread(_write_new, wanted, text)
    shell.output.note(shell.app.say("session_exported", path=one_line(str(written))))


def parse_export(argument: str, say: Messages) -> tuple[Format, Path | None]:
    """Read `[md|html|json] [FILE]`; the file name also gives the format."""
    try:
        words = shlex.split(argument)
    except ValueError:  # an apostrophe is not an open quote
        words = argument.split()
    kind = FORMATS.get(words[0].lower()) if words else None
    rest = words[1:] if kind else words
    if len(rest) > 1:
        raise ValidationError(say("command_export_how"))
    if not rest:
        return kind or "md", None
    path = Path(rest[0])
    return kind or format_of_file(path, say), path


def _candidate_names(folder: Path, name: str, kind: Format) -> list[Path]:
    others = (f"{name}-{number}.{kind}" for number in range(2, _NAMES_TRIED_MAX))
    return [folder / f"{name}.{kind}", *(folder / other for other in others)]


def _write_new(paths: list[Path], text: str) -> Path:
    for path in paths:
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError:
            continue
        except OSError as error:
            raise DirectoryError(f"{str(path)!r} cannot be written: {error.strerror}.") from error
        return path
    raise ConflictError(f"{str(paths[0])!r} is there already. Name another file.")
