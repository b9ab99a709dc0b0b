"""`--help` in the person's language.

The commands are copied, never changed: their own help stays English, as in the manual page and the
documents.
"""

import copy
import inspect
from collections.abc import Iterable
from functools import partial
from typing import Final

import click
from rich.cells import cell_len

from dataagent_cli.commands.plugins import CommandsWithPlugins
from dataagent_cli.messages import Messages
from dataagent_cli.transcript.terminal.line_breaks import word_lines

_UNWRAPPED: Final = "\b\n"
_FIRST_COLUMN_CELLS_MAX: Final = 30
_GAP_CELLS: Final = 2


def in_language(command: click.Command, say: Messages) -> click.Command:
    """Return a copy of a command and its subcommands with translated help."""
    translated = copy.copy(command)
    text = inspect.cleandoc(command.help or "").partition("\f")[0]
    translated.help = "\n\n".join(_translate_paragraph(part, say) for part in text.split("\n\n"))
    # click shortens a sentence at blanks, which Chinese does not have.
    translated.short_help = translated.help.partition("\n")[0].rstrip("。.")
    translated.params = [_translate_parameter(parameter, say) for parameter in command.params]
    translated.context_class = _context_class(say)
    if isinstance(translated, CommandsWithPlugins):
        translated.translate = partial(in_language, say=say)
    if isinstance(translated, click.Group) and isinstance(command, click.Group):
        translated.commands = {
            name: in_language(member, say) for name, member in command.commands.items()
        }
    return translated


def _translate_paragraph(text: str, say: Messages) -> str:
    return text if text.startswith(_UNWRAPPED) else say.help(" ".join(text.split()))


def _translate_parameter(parameter: click.Parameter, say: Messages) -> click.Parameter:
    if not isinstance(parameter, click.Option) or not parameter.help:
        return parameter
    translated = copy.copy(parameter)
    translated.help = say.help(" ".join(parameter.help.split()))
    return translated


def _context_class(say: Messages) -> type[click.Context]:
    class _Formatter(WideFormatter):
        words = say

    class _Context(click.Context):
        formatter_class = _Formatter

    return _Context


class WideFormatter(click.HelpFormatter):
    """Wraps lines by their width in cells: a Chinese character takes two."""

    words: Messages

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, prefix or self.words.help("Usage: "))

    def write_heading(self, heading: str) -> None:
        super().write_heading(self.words.help(heading))

    def write_text(self, text: str) -> None:
        indent = " " * self.current_indent
        for number, paragraph in enumerate(text.split("\n\n")):
            if number:
                self.write("\n")
            lines = (
                paragraph.removeprefix(_UNWRAPPED).split("\n")
                if paragraph.startswith(_UNWRAPPED)
                else word_lines(paragraph, self.width - len(indent))
            )
            self.write("".join(f"{indent}{line}\n" for line in lines))

    def write_dl(
        self,
        rows: Iterable[tuple[str, str]],
        col_max: int = _FIRST_COLUMN_CELLS_MAX,
        col_spacing: int = _GAP_CELLS,
    ) -> None:
        found = list(rows)
        widest = max((cell_len(first) for first, _ in found), default=0)
        column = min(widest, col_max) + col_spacing
        indent = " " * self.current_indent
        room = max(self.width - len(indent) - column, col_max)
        for first, second in found:
            lines = word_lines(self.words.help(second), room) if second else [""]
            fits = cell_len(first) <= column - col_spacing
            head = f"{first}{' ' * (column - cell_len(first))}" if fits else first
            if fits:
                self.write(f"{indent}{head}{lines[0]}".rstrip() + "\n")
                lines = lines[1:]
            else:
                self.write(f"{indent}{first}\n")
            self.write("".join(f"{indent}{' ' * column}{line}\n" for line in lines))
