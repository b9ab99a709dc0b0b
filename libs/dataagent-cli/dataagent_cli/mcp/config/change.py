"""`mcp add`, `remove`, `enable`, `disable` and `trust`: change the configured servers."""

import asyncio
import shutil
from dataclasses import replace
from pathlib import Path

from dataagent_cli.mcp.client.connection import person
from dataagent_cli.mcp.config.files import change_own
from dataagent_cli.mcp.config.gather import ServerEntry
from dataagent_cli.mcp.config.project_answers import ProjectAnswers
from dataagent_cli.mcp.config.redaction import document_of, redact_location
from dataagent_cli.mcp.config.servers import gather_with_notes
from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.wiring import App
from dataagent_core.errors import ConflictError, ValidationError
from dataagent_core.mcp.config import MCPServerConfig


async def add_server(app: App, server: MCPServerConfig, *, replace_it: bool, as_json: bool) -> None:
    """Add a server to the configuration; nothing is started yet."""

    def added(before: list[MCPServerConfig]) -> list[MCPServerConfig]:
        if not replace_it and any(known.name == server.name for known in before):
            raise ConflictError(app.say("mcp_exists", name=server.name))
        return [*(known for known in before if known.name != server.name), server]

    path = await asyncio.to_thread(change_own, app, added)
    if as_json:
        write_document(document_of(ServerEntry(server, "own", path)))
        return
    place = one_line(redact_location(server))
    app.output.note(app.say("mcp_added", name=server.name, place=place, path=path))
    if server.command and "${" not in server.command and shutil.which(server.command) is None:
        text = app.say("mcp_command_missing", command=one_line(server.command))
        app.output.note(app.say("warning", text=text), fg="yellow")
    app.output.note(app.say("mcp_next_test", name=server.name), dim=True)


async def remove_server(app: App, workspace: Path, name: str, as_json: bool) -> None:
    """Remove a server from the person's own file, with its stored data and tokens."""
    entry = await _find_own_server(app, workspace, name)

    def without(before: list[MCPServerConfig]) -> list[MCPServerConfig]:
        return [server for server in before if server.name != name]

    path = await asyncio.to_thread(change_own, app, without)
    await forget_server_data(app, entry.server)
    _report(app, "mcp_removed", name, path, as_json=as_json, removed=True)


async def switch_server(
    app: App, workspace: Path, name: str, *, disabled: bool, as_json: bool
) -> None:
    """Disable a server for every run, or enable it again."""
    await _find_own_server(app, workspace, name)

    def switched(before: list[MCPServerConfig]) -> list[MCPServerConfig]:
        return [
            replace(server, disabled=disabled) if server.name == name else server
            for server in before
        ]

    path = await asyncio.to_thread(change_own, app, switched)
    key = "mcp_disabled" if disabled else "mcp_enabled"
    _report(app, key, name, path, as_json=as_json, disabled=disabled)


async def trust_server(
    app: App, workspace: Path, name: str, *, wanted: bool, as_json: bool
) -> None:
    """Allow or refuse a project's server before it is asked about."""
    entry = (await gather_with_notes(app, workspace)).find(name, app)
    if entry.origin != "project":
        raise ValidationError(app.say("mcp_not_projects", name=name, path=entry.file))
    answers = ProjectAnswers(app.settings.home, workspace)
    await asyncio.to_thread(answers.keep, entry.server, "allowed" if wanted else "refused")
    key = "mcp_trusted" if wanted else "mcp_refused"
    _report(app, key, name, entry.file, as_json=as_json, trusted=wanted)


async def _find_own_server(app: App, workspace: Path, name: str) -> ServerEntry:
    """Return a server of the person's own file, or refuse to change it."""
    entry = (await gather_with_notes(app, workspace)).find(name, app)
    if entry.origin != "own":
        key = "mcp_of_project" if entry.origin == "project" else "mcp_of_other_file"
        raise ConflictError(app.say(key, name=name, path=entry.file))
    return entry


def _report(app: App, key: str, name: str, path: Path, *, as_json: bool, **facts: bool) -> None:
    if as_json:
        write_document({"name": name, "file": str(path), **facts})
    else:
        app.output.note(app.say(key, name=name, path=path))


async def forget_server_data(app: App, server: MCPServerConfig) -> None:
    """Delete a server's home and tokens; a server at the same address needs a new sign-in."""
    if server.transport == "stdio":
        from dataagent_core.mcp.local import local_homes
        from dataagent_core.mcp.transports.program.server_homes import forget_home

        homes = local_homes(app.settings)
        await asyncio.to_thread(forget_home, person(), server.name, homes)
    elif "${" not in server.url:
        from dataagent_core.mcp.local import local_tokens
        from dataagent_core.mcp.oauth.resource import resource_of

        store, resource = local_tokens(app.settings), resource_of(server)
        async with store.lock(person(), resource):
            await store.delete_tokens(person(), resource)
            await store.delete_client(person(), resource)
