"""Where the person's MCP servers are written down, and changing the one file that is ours.

DATAAGENT_HOME/agents/{assistant_id}/mcp.json    the person's own; the only one we write
~/.deepagents/{assistant_id}/mcp.json            where S0 puts it; read too
WORKSPACE/.mcp.json                              what a project brings; each server is asked for
"""

from collections.abc import Callable
from pathlib import Path

from dataagent_cli.wiring import App
from dataagent_core.config.limits.mcp import MCP_AUTH_FILE_LOCK_WAIT_S
from dataagent_core.ids import checked_id
from dataagent_core.mcp.config import MCPConfig, MCPServerConfig
from dataagent_core.mcp.oauth.file_lock import hold_lock_briefly

FILE_NAME = "mcp.json"
PROJECT_FILE_NAME = ".mcp.json"


def own_file(app: App) -> Path:
    """Return the file of the current assistant."""
    settings = app.settings
    return settings.home / "agents" / checked_id(settings.assistant_id, "assistant id") / FILE_NAME


def old_file(app: App) -> Path:
    """Return the file of S0's own command line."""
    assistant_id = checked_id(app.settings.assistant_id, "assistant id")
    return Path.home() / ".deepagents" / assistant_id / FILE_NAME


def project_file(workspace: Path) -> Path:
    """Return the file of a project."""
    return workspace / PROJECT_FILE_NAME


def change_own(app: App, change: Callable[[list[MCPServerConfig]], list[MCPServerConfig]]) -> Path:
    """Rewrite the person's own file with changed servers."""
    path = own_file(app)
    app.settings.ensure_agent_dir(app.settings.assistant_id)
    # Two commands at the same time must not undo each other.
    with hold_lock_briefly(app.settings.home / "locks" / "mcp", MCP_AUTH_FILE_LOCK_WAIT_S):
        before = MCPConfig.from_file(path)
        MCPConfig(servers=change(before.servers)).to_file(path)
    return path
