"""Chooses the MCP servers of the agent in a folder: all that are configured and allowed."""

import asyncio
from pathlib import Path

from dataagent_cli.mcp.config.gather import ServerEntries, ServerEntry, gather
from dataagent_cli.mcp.config.project_answers import ProjectAnswers
from dataagent_cli.mcp.config.project_question import ask, somebody_is_there
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.wiring import App
from dataagent_core.errors import ConflictError, NoOneToAskError
from dataagent_core.mcp.config import MCPConfig, MCPServerConfig


async def servers_of(app: App, workspace: Path, *, may_ask: bool = True) -> MCPConfig:
    """Return the servers to use in a folder; a project's servers are asked about once.

    If nobody can be asked (or `may_ask` is false, as for `--json`) they are left out, with a note
    on how to allow them.
    """
    gathered = await gather_with_notes(app, workspace)
    wanted: list[MCPServerConfig] = []
    for entry in gathered.servers:
        if entry.server.disabled or await _is_allowed(app, workspace, entry, may_ask=may_ask):
            wanted.append(entry.server)
        elif entry.must_be_asked:
            text = app.say("mcp_left_out", name=entry.server.name)
            app.output.note(app.say("warning", text=text), fg="yellow")
    return MCPConfig(servers=wanted)


async def server_to_use(app: App, workspace: Path, name: str) -> MCPServerConfig:
    """Return one server by name, or raise why it is not used."""
    entry = (await gather_with_notes(app, workspace)).find(name, app)
    if entry.server.disabled:
        raise ConflictError(app.say("mcp_is_disabled", name=name))
    if not await _is_allowed(app, workspace, entry, may_ask=True):
        raise NoOneToAskError(app.say("mcp_not_trusted", name=name, path=entry.file))
    return entry.server


async def gather_with_notes(app: App, workspace: Path) -> ServerEntries:
    """Read every file, and print the problems in files of others."""
    gathered = await asyncio.to_thread(gather, app, workspace)
    for note in gathered.notes:
        app.output.note(app.say("warning", text=one_line(note)), fg="yellow")
    return gathered


async def _is_allowed(app: App, workspace: Path, entry: ServerEntry, *, may_ask: bool) -> bool:
    if not entry.must_be_asked:
        return not entry.is_refused
    if not (may_ask and somebody_is_there(app)):
        return False
    answer = await ask(app, entry)
    if answer is not None:
        ProjectAnswers(app.settings.home, workspace).keep(entry.server, answer)
    return answer == "allowed"
