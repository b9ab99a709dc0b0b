"""The entry point of `dataagent-server`: the group of commands, and the handling of their errors.

Only click is imported up front; each command imports what it needs when it runs.
"""

import os
import sys
import traceback
from typing import Final

import click

from dataagent_core.errors import DataAgentError
from dataagent_server.cli.on_demand import CommandsOnDemand
from dataagent_server.cli.serve.texts import Messages, chosen_messages
from dataagent_server.common.error_table import mapping_of

_CANCELLED: Final = 130
_FAILED: Final = 1


@click.command(cls=CommandsOnDemand, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="dataagent-server", prog_name="dataagent-server")
def cli() -> None:
    """Run a DataAgent server and look after it."""


def main() -> None:
    """Run one command and end the process with its exit code."""
    sys.exit(exit_code_of(sys.argv[1:]))


def exit_code_of(arguments: list[str]) -> int:
    """Run one command; commands return their exit code, or None for success."""
    try:
        code = _localized_cli().main(arguments, prog_name="dataagent-server", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        show_usage_error(error, chosen_messages())
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return _CANCELLED
    except BrokenPipeError:
        # The reader of the output has gone. Without this the interpreter complains at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _FAILED
    except Exception as error:  # noqa: BLE001 (the last resort)
        return _report_error(error)
    return code if isinstance(code, int) else 0


def _localized_cli() -> click.Command:
    """Return the commands in the user's language."""
    if chosen_messages().language == "en":
        return cli
    from dataagent_server.cli.help_language import translate_command

    return translate_command(cli)


def _report_error(error: Exception) -> int:
    known = isinstance(error, DataAgentError)
    if not known and os.environ.get("DATAAGENT_DEBUG"):
        traceback.print_exception(error)
    say = chosen_messages()
    if known:
        click.echo(say("error", text=say.translate(error.for_person)), err=True)
        return mapping_of(error.code).exit_code
    unexpected = say("unexpected", text=f"{type(error).__name__}: {error}")
    click.echo(say("error", text=unexpected), err=True)
    return _FAILED


def show_usage_error(error: click.ClickException, say: Messages) -> None:
    """Write the usage, where to find help, and what is wrong, on stderr."""
    if say.language == "en":
        error.show()
        return
    from dataagent_core.language.chinese.usage_texts import usage_in_chinese

    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is not None:
        click.echo(context.get_usage(), err=True)
        click.echo(say("usage_help", command=context.command_path) + "\n", err=True)
    click.echo(say("error", text=usage_in_chinese(error.format_message())), err=True)
