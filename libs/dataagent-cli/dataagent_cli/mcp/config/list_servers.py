"""`mcp list`."""

from pathlib import Path

from dataagent_cli.mcp.config.redaction import document_of, redact_location, state_of
from dataagent_cli.mcp.config.servers import gather_with_notes
from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.table import print_table
from dataagent_cli.wiring import App


async def list_servers(app: App, workspace: Path, as_json: bool) -> None:
    """Print every configured server, its state and its origin."""
    servers = (await gather_with_notes(app, workspace)).servers
    if as_json:
        write_document([document_of(entry) for entry in servers])
        return
    if not servers:
        app.output.note(app.say("mcp_none"))
        return
    columns = ("mcp_server", "mcp_state", "mcp_transport", "place", "mcp_from")
    rows = [
        [
            entry.server.name,
            app.say(f"mcp_state.{state_of(entry)}"),
            entry.server.transport,
            redact_location(entry.server),
            str(entry.file),
        ]
        for entry in servers
    ]
    print_table(app.output, [app.say(f"col.{name}") for name in columns], rows)
    for entry in servers:
        if entry.must_be_asked:
            app.output.note(app.say("mcp_must_ask", name=entry.server.name), fg="yellow")
