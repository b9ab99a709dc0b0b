"""Commands the person or a trusted project brings (`user_commands.py`), among the others.

Their words are sent as a message, whatever they begin with: a file cannot run a shell line.
"""

from pathlib import Path

from dataagent_cli.conversation.port import ConversationFacts
from dataagent_cli.repl.commands.command import Command, Shell
from dataagent_cli.repl.commands.user_commands import PROJECT_FOLDER, UserCommand, UserCommands
from dataagent_cli.repl.commands.user_commands import load_user_commands as load
from dataagent_cli.wiring import App
from dataagent_core.errors import NotFoundError


def add_user_commands(
    commands: dict[str, Command], app: App, facts: ConversationFacts
) -> UserCommands:
    """Put the commands of the person and the place among the others, instead of earlier ones."""
    for name in [name for name, command in commands.items() if not command.summary_key]:
        del commands[name]
    found = read_user_commands(app, facts)
    taken = [command for command in found.commands.values() if command.name in commands]
    for command in found.commands.values():
        commands.setdefault(command.name, _as_command(command))
    # What we bring is what a name is known for: a project must not put itself in its place.
    said = tuple(
        app.say("command_name_taken", name=command.name, path=command.path) for command in taken
    )
    return UserCommands(found.commands, (*found.problems, *said))


def read_user_commands(app: App, facts: ConversationFacts) -> UserCommands:
    """Read the files as they are now; a project's only from a trusted folder of this machine."""
    home, workspace = app.settings.home, Path(facts.workspace)
    trusted = False
    if facts.server is None and (workspace / PROJECT_FOLDER).is_dir():
        from dataagent_core.permissions.rule_files.trust import is_trusted

        trusted = is_trusted(home, workspace)
    return load(home, workspace, trusted=trusted)


def _as_command(command: UserCommand) -> Command:
    async def run(shell: Shell, argument: str) -> None:
        # Read again: the person may have changed the file, or their trust.
        known = read_user_commands(shell.app, shell.conversation.facts).commands
        if command.name not in known:
            raise NotFoundError(shell.app.say("command_gone", name=command.name))
        await shell.send(known[command.name].prompt(argument))

    return Command(command.name, "", run, arguments=command.arguments, summary=command.description)
