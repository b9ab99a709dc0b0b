"""Finds what an agent works in: a person's workspace, or a directory the caller named."""

from pathlib import Path

from dataagent_core.config import Settings
from dataagent_core.engine.config import AgentConfig
from dataagent_core.errors import DirectoryError
from dataagent_core.sandbox.files_backend import SandboxedFilesystemBackend
from dataagent_core.sandbox.workspaces import UserWorkspaceManager


def open_user_files(config: AgentConfig, settings: Settings) -> SandboxedFilesystemBackend | None:
    """Open the workspace of the agent's user; `None` where it works in a directory of the caller.

    An agent without a user has a workspace of its own, by its assistant's name.
    """
    manager = config.workspace_manager
    if manager is None and config.workspace_path is not None:
        return None
    manager = manager or UserWorkspaceManager(
        config.workspace_root or settings.workspaces,
        settings.workspace_default_max_size_bytes,
        default_max_files=settings.workspace_default_max_files,
        tenant_id=config.tenant_id,
    )
    return SandboxedFilesystemBackend(config.user_id or config.assistant_id, manager)


def directory_of(config: AgentConfig, own: SandboxedFilesystemBackend | None) -> Path:
    """Give the directory the agent works in."""
    if own is not None:
        return own.root.path
    workspace = config.workspace_path
    if workspace is None or not workspace.is_dir():
        raise DirectoryError(
            f"the workspace {str(workspace)!r} is not a directory. Make it first, or name "
            "another one."
        )
    return workspace.resolve()
