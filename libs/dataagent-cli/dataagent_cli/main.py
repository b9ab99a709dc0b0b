"""The entry point: the group of commands, and how their errors end the process.

Only click is imported at the top, so that `dataagent --help` is instant; each command imports what
it needs when it runs.
"""

import os
import sys
from typing import Any

import click

from dataagent_cli.commands.agents.group import agents
from dataagent_cli.commands.completion import completion
from dataagent_cli.commands.config import config
from dataagent_cli.commands.conversation import conversation_options, start_conversation
from dataagent_cli.commands.data import data
from dataagent_cli.commands.demo import demo
from dataagent_cli.commands.doctor import doctor
from dataagent_cli.commands.learned.memory.group import memory
from dataagent_cli.commands.learned.patterns.group import patterns
from dataagent_cli.commands.login import login, logout
from dataagent_cli.commands.man import man
from dataagent_cli.commands.mcp.group import mcp
from dataagent_cli.commands.models import models
from dataagent_cli.commands.permissions import permissions
from dataagent_cli.commands.plugins import CommandsWithPlugins
from dataagent_cli.commands.run import run
from dataagent_cli.commands.sessions.group import sessions
from dataagent_cli.commands.setup import setup
from dataagent_cli.commands.skills.group import skills
from dataagent_cli.commands.sources import sources
from dataagent_cli.commands.usage import context, usage
from dataagent_cli.help import COMPLETION_VARIABLE
from dataagent_cli.messages import load_messages
from dataagent_cli.messages.program_name import NAME
from dataagent_cli.output import exit_codes
from dataagent_cli.output.error_report import report, report_file_problem, report_unexpected
from dataagent_cli.output.standard_streams import claim_standard_streams
from dataagent_cli.output.usage_errors import show_usage_error
from dataagent_core.errors import DataAgentError


@click.group(
    cls=CommandsWithPlugins,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@conversation_options
@click.version_option(package_name="dataagent-cli", prog_name="dataagent")
@click.pass_context
def cli(context: click.Context, **options: Any) -> int | None:
    """Ask in plain words, see every step, stay in control.

    Without a command, a conversation starts in the current directory.
    """
    return start_conversation(context, **options)


_COMMANDS = (
    run, setup, demo, data, sources, skills, agents, memory, patterns, mcp, sessions, usage,
    context, permissions, models, config, doctor, completion, man, login, logout,
)  # fmt: skip
for command in _COMMANDS:
    cli.add_command(command)


def main() -> None:
    """Run one command and end the process with its exit code."""
    claim_standard_streams()
    if COMPLETION_VARIABLE in os.environ:
        sys.exit(_complete())
    sys.exit(exit_code_of(sys.argv[1:]))


def _complete() -> int:
    """Answer the shell's Tab key; an error must not be printed there."""
    from dataagent_cli.help.completion_scripts import register

    register()
    try:
        _translated_cli().main([], prog_name=NAME)
    except Exception:  # noqa: BLE001 (another package's command may fail to load)
        return exit_codes.FAILED
    return exit_codes.DONE


def exit_code_of(arguments: list[str]) -> int:
    """Run one command; a command returns its exit code, or None for success."""
    try:
        code = _translated_cli().main(arguments, prog_name=NAME, standalone_mode=False)
        sys.stdout.flush()
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 (the last resort)
        return _exit_code_after(error)
    return code if isinstance(code, int) else exit_codes.DONE


def _translated_cli() -> click.Command:
    """Return the commands in the person's language."""
    say = load_messages()
    if say.language == "en":
        return cli
    from dataagent_cli.help.language import in_language

    return in_language(cli, say)


def _exit_code_after(error: BaseException) -> int:
    match error:
        case click.ClickException():
            show_usage_error(error, load_messages())
            return error.exit_code
        case click.Abort() | KeyboardInterrupt():
            return exit_codes.CANCELLED
        case BrokenPipeError():
            # The reader of the output is gone. Without this the interpreter complains at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return exit_codes.FAILED
        case DataAgentError():
            return report(error)
        case OSError() if error.filename is not None and error.strerror:
            return report_file_problem(error)
        case _:
            return report_unexpected(error)
