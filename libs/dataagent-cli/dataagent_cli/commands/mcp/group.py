"""`dataagent mcp`: servers whose tools the agent may use.

Adding is in `add.py`; what starts or reaches a server in `use.py`.
"""

from pathlib import Path

import click

from dataagent_cli.commands.mcp.add import add
from dataagent_cli.commands.mcp.options import json_option, workspace_option
from dataagent_cli.commands.mcp.use import call, login, logout, serve, test, tools
from dataagent_cli.output.error_report import errors_as_json

_PRODUCTS = ("claude-desktop", "claude-code", "opencode", "vscode")


@click.group()
def mcp() -> None:
    """Add, list, test, use and remove MCP servers."""


for command in (add, test, tools, call, login, logout, serve):
    mcp.add_command(command)


@mcp.command("list")
@workspace_option
@json_option
def list_(workspace: Path | None, as_json: bool) -> None:
    """List the servers and where each comes from; secrets are not shown."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.commands.mcp.options import folder
        from dataagent_cli.mcp.config.list_servers import list_servers

        app = wiring.start()
        asyncio.run(list_servers(app, folder(app, workspace), as_json))


@mcp.command()
@click.argument("name")
@json_option
def remove(name: str, as_json: bool) -> None:
    """Forget a server."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.mcp.config.change import remove_server

        asyncio.run(remove_server(wiring.start(), Path.cwd(), name, as_json))


@mcp.command()
@click.argument("name")
@json_option
def enable(name: str, as_json: bool) -> None:
    """Use a server again."""
    _switch(name, disabled=False, as_json=as_json)


@mcp.command()
@click.argument("name")
@json_option
def disable(name: str, as_json: bool) -> None:
    """Leave a server out of every run, without forgetting it."""
    _switch(name, disabled=True, as_json=as_json)


def _switch(name: str, *, disabled: bool, as_json: bool) -> None:
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.mcp.config.change import switch_server

        app = wiring.start()
        asyncio.run(switch_server(app, Path.cwd(), name, disabled=disabled, as_json=as_json))


@mcp.command()
@click.argument("name")
@click.option("--no", "refuse", is_flag=True, help="Do not use it, and do not ask again.")
@workspace_option
@json_option
def trust(name: str, refuse: bool, workspace: Path | None, as_json: bool) -> None:
    """Let a server of this project's `.mcp.json`, as it is now, be used."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.commands.mcp.options import folder
        from dataagent_cli.mcp.config.change import trust_server

        app = wiring.start()
        place = folder(app, workspace)
        asyncio.run(trust_server(app, place, name, wanted=not refuse, as_json=as_json))


@mcp.command("import")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--from", "product", type=click.Choice(_PRODUCTS), help="Find its files here.")
@click.option("--replace", is_flag=True, help="Replace servers of the same name.")
@json_option
def import_(file: Path | None, product: str | None, replace: bool, as_json: bool) -> None:
    """Take over the servers of another program, from FILE or from where it keeps them."""
    with errors_as_json(as_json):
        import asyncio
        from typing import cast

        from dataagent_cli import wiring
        from dataagent_cli.mcp.config.import_servers import import_servers
        from dataagent_core.mcp.import_from import Product

        app, chosen = wiring.start(), cast("Product | None", product)
        asyncio.run(import_servers(app, file, chosen, replace_them=replace, as_json=as_json))
