"""`dataagent mcp add`: the one command of the group with many options."""

from typing import Any

import click

from dataagent_cli.commands.mcp.options import json_option
from dataagent_cli.output.error_report import errors_as_json


# What we do not know belongs to the server's program; `ordering.py` refuses what cannot.
@click.command(context_settings={"ignore_unknown_options": True})
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
        from dataagent_cli.mcp.config.add_options import AddRequest, ordered_server
        from dataagent_cli.mcp.config.change import add_server

        app = wiring.start()
        server = ordered_server(app, AddRequest(timeout_s=timeout, **typed))
        asyncio.run(add_server(app, server, replace_it=replace, as_json=as_json))
