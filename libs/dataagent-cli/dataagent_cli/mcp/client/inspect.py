"""`mcp test` and `mcp tools`: connect, and print what the server offers."""

import time
from pathlib import Path

from dataagent_cli.mcp.client.connection import open_connection
from dataagent_cli.mcp.client.next_step import with_next_step
from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.table import print_table
from dataagent_cli.wiring import App


async def test_server(app: App, workspace: Path, name: str, as_json: bool) -> None:
    """Connect and count the tools."""
    async with open_connection(app, workspace, name) as connection:
        began_s = time.monotonic()
        with with_next_step(app, connection.config):
            tools = await connection.tools(fresh=True)
        elapsed_ms = round((time.monotonic() - began_s) * 1000)
        version = connection.status.protocol_version
    if as_json:
        write_document(
            {
                "name": name,
                "tools": len(tools),
                "protocol_version": version,
                "elapsed_ms": elapsed_ms,
            }
        )
        return
    facts = {"tools": len(tools), "version": version, "ms": elapsed_ms}
    app.output.line(app.say("mcp_works", name=name, **facts))
    app.output.note(app.say("mcp_next_tools", name=name), dim=True)


async def list_tools(app: App, workspace: Path, name: str, as_json: bool) -> None:
    """Print the tools as the server describes them now."""
    async with open_connection(app, workspace, name) as connection:
        with with_next_step(app, connection.config):
            tools = await connection.tools(fresh=True)
    if as_json:
        write_document(
            [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]
        )
        return
    if not tools:
        app.output.note(app.say("mcp_no_tools", name=name))
        return
    heads = [app.say("col.mcp_tool"), app.say("col.description")]
    print_table(app.output, heads, [[tool.name, tool.description or ""] for tool in tools])
