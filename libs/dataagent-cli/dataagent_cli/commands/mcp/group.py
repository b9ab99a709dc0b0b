"""`dataagent mcp`: servers whose tools the agent may use.

The commands that start or reach a server are in `use.py`.
"""

from pathlib import Path
from typing import Any

import click

from dataagent_cli.commands.mcp.options import json_option, workspace_option
from dataagent_cli.commands.mcp.use import call, login, logout, serve, test, tools
from dataagent_cli.output.error_report import errors_as_json

_PRODUCTS = ("claude-desktop", "claude-code", "opencode", "vscode")


@click.group()
def mcp() -> None:
    """Add, list, test, use and remove MCP servers."""


for command in (test, tools, call, login, logout, serve):
    mcp.add_command(command)


# Unknown options belong to the server's program; `add_options.py` refuses those that cannot.
@mcp.command(context_settings={"ignore_unknown_options": True})
@click.argument("name")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[-- COMMAND ARG...]")
@click.option("--command", metavar="CMD", help="The program to start; its arguments follow.")
@click.option("--url", help="Where a server that runs elsewhere is reached.")
@click.option("--transport", type=click.Choice(["http", "sse", "ws"]), help="How it is reached.")
@click.option("--env", multiple=True, metavar="K=V", help="A variable for the program; K: yours.")
@click.option("--header", "headers", multiple=True, metavar="K=V", help="Sent with each request.")
@click.option("--network", type=click.Choice(["none", "hosts", "full"]), help="The program's.")
@click.option("--host", "hosts", multiple=True, metavar="NAME", help="It may reach only these.")
@click.option("--read", multiple=True, metavar="PATH", help="The program may read this.")
@click.option("--write", multiple=True, metavar="PATH", help="The program may change this.")
@click.option("--timeout", type=click.IntRange(1, 600), default=30, help="Seconds to connect.")
@click.option("--client-id", help="A client registered for its sign-in beforehand.")
@click.option("--client-secret", help="That client's secret; better '${VARIABLE}'.")
@click.option("--scope", "scopes", multiple=True, help="What to ask for when signing in.")
@click.option("--disabled", is_flag=True, help="Write it down without using it.")
@click.option("--replace", is_flag=True, help="Replace a server of this name.")
@json_option
def add(as_json: bool, replace: bool, timeout: int, **typed: Any) -> None:
    """Add the server NAME: a program of this machine, or an address.

    \b
    dataagent mcp add NAME -- COMMAND ARG...
    dataagent mcp add NAME --command COMMAND [ARG...]
    dataagent mcp add NAME --url URL [--transport http|sse|ws]

    Values of --env, --header and --client-secret may hold ${VARIABLE} or ${VARIABLE:-default},
    which is filled in at every start.
    """  # noqa: D301 (click's own sign, which a raw text would not be)
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.mcp.config.add_options import AddRequest, build_server
        from dataagent_cli.mcp.config.change import add_server

        app = wiring.start()
        server = build_server(app, AddRequest(timeout_s=timeout, **typed))
        asyncio.run(add_server(app, server, replace_it=replace, as_json=as_json))


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
