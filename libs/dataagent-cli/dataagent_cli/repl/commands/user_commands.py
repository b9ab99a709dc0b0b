"""Slash commands of a person or a project: `commands/*.md`, prompts with places for arguments.

    ---
    description: Review what changed since a tag
    arguments: TAG [PATH]
    ---
    Review the changes since $1. Everything that was said: $ARGUMENTS

A person's commands are in DATAAGENT_HOME/commands, a project's in .dataagent/commands. A project's
are read only from a trusted folder, because their text is sent as the person's own. The text is
sent as a message, whatever it begins with: a file cannot run a shell line.
"""

import os
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from dataagent_cli.conversation.port import ConversationFacts
from dataagent_cli.repl.commands.command import Command, Shell
from dataagent_cli.wiring import App
from dataagent_core.errors import DataAgentError, NotFoundError, ValidationError

COMMANDS_MAX = 200
COMMAND_BYTES_MAX = 64 * 1024
DESCRIPTION_CHARS_MAX = 200
PROJECT_FOLDER = Path(".dataagent") / "commands"
HOME_FOLDER = "commands"
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}\Z")
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_PLACE = re.compile(r"\$(ARGUMENTS|[1-9])(?![A-Za-z0-9_])")
Owner = Literal["person", "project"]


@dataclass(frozen=True, slots=True, kw_only=True)
class UserCommand:
    """One command: its name without the slash, and its prompt."""

    name: str
    description: str
    # The arguments, as text for people.
    arguments: str
    body: str
    owner: Owner
    path: Path

    def prompt(self, arguments: str) -> str:
        """Fill the typed arguments into the prompt."""
        return fill_in(self.body, arguments)


@dataclass(frozen=True, slots=True)
class UserCommands:
    """The commands by name, and the problems in invalid files."""

    commands: Mapping[str, UserCommand]
    problems: tuple[str, ...]


def add_user_commands(
    commands: dict[str, Command], app: App, facts: ConversationFacts
) -> UserCommands:
    """Add the commands of the person and the workspace; they replace earlier ones."""
    for name in [name for name, command in commands.items() if not command.summary_key]:
        del commands[name]
    found = read_user_commands(app, facts)
    taken = [command for command in found.commands.values() if command.name in commands]
    for command in found.commands.values():
        commands.setdefault(command.name, _as_command(command))
    # A project must not replace a built-in command.
    name_problems = tuple(
        app.say("command_name_taken", name=command.name, path=command.path) for command in taken
    )
    return UserCommands(found.commands, (*found.problems, *name_problems))


def read_user_commands(app: App, facts: ConversationFacts) -> UserCommands:
    """Read the current files; a project's only from a trusted folder of this machine."""
    home, workspace = app.settings.home, Path(facts.workspace)
    trusted = False
    if facts.server is None and (workspace / PROJECT_FOLDER).is_dir():
        from dataagent_core.permissions.rule_files.trust import is_trusted

        trusted = is_trusted(home, workspace)
    return load_user_commands(home, workspace, trusted=trusted)


def _as_command(command: UserCommand) -> Command:
    async def run(shell: Shell, argument: str) -> None:
        # Read again: the file or the trust may have changed.
        known = read_user_commands(shell.app, shell.conversation.facts).commands
        if command.name not in known:
            raise NotFoundError(shell.app.say("command_gone", name=command.name))
        await shell.send(known[command.name].prompt(argument))

    return Command(command.name, "", run, arguments=command.arguments, summary=command.description)


def load_user_commands(home: Path, workspace: Path, *, trusted: bool) -> UserCommands:
    """Read the person's commands and, from a trusted folder, the project's; those win."""
    commands: dict[str, UserCommand] = {}
    problems: list[str] = []
    folders: list[tuple[Path, Path, Owner]] = [(home / HOME_FOLDER, home, "person")]
    if trusted:
        folders.append((workspace / PROJECT_FOLDER, workspace, "project"))
    for folder, root, owner in folders:
        for path in _files(folder):
            try:
                command = _read(path, root, owner)
            except DataAgentError as error:
                problems.append(str(error))
            else:
                commands[command.name] = command
    return UserCommands(commands, tuple(problems))


def fill_in(body: str, arguments: str) -> str:
    """Put arguments in their places, or below a body without places. Pure."""
    if not _PLACE.search(body):
        return f"{body}\n\n{arguments}" if arguments.strip() else body
    words = _words(arguments)

    def argument(location: re.Match[str]) -> str:
        if location[1] == "ARGUMENTS":
            return arguments.strip()
        number = int(location[1])
        return words[number - 1] if number <= len(words) else ""

    # In one pass: an inserted argument is not searched for places.
    return _PLACE.sub(argument, body)


def _words(arguments: str) -> list[str]:
    try:
        return shlex.split(arguments)
    except ValueError:  # an apostrophe is not an open quote
        return arguments.split()


def _files(folder: Path) -> Iterator[Path]:
    try:
        found = sorted(path for path in folder.iterdir() if path.suffix == ".md")
    except OSError:  # missing or unreadable: there are no commands
        return
    yield from found[:COMMANDS_MAX]


def _read(path: Path, root: Path, owner: Owner) -> UserCommand:
    name = path.stem
    if not _NAME.match(name):
        raise ValidationError(
            f"{path} cannot be a command: name it with small letters, digits, '-' and '_' only."
        )
    front, body = _parts(_text(path, root), path)
    if not body.strip():
        raise ValidationError(f"{path} has no prompt: write what /{name} should ask for.")
    return UserCommand(
        name=name,
        description=_one_line(front.get("description")) or _one_line(body),
        arguments=_one_line(front.get("arguments")),
        body=body.strip(),
        owner=owner,
        path=path,
    )


def _text(path: Path, root: Path) -> str:
    # A project may contain a link to anywhere; only files inside its folder are read. (`realpath`,
    # because `Path.resolve` fails on a link to itself.)
    real = Path(os.path.realpath(path))
    if not real.is_relative_to(root.resolve()) or not real.is_file():
        raise ValidationError(f"{path} is not a file of its folder, so it is no command.")
    try:
        with real.open("rb") as file:
            data = file.read(COMMAND_BYTES_MAX + 1)
    except OSError as error:
        raise ValidationError(f"{path} cannot be read: {error.strerror or error}.") from error
    if len(data) > COMMAND_BYTES_MAX:
        raise ValidationError(f"{path} is larger than {COMMAND_BYTES_MAX:,} bytes; shorten it.")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise ValidationError(f"{path} is not UTF-8. Save it as UTF-8.") from error


def _parts(text: str, path: Path) -> tuple[Mapping[str, Any], str]:
    from dataagent_core.config.files.yaml_file import read_yaml

    found = _FRONT_MATTER.match(text)
    if found is None:
        return {}, text
    front = read_yaml(found[1], f"the front matter of {path}", COMMAND_BYTES_MAX)
    if front is None:
        front = {}
    if not isinstance(front, dict):
        raise ValidationError(f"the front matter of {path} is not a list of names and values.")
    return front, text[found.end() :]


def _one_line(value: object) -> str:
    """Write a value of the front matter on one short line; a list becomes its words."""
    if isinstance(value, list):
        value = " ".join(str(item) for item in value)
    text = " ".join(str(value).split()) if value is not None else ""
    return text if len(text) <= DESCRIPTION_CHARS_MAX else text[: DESCRIPTION_CHARS_MAX - 1] + "…"
