"""The `mcp` commands that start or reach a server, and `mcp serve`."""

from pathlib import Path

import click

from dataagent_cli.commands.mcp.options import folder, json_option, workspace_option
from dataagent_cli.output.error_report import errors_as_json


@click.command()
@click.argument("name")
@workspace_option
@json_option
def test(name: str, workspace: Path | None, as_json: bool) -> None:
    """Connect to a server and count its tools."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.mcp.client.inspect import test_server

        app = wiring.start()
        asyncio.run(test_server(app, folder(app, workspace), name, as_json))


@click.command()
@click.argument("name")
@workspace_option
@json_option
def tools(name: str, workspace: Path | None, as_json: bool) -> None:
    """List the tools of a server; with --json also what they take."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.mcp.client.inspect import list_tools

        app = wiring.start()
        asyncio.run(list_tools(app, folder(app, workspace), name, as_json))


@click.command()
@click.argument("name")
@click.argument("tool")
@click.argument("arguments", default="{}", metavar="JSON")
@click.option("--timeout", type=click.IntRange(1, 3600), default=300, help="Seconds it may take.")
@click.option(
    "--folder",
    "into",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=Path(),
    help="Where pictures and files of the answer go; by default here.",
)
@workspace_option
@json_option
def call(  # noqa: PLR0917 (click passes them by name)
    name: str,
    tool: str,
    arguments: str,
    timeout: int,
    into: Path,
    workspace: Path | None,
    as_json: bool,
) -> int:
    """Call TOOL of the server NAME with JSON arguments; `-` reads them from standard input."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.mcp.client.call import call_tool, read_arguments

        app = wiring.start()
        return asyncio.run(
            call_tool(
                app,
                folder(app, workspace),
                name,
                tool,
                read_arguments(app, arguments),
                timeout_s=timeout,
                folder=into,
                as_json=as_json,
            )
        )


@click.command()
@click.argument("name")
@click.option("--scope", "scopes", multiple=True, help="Ask for this; by default what is needed.")
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@workspace_option
@json_option
def login(
    name: str, scopes: tuple[str, ...], no_browser: bool, workspace: Path | None, as_json: bool
) -> None:
    """Sign in at a server, in a browser."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.mcp.client.login import log_in

        app = wiring.start()
        place, wanted = folder(app, workspace), " ".join(scopes)
        asyncio.run(
            log_in(app, place, name, scopes=wanted, browser=not no_browser, as_json=as_json)
        )


@click.command()
@click.argument("name")
@workspace_option
@json_option
def logout(name: str, workspace: Path | None, as_json: bool) -> None:
    """Forget your sign-in at a server."""
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.mcp.client.login import log_out

        app = wiring.start()
        asyncio.run(log_out(app, folder(app, workspace), name, as_json))


@click.command()
@click.option("--read-only", is_flag=True, help="Only what looks and changes nothing.")
@workspace_option
def serve(read_only: bool, workspace: Path | None) -> None:
    """Be an MCP server on standard input and output, for a program that starts this one."""
    import asyncio

    from dataagent_cli import wiring
    from dataagent_cli.mcp.serve.server import serve_mcp

    app = wiring.start()
    asyncio.run(serve_mcp(app, folder(app, workspace), read_only=read_only))
