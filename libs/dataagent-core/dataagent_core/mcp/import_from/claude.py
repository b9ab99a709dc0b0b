"""Claude Desktop and Claude Code: `mcpServers`, in Claude Code also beneath each project."""

from pathlib import Path

from dataagent_core.mcp.import_from.foreign_servers import (
    Fields,
    ForeignServers,
    fields_of,
    objects_in,
)

_SERVERS = "mcpServers"
_PROJECTS = "projects"


def is_claude(content: Fields) -> bool:
    """Say whether the file is one of Claude's, or of the many that copied its form."""
    return _SERVERS in content or any(
        _SERVERS in project for _, project in objects_in(content.get(_PROJECTS))
    )


def find_claude(content: Fields, project: Path | None) -> ForeignServers:
    """Take the servers for all projects and those of one; a project's own come first."""
    found = ForeignServers("Claude")
    others = 0
    mine: Fields = {}
    for folder, inner in objects_in(content.get(_PROJECTS)):
        if project is not None and Path(folder) == project:
            mine = fields_of(inner.get(_SERVERS))
        else:
            others += len(fields_of(inner.get(_SERVERS)))
    found.add_all({**fields_of(content.get(_SERVERS)), **mine})
    if others:
        found.notes.append(
            f"{others} servers belong to other projects: run the import in their folders."
        )
    return found
