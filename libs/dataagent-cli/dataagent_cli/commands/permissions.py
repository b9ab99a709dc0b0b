"""`dataagent permissions`: what the agent may do, what it asks, and why."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from dataagent_cli.output.error_report import errors_as_json

_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_project_option = click.option("--project", is_flag=True, help="The folder's rules, not your own.")


def _workspace_option(command: Callable[..., Any]) -> Callable[..., Any]:
    help_text = "The folder whose rules count; by default the current one."
    return click.option("--workspace", type=click.Path(path_type=Path), help=help_text)(command)


@click.group()
def permissions() -> None:
    """Look at the rules, change them, and ask why."""


@permissions.command("list")
@_workspace_option
@_json_option
def list_(workspace: Path | None, as_json: bool) -> None:
    """List every rule that counts here."""
    with errors_as_json(as_json):
        from dataagent_cli import wiring
        from dataagent_cli.permissions.list_rules import list_rules
        from dataagent_cli.permissions.rule_files import locate_rules

        app = wiring.start()
        list_rules(app, locate_rules(app, workspace), as_json)


@permissions.command()
@click.argument("action", type=click.Choice(["allow", "ask", "deny"]))
@click.argument("tool")
@click.argument("resource", default="**")
@_project_option
@_workspace_option
@_json_option
def add(  # noqa: PLR0917 (click passes them by name)
    action: str, tool: str, resource: str, project: bool, workspace: Path | None, as_json: bool
) -> None:
    """Add a rule: ACTION for TOOL on RESOURCE, such as `deny shell "git push *"`."""
    with errors_as_json(as_json):
        from dataagent_cli import wiring
        from dataagent_cli.permissions.change import add_rule
        from dataagent_cli.permissions.rule_files import locate_rules

        app = wiring.start()
        entry = {"action": action, "tool": tool, "resource": resource}
        location = locate_rules(app, workspace)
        add_rule(app, location, entry, of_project=project, as_json=as_json)


@permissions.command()
@click.argument("number", type=click.IntRange(min=1))
@_project_option
@_workspace_option
@_json_option
def remove(number: int, project: bool, workspace: Path | None, as_json: bool) -> None:
    """Remove the rule with this NUMBER in `permissions list`."""
    with errors_as_json(as_json):
        from dataagent_cli import wiring
        from dataagent_cli.permissions.change import delete_rule
        from dataagent_cli.permissions.rule_files import locate_rules

        app = wiring.start()
        location = locate_rules(app, workspace)
        delete_rule(app, location, number, of_project=project, as_json=as_json)


@permissions.command()
@click.option("--no", "withdraw", is_flag=True, help="Trust the folder no longer.")
@_workspace_option
def trust(withdraw: bool, workspace: Path | None) -> None:
    """Let this folder's rules, as they are now, loosen and not only tighten."""
    from dataagent_cli import wiring
    from dataagent_cli.permissions.change import set_trust
    from dataagent_cli.permissions.rule_files import locate_rules

    app = wiring.start()
    set_trust(app, locate_rules(app, workspace), wanted=not withdraw)


@permissions.command()
@click.option("--take", metavar="NUMBER", help="Put this change into its place.")
@click.option("--drop", metavar="NUMBER", help="Forget this change.")
@_workspace_option
@_json_option
def held(take: str | None, drop: str | None, workspace: Path | None, as_json: bool) -> None:
    """Show the changes of commands that were held back here, take one over or drop it."""
    with errors_as_json(as_json):
        from dataagent_cli import wiring
        from dataagent_cli.permissions.held_files import decide_held
        from dataagent_cli.permissions.rule_files import locate_rules

        app = wiring.start()
        decide_held(app, locate_rules(app, workspace), take=take, drop=drop, as_json=as_json)


@permissions.command()
@click.argument("hosts", nargs=-1, metavar="[HOST]...")
@click.option("--none", "withdraw", is_flag=True, help="Let commands reach no host.")
@_workspace_option
@_json_option
def registries(
    hosts: tuple[str, ...], withdraw: bool, workspace: Path | None, as_json: bool
) -> None:
    """Show the package registries that commands in this folder may reach, or set them to HOSTs."""
    with errors_as_json(as_json):
        from dataagent_cli import wiring
        from dataagent_cli.permissions.change import set_registries
        from dataagent_cli.permissions.rule_files import locate_rules

        app = wiring.start()
        wanted = () if withdraw else hosts or None
        set_registries(app, locate_rules(app, workspace), wanted, as_json=as_json)


@permissions.command()
@click.argument("command")
@click.option("--tool", default="shell", metavar="NAME", help="Another tool: COMMAND is its path.")
@_workspace_option
@_json_option
def explain(command: str, tool: str, workspace: Path | None, as_json: bool) -> None:
    """Say why COMMAND would be allowed, asked about or denied. Nothing is run."""
    with errors_as_json(as_json):
        from dataagent_cli import wiring
        from dataagent_cli.permissions.explain import explain as say_why
        from dataagent_cli.permissions.rule_files import locate_rules

        app = wiring.start()
        say_why(app, locate_rules(app, workspace), tool, command, as_json)
