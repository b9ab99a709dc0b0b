"""`mcp import`: copies servers of another product into the person's own file."""

import asyncio
import os
import sys
from pathlib import Path

from dataagent_cli.mcp.config.files import change_own
from dataagent_cli.mcp.config.gather import ServerEntry
from dataagent_cli.mcp.config.redaction import document_of, redact_location
from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.wiring import App
from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.import_from import PRODUCTS, Product, places_of, read_foreign


async def import_servers(
    app: App, file: Path | None, product: Product | None, *, replace_them: bool, as_json: bool
) -> None:
    """Import the servers of a file, or of a product's files."""
    files = [file] if file is not None else await asyncio.to_thread(_choose_files, app, product)
    found, notes = await asyncio.to_thread(_read_files, files)
    added: list[MCPServerConfig] = []

    def with_found(before: list[MCPServerConfig]) -> list[MCPServerConfig]:
        known = {server.name: server for server in before}
        for server in found.values():
            if known.get(server.name) == server:
                continue
            if server.name in known and not replace_them:
                notes.append(app.say("mcp_import_kept", name=server.name))
                continue
            known[server.name] = server
            added.append(server)
        return list(known.values())

    path = await asyncio.to_thread(change_own, app, with_found)
    if as_json:
        servers = [document_of(ServerEntry(server, "own", path)) for server in added]
        write_document({"files": list(map(str, files)), "added": servers, "notes": notes})
        return
    for server in added:
        place = one_line(redact_location(server))
        app.output.note(app.say("mcp_added", name=server.name, place=place, path=path))
    if not added:
        app.output.note(app.say("mcp_import_nothing", files=", ".join(map(str, files))))
    for note in notes:
        app.output.note(one_line(note), fg="yellow")


def _read_files(files: list[Path]) -> tuple[dict[str, MCPServerConfig], list[str]]:
    found: dict[str, MCPServerConfig] = {}
    notes: list[str] = []
    for file in files:
        taken = read_foreign(file, Path.cwd())
        notes += taken.notes
        for server in taken.config.servers:
            # The file with priority in that product comes first.
            found.setdefault(server.name, server)
    return found, notes


def _choose_files(app: App, product: Product | None) -> list[Path]:
    if product is not None:
        places = _usual_paths(product)
        files = [path for path in places if path.is_file()]
        if not files:
            raise NotFoundError(
                app.say("mcp_import_no_file", product=product, places=", ".join(map(str, places)))
            )
        return files
    there = [path for one in PRODUCTS for path in _usual_paths(one) if path.is_file()]
    found = ", ".join(map(str, there)) or "-"
    raise ValidationError(app.say("mcp_import_what", found=found, products=", ".join(PRODUCTS)))


def _usual_paths(product: Product) -> list[Path]:
    return places_of(
        product,
        home=Path.home(),
        project=Path.cwd(),
        platform=sys.platform,
        environ=os.environ,
    )
