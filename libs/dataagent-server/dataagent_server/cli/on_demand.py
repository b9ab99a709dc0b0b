"""The commands of `dataagent-server`: each is imported at its first use."""

from collections.abc import Callable
from importlib import import_module
from typing import Final

import click

# Each is `dataagent_server.cli.NAME:NAME`.
_COMMANDS: Final = ("serve", "migrate", "tenants", "users", "keys", "audit")


def _keep_language(command: click.Command) -> click.Command:
    return command


class CommandsOnDemand(click.Group):
    """Imports a command at its first use."""

    # Translates a command into the user's language.
    translate: Callable[[click.Command], click.Command] = staticmethod(_keep_language)

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        return self.translate(getattr(import_module(f"dataagent_server.cli.{cmd_name}"), cmd_name))
