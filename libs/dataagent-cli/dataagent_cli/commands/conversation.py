"""`dataagent` without a command: a conversation in the current directory."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click

from dataagent_cli.commands.plugins import QUESTION
from dataagent_cli.output import exit_codes

F = TypeVar("F", bound=Callable[..., Any])

# The value of `--resume` without a session: the person chooses one.
_CHOOSE = ""
# The value of `--server` without an address.
_LAST_LOGIN = ""


def server_options() -> tuple[Callable[[F], F], ...]:
    """Name the options that attach a command to a server."""
    return (
        click.option("--insecure", is_flag=True, help="With --server: allow one without https."),
        click.option(
            "--server",
            metavar="[URL]",
            is_flag=False,
            flag_value=_LAST_LOGIN,
            help="Let a server do the work; without an address, that of the last login.",
        ),
    )


def conversation_options(command: F) -> F:
    """Add the options of a conversation to a command."""
    for option in (
        click.option("--sandbox-id", metavar="ID", help="Work on this machine of the vendor."),
        click.option(
            "--sandbox",
            "sandbox_type",
            type=click.Choice(["local", "modal", "daytona", "runloop"]),
            help="Where commands run and files are: this machine's sandbox, or a vendor's machine.",
        ),
        click.option(
            "--unsafe-host-shell",
            is_flag=True,
            help="Run commands on this machine without a sandbox, with all your rights.",
        ),
        click.option(
            "--mode",
            type=click.Choice(["ask", "plan", "auto"]),
            help="Ask before acting, only plan, or go on within the rules.",
        ),
        *server_options(),
        click.option("--model", metavar="M", help="Model, as provider:name."),
        click.option(
            "--resume",
            metavar="[S]",
            is_flag=False,
            flag_value=_CHOOSE,
            help="Go on with this session; without one, choose from a list.",
        ),
        click.option("--session", metavar="S", help="Go on with this session, or name a new one."),
        click.option(
            "-c",
            "--continue",
            "last",
            is_flag=True,
            help="Go on with this directory's last session.",
        ),
        click.option(
            "-p",
            "--print",
            "print_answer",
            is_flag=True,
            help="Print the answer to the question and end, as `run` does.",
        ),
    ):
        command = option(command)
    return command


def start_conversation(context: click.Context, **options: Any) -> int | None:
    """Start a conversation, unless a command was named."""
    if context.invoked_subcommand is not None:
        _refuse_misplaced_options(context, options)
        return None
    from dataagent_cli.repl.terminal_kind import kind_of_terminal

    question: str | None = context.meta.get(QUESTION)
    terminal = kind_of_terminal(os.environ)
    if options.pop("print_answer") or (question is not None and terminal == "none"):
        return _run(context, question, options)
    if terminal == "none":
        return _explain(context)
    import asyncio

    from dataagent_cli import wiring
    from dataagent_cli.repl.options import make_conversation_request
    from dataagent_cli.repl.start import hold_conversation

    app = wiring.start()
    given, insecure = options.pop("server"), options.pop("insecure")
    server = None
    if given is not None:
        from dataagent_cli.remote.server_option import choose_server

        server = choose_server(app, given, insecure=insecure)
    request = make_conversation_request(app.say, Path.cwd(), server=server, **options)
    request = replace(request, first_message=question or "")
    return asyncio.run(hold_conversation(app, request, plain=terminal == "plain"))


def _run(context: click.Context, question: str | None, options: dict[str, Any]) -> int:
    """Answer one question as `run` does; without a question, standard input is read."""
    from dataagent_cli.commands.run import run

    if options.pop("last"):
        raise click.UsageError("--continue goes on with a conversation; name it with --session.")
    return context.invoke(run, prompt=question or "-", **options)


def _explain(context: click.Context) -> int:
    """Print the help, and what to do without a terminal."""
    from dataagent_cli import wiring

    click.echo(context.get_help())
    wiring.start().output.note(wiring.start().say("repl_needs_terminal"))
    return exit_codes.WRONG_USE


def _refuse_misplaced_options(context: click.Context, options: dict[str, Any]) -> None:
    given = [name for name, value in options.items() if value not in {None, False}]
    if given:
        option = "continue" if given[0] == "last" else given[0].replace("_", "-")
        raise click.UsageError(
            f"--{option} starts a conversation. Leave it out, or put it after "
            f"{context.invoked_subcommand!r} if that command has it."
        )
