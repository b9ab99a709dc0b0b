"""Options that several of the `mcp` commands take."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from dataagent_cli.wiring import App

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def workspace_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option that names the folder whose `.mcp.json` is read."""
    help_text = "The folder whose .mcp.json counts; by default the current one."
    return click.option("--workspace", type=click.Path(path_type=Path), help=help_text)(command)


def folder(app: "App", workspace: Path | None) -> Path:
    """Return the folder whose `.mcp.json` is read."""
    from dataagent_cli.run.run_request import resolve_workspace

    return resolve_workspace(workspace or Path.cwd(), app.say)
