"""`dataagent agents`: list, show and write sub-agents."""

import click

from dataagent_cli.help.completion_values import subagent_names
from dataagent_cli.output.error_report import errors_as_json

_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group()
def agents() -> None:
    """List, show and write sub-agents: specialists that the agent gives work to."""


@agents.command("list")
@_json_option
def list_(as_json: bool) -> None:
    """List the sub-agents of the project, your own and the built-in ones."""
    with errors_as_json(as_json):
        from dataagent_cli import wiring
        from dataagent_cli.commands.agents.subagent_listing import list_subagents

        list_subagents(wiring.start(), as_json)


@agents.command()
@click.argument("name", shell_complete=subagent_names)
@_json_option
def show(name: str, as_json: bool) -> None:
    """Show a sub-agent as its file; what is printed can be saved and changed."""
    with errors_as_json(as_json):
        from dataagent_cli import wiring
        from dataagent_cli.commands.agents.subagent_listing import show_subagent

        show_subagent(wiring.start(), name, as_json)


@agents.command()
@click.argument("name")
@click.option("--description", default="", help="What it does and when to choose it.")
@click.option(
    "--from",
    "copied",
    metavar="NAME",
    shell_complete=subagent_names,
    help="Begin with a copy of this one.",
)
@click.option(
    "--project", is_flag=True, help="In this project's .dataagent, not in your own folder."
)
def new(name: str, description: str, copied: str | None, project: bool) -> None:
    """Write the file of a new sub-agent, to be filled in."""
    from dataagent_cli import wiring
    from dataagent_cli.commands.agents.subagent_listing import write_subagent

    write_subagent(wiring.start(), name, description, copied, project=project)
