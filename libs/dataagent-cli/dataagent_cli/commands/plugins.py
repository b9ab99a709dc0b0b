"""Commands of other packages, such as the server's `serve`.

The command line and the server do not import each other. An installed package names its commands in
the entry point group `dataagent.commands`, and a class that extends core's settings in
`dataagent.settings`.
"""

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from dataagent_core.config import Settings

GROUP = "dataagent.commands"
SETTINGS_GROUP = "dataagent.settings"


# The key of a question that was given in place of a command.
QUESTION = f"{__name__}.question"


def _as_it_is(command: click.Command) -> click.Command:
    return command


class CommandsWithPlugins(click.Group):
    """Our own commands first; plugins are loaded only when one of their commands is named.

    A first argument with a blank in it is a question to the agent: no command has a blank, and a
    single word is more likely a typing error.
    """

    # Translates a plugin's command into the person's language.
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
    """Read the settings of all installed packages, for `config show`."""
    from dataagent_core.config import Settings

    for found in entry_points(group=SETTINGS_GROUP):
        kind: type[Settings] = found.load()
        return kind()
    return Settings()
