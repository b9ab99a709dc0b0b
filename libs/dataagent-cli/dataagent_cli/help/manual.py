"""The manual page of all commands as roff, generated from the commands. Pure."""

import inspect
import re
from collections.abc import Iterator
from importlib.metadata import version

import click

from dataagent_cli.messages.program_name import NAME

_FILES = (
    ("~/.dataagent/config.toml", "your settings, and keys that `dataagent setup` saved"),
    ("~/.dataagent/dataagent.db", "sessions, messages and events"),
    (".dataagent/permissions.toml", "a project's rules"),
    (".dataagent/commands/*.md", "a project's own slash commands"),
    (
        "AGENTS.md (else CLAUDE.md), agent.md, .dataagent/agent.md",
        "a project's instructions for the agent",
    ),
)
_VARIABLES = (
    ("DATAAGENT_HOME", "where DataAgent keeps its files instead of ~/.dataagent"),
    ("DATAAGENT_MODEL", "the model, as provider:name"),
    ("DATAAGENT_LANGUAGE", "the language of messages: en or zh"),
    ("NO_COLOR", "set to anything: no colours"),
    ("TERM", "dumb: no colours and no line that is drawn anew"),
)
_EXIT_CODES = (
    ("0", "done"),
    ("1", "failed"),
    ("2", "wrong use: an option, the prompt, the workspace, a setting, a missing key"),
    ("3", "rejected, or an approval was needed and nobody could be asked"),
    ("4", "time-out"),
    ("130", "cancelled"),
)


def manual_page(cli: click.Command) -> str:
    """Write the page of a tree of commands."""
    root = click.Context(cli, info_name=NAME)
    lines = [
        f'.TH DATAAGENT 1 "" "dataagent {version("dataagent-cli")}" "User Commands"',
        ".SH NAME",
        _text(f"{NAME} - {_summary(cli)}"),
        ".SH SYNOPSIS",
        ".B dataagent",
        _text("[OPTIONS] [COMMAND] [ARGS]..."),
        ".SH DESCRIPTION",
        *_paragraphs(inspect.cleandoc(cli.help or "")),
        ".SH OPTIONS",
        *_options(root),
        ".SH COMMANDS",
    ]
    for context in _leaf_contexts(root):
        lines += _command(context)
    lines += [".SH EXIT STATUS", *_table(_EXIT_CODES)]
    lines += [".SH ENVIRONMENT", *_table(_VARIABLES)]
    lines += [".SH FILES", *_table(_FILES)]
    return "\n".join(lines) + "\n"


def _leaf_contexts(context: click.Context) -> Iterator[click.Context]:
    command = context.command
    if not isinstance(command, click.Group):
        yield context
        return
    for name in sorted(command.list_commands(context)):
        inner = command.get_command(context, name)
        if inner is not None and not inner.hidden:
            yield from _leaf_contexts(click.Context(inner, info_name=name, parent=context))


def _command(context: click.Context) -> list[str]:
    usage = " ".join((context.command_path, *context.command.collect_usage_pieces(context)))
    help_text = inspect.cleandoc(context.command.help or "").partition("\f")[0]
    return [f'.SS "{_escape(usage)}"', *_paragraphs(help_text), *_options(context)]


def _options(context: click.Context) -> list[str]:
    # An argument without help is in the usage line already.
    options = [p for p in context.command.params if isinstance(p, click.Option)]
    records = (option.get_help_record(context) for option in options)
    return _table([record for record in records if record is not None])


def _paragraphs(text: str) -> list[str]:
    lines: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text):
        as_it_is = paragraph.startswith("\b")
        if lines:
            lines.append(".PP")
        if as_it_is:
            kept = paragraph.strip("\b\n").splitlines()
            lines += [".nf", *(_text(line) for line in kept), ".fi"]
        else:
            lines.append(_text(" ".join(paragraph.split())))
    return lines


def _table(rows: list[tuple[str, str]] | tuple[tuple[str, str], ...]) -> list[str]:
    lines: list[str] = []
    for name, description in rows:
        lines += [".TP", f"\\fB{_escape(name)}\\fR", _text(" ".join(description.split())) or "\\&"]
    return lines


def _summary(command: click.Command) -> str:
    return " ".join((command.help or "").strip().partition("\n\n")[0].split()).rstrip(".")


def _text(line: str) -> str:
    """Write a line so that roff does not read it as a request."""
    escaped = _escape(line)
    return "\\&" + escaped if escaped.startswith((".", "'")) else escaped


def _escape(text: str) -> str:
    plain = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    plain = plain.replace("'", "\\(aq").replace("`", "\\(ga")
    return plain.replace("^", "\\(ha").replace("~", "\\(ti")
