"""`SandboxedFilesystemBackend` (S0): a person's workspace as deepagents and programs see it.

Every write is counted before it happens and refused beyond the quota. The
methods of the deepagents protocol answer with an error text; S0's own two raise Python's errors.
"""

import asyncio

from dataagent_core.errors import (
    DeniedError,
    NotFoundError,
    PathEscapeError,
    QuotaExceededError,
)
from dataagent_core.sandbox.files.metered_root import MeteredRoot
from dataagent_core.sandbox.files.root_backend import RootBackend
from dataagent_core.sandbox.workspaces import UserWorkspaceManager


class SandboxedFilesystemBackend(RootBackend):
    """The files of one person, and nothing else; no links are followed."""

    def __init__(self, user_id: str, workspace_manager: UserWorkspaceManager) -> None:
        self.root: MeteredRoot = workspace_manager.open_root(user_id)
        super().__init__(self.root)

    async def read_file(self, path: str) -> str:
        """Read a text file. Raises `PermissionError` outside the workspace."""
        try:
            data = await asyncio.to_thread(self.root.read_bytes, path)
        except NotFoundError as error:
            raise FileNotFoundError(str(error)) from error
        except (DeniedError, PathEscapeError) as error:
            raise PermissionError(str(error)) from error
        return data.decode("utf-8", "replace")

    async def write_file(self, path: str, content: str) -> None:
        """Write a text file. Raises `PermissionError` outside the workspace or beyond its quota."""
        data = content.encode("utf-8", "replace")
        try:
            await asyncio.to_thread(self.root.write_atomic, path, data)
        except (DeniedError, PathEscapeError, QuotaExceededError) as error:
            raise PermissionError(str(error)) from error
