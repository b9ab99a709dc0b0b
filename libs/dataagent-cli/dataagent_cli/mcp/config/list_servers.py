"""`mcp list`."""

from pathlib import Path

from dataagent_cli.mcp.config.redaction import document_of, shown_place, state_of
from dataagent_cli.mcp.config.servers import gathered_in
from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.table import print_table
from dataagent_cli.wiring import App


async def list_servers(app: App, workspace: Path, as_json: bool) -> None:
    """Print every server that is written down, whether it is used, and where it comes from."""
    servers = (await gathered_in(app, workspace)).servers
    if as_json:
        write_document([document_of(written) for written in servers])
        return
    if not servers:
        app.output.note(app.say("mcp_none"))
        return
    columns = ("mcp_server", "mcp_state", "mcp_transport", "place", "mcp_from")
    rows = [
        [
            written.server.name,
            app.say(f"mcp_state.{state_of(written)}"),
            written.server.transport,
            shown_place(written.server),
            str(written.file),
        ]
        for written in servers
    ]
    print_table(app.output, [app.say(f"col.{name}") for name in columns], rows)
    for written in servers:
        if written.must_be_asked:
            app.output.note(app.say("mcp_must_ask", name=written.server.name), fg="yellow")
