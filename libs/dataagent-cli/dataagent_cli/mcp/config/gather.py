"""Reads every configured server for the person and the folder, each with its origin.

A name counts once: the person's own file comes before S0's, and both come before a project's, so
that a project cannot replace a server the person knows.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from dataagent_cli.mcp.config.add_options import make_absolute
from dataagent_cli.mcp.config.files import old_file, own_file, project_file
from dataagent_cli.mcp.config.project_answers import Answer, ProjectAnswers
from dataagent_cli.wiring import App
from dataagent_core.errors import DataAgentError, NotFoundError
from dataagent_core.mcp.config import MCPConfig, MCPServerConfig
from dataagent_core.mcp.import_from import read_foreign

Origin = Literal["own", "deepagents", "project"]


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """A server with its file; for a project's server also the person's answer."""

    server: MCPServerConfig
    origin: Origin
    file: Path
    answer: Answer | None = None

    @property
    def must_be_asked(self) -> bool:
        """Say whether the person has not decided about it yet."""
        return self.origin == "project" and self.answer is None

    @property
    def is_refused(self) -> bool:
        """Say whether the person refused it."""
        return self.origin == "project" and self.answer == "refused"


@dataclass(frozen=True, slots=True)
class ServerEntries:
    """The servers, and problems in files that are not the person's own."""

    servers: list[ServerEntry]
    notes: list[str]

    def find(self, name: str, app: App) -> ServerEntry:
        """Find a server by name."""
        for entry in self.servers:
            if entry.server.name == name:
                return entry
        from dataagent_core.tools.definition.name_suggestions import suggest_names

        guess = suggest_names(name, (entry.server.name for entry in self.servers))
        guess = f"{guess} ".lstrip()
        raise NotFoundError(app.say("mcp_no_server", name=name, guess=guess))


def gather(app: App, workspace: Path) -> ServerEntries:
    """Read all files; an error in the person's own file is raised, others are noted."""
    notes: list[str] = []
    own = own_file(app)
    found = [ServerEntry(server, "own", own) for server in MCPConfig.from_file(own).servers]
    try:
        old = old_file(app)
        found += [
            ServerEntry(server, "deepagents", old) for server in MCPConfig.from_file(old).servers
        ]
    except DataAgentError as error:
        notes.append(str(error))
    try:
        found += _read_project_servers(app, workspace, notes)
    except DataAgentError as error:
        notes.append(str(error))
    first: dict[str, ServerEntry] = {}
    for entry in found:
        first.setdefault(entry.server.name, entry)
    return ServerEntries(list(first.values()), notes)


def _read_project_servers(app: App, workspace: Path, notes: list[str]) -> Iterator[ServerEntry]:
    file = project_file(workspace)
    try:
        taken = read_foreign(file, workspace)
    except NotFoundError:
        return
    notes += taken.notes
    answers = ProjectAnswers(app.settings.home, workspace)
    for foreign in taken.config.servers:
        # Such a file names its programs relative to its own folder.
        server = replace(foreign, command=make_absolute(foreign.command, workspace))
        yield ServerEntry(server, "project", file, answers.get_answer(server))
