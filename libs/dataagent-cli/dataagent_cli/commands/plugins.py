"""Commands that other packages bring, such as the server's `serve`.

The command line and the server are strangers: neither imports the other. A package that is
installed beside this one names its commands in the entry point group `dataagent.commands`, and a
class that adds to core's settings in `dataagent.settings`.
"""

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from dataagent_core.config import Settings

GROUP = "dataagent.commands"
SETTINGS_GROUP = "dataagent.settings"


# Where a question that was given in place of a command is kept.
QUESTION = f"{__name__}.question"


def _as_it_is(command: click.Command) -> click.Command:
    return command


class CommandsWithPlugins(click.Group):
    """Our own commands first; others are looked for only when they are asked for.

    What stands in a command's place and has a blank in it is a question to the agent: no command
    has one, and a single word is more likely a slip.
    """

    # Puts a command that another package brings into the person's language.
    translate: Callable[[click.Command], click.Command] = staticmethod(_as_it_is)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not ctx.resilient_parsing:
            args = self._without_question(ctx, args)
        return super().parse_args(ctx, args)

    def _without_question(self, ctx: click.Context, args: list[str]) -> list[str]:
        _, rest, _ = self.make_parser(ctx).parse_args([*args])
        if not rest or not any(char.isspace() for char in rest[0].strip()):
            return args
        ctx.meta[QUESTION] = rest[0]
        return [*args[: len(args) - len(rest)], *rest[1:]]

    def list_commands(self, ctx: click.Context) -> list[str]:
        brought = {found.name for found in entry_points(group=GROUP)}
        return [*super().list_commands(ctx), *sorted(brought - set(self.commands))]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        own = super().get_command(ctx, cmd_name)
        if own is not None:
            return own
        for found in entry_points(group=GROUP, name=cmd_name):
            return self.translate(found.load())
        return None


def installed_settings() -> "Settings":
    """Read the settings of everything that is installed, for `config show`."""
    from dataagent_core.config import Settings

    for found in entry_points(group=SETTINGS_GROUP):
        kind: type[Settings] = found.load()
        return kind()
    return Settings()
