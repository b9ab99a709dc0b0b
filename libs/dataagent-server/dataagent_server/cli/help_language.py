"""`--help` in Chinese: copies of the commands with translated texts.

`dataagent` does the same (`dataagent_cli/help/language.py`); neither package imports the other.
Each text fits a line of 80 cells, so click never breaks one.
"""

import copy
import inspect
from collections.abc import Iterable

import click

from dataagent_server.cli.help_texts import HELP_TEXTS
from dataagent_server.cli.on_demand import CommandsOnDemand

_DEFAULT = "[default: "


def translate_command(command: click.Command) -> click.Command:
    """Copy a command, with all its subcommands, and translate its help to Chinese."""
    translated = copy.copy(command)
    translated.help = _translate(inspect.cleandoc(command.help or ""))
    # click cuts a sentence at blanks, which Chinese does not have.
    translated.short_help = translated.help.rstrip("。")
    translated.params = [_translate_parameter(parameter) for parameter in command.params]
    translated.context_class = _Context
    if isinstance(translated, CommandsOnDemand):
        translated.translate = translate_command
    if isinstance(translated, click.Group) and isinstance(command, click.Group):
        translated.commands = {
            name: translate_command(one) for name, one in command.commands.items()
        }
    return translated


def _translate_parameter(parameter: click.Parameter) -> click.Parameter:
    if not isinstance(parameter, click.Option) or not parameter.help:
        return parameter
    translated = copy.copy(parameter)
    translated.help = _translate(parameter.help)
    return translated


def _translate(text: str) -> str:
    return HELP_TEXTS.get(" ".join(text.split()), text)


class _Formatter(click.HelpFormatter):
    """Translates click's own words."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, prefix or HELP_TEXTS["Usage: "])

    def write_heading(self, heading: str) -> None:
        super().write_heading(_translate(heading))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        translated_rows = [
            (first, _translate(second).replace(_DEFAULT, HELP_TEXTS[_DEFAULT]))
            for first, second in rows
        ]
        super().write_dl(translated_rows, col_max, col_spacing)


class _Context(click.Context):
    formatter_class = _Formatter
