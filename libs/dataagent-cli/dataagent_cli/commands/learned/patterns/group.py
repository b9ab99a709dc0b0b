"""`dataagent patterns`: list, show, compile, edit, run and forget what was learned from runs."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dataagent_cli.help.completion_values import model_names
from dataagent_cli.output.error_report import errors_as_json

if TYPE_CHECKING:
    from typing import TextIO

_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_yes_option = click.option("--yes", is_flag=True, help="Do not ask.")


@click.group()
def patterns() -> None:
    """Ways of working that were learned from your runs, and workflows made of them."""


@patterns.command("list")
@_json_option
def list_(as_json: bool) -> None:
    """List the patterns: how often each led to a result, and what its workflow has saved."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.commands.learned.patterns.pattern_list import list_patterns

        asyncio.run(list_patterns(wiring.start(), as_json))


@patterns.command()
@click.argument("name")
@click.option("--workflow", is_flag=True, help="Print only the file of its workflow.")
@_json_option
def show(name: str, workflow: bool, as_json: bool) -> None:
    """Show a pattern: its steps, what people chose and corrected, and its workflow."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.commands.learned.patterns.pattern_list import show_pattern

        asyncio.run(show_pattern(wiring.start(), name, only_workflow=workflow, as_json=as_json))


@patterns.command("compile")
@click.argument("name")
@_yes_option
@_json_option
def compile_(name: str, yes: bool, as_json: bool) -> None:
    """Make a workflow of a pattern that was done several times in the same way.

    Shows the file, or how it differs from the one before, and stores it on a yes.
    """
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.commands.learned.patterns.workflow_files import compile_into

        asyncio.run(compile_into(wiring.start(), name, sure=yes, as_json=as_json))


@patterns.command()
@click.argument("name")
@click.argument("file", type=click.File("r", encoding="utf-8-sig"))
@_yes_option
@_json_option
def edit(name: str, file: "TextIO", yes: bool, as_json: bool) -> None:
    """Take over the file of a workflow that you have changed; FILE `-` is standard input.

    `patterns show NAME --workflow` prints the present one.
    """
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.commands.learned.patterns.workflow_files import edit_from

        asyncio.run(edit_from(wiring.start(), name, file, sure=yes, as_json=as_json))


@patterns.command()
@click.argument("name")
@click.option(
    "--input", "inputs", metavar="NAME=VALUE", multiple=True, help="An input; repeatable."
)
@click.option("--model", metavar="M", shell_complete=model_names, help="Model, as provider:name.")
@click.option(
    "--workspace",
    type=click.Path(path_type=Path),
    help="Directory to work in; by default the current one.",
)
@click.option("--yes", is_flag=True, help="Approve everything the agent asks.")
@click.option("--approve", metavar="TOOL", multiple=True, help="Approve this tool; repeatable.")
@click.option("--timeout", type=float, metavar="S", help="Seconds the run may take.")
@click.option("--json", "as_json", is_flag=True, help="One event per line on stdout, as JSON.")
def run(  # noqa: PLR0917 (click passes them by name)
    name: str,
    inputs: tuple[str, ...],
    model: str | None,
    workspace: Path | None,
    yes: bool,
    approve: tuple[str, ...],
    timeout: float | None,
    as_json: bool,
) -> int:
    """Run the workflow of a pattern; each call is asked about as always.

    A model is used only where data differ. At the first surprise the agent goes on.
    """
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.approval.rule import ApprovalRule
        from dataagent_cli.commands.learned.patterns.workflow_run import run_workflow
        from dataagent_cli.run.run_request import RunRequest, check_timeout, resolve_workspace

        app = wiring.start()
        request = RunRequest(
            prompt="",
            session_id=wiring.new_session_id(),
            session_is_new=True,
            model=model,
            workspace=resolve_workspace(workspace, app.say) if workspace else None,
            approvals=ApprovalRule(everything=yes, tools=frozenset(approve)),
            timeout_s=check_timeout(timeout, app.say),
            as_json=as_json,
        )
        return asyncio.run(run_workflow(app, request, name, inputs))


@patterns.command()
@click.argument("name")
@_yes_option
@_json_option
def forget(name: str, yes: bool, as_json: bool) -> None:
    """Delete a pattern with its workflow and all it learned; sessions stay."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.commands.learned.patterns.stored_patterns import forget_pattern

        asyncio.run(forget_pattern(wiring.start(), name, sure=yes, as_json=as_json))
