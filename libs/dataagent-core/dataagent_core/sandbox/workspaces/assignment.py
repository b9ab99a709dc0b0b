"""The workspace a person's agents work in: the port between the manager and whoever assigns it."""

from collections.abc import Callable
from dataclasses import dataclass

from dataagent_core.sandbox.files.workspace_quota import WorkspaceQuota


@dataclass(frozen=True, slots=True)
class WorkspaceAssignment:
    """One person's workspace: the name of its directory, who counts it, and who owns its files.

    `owner` is a user number of the host; `None` means the process's own.
    """

    workspace_id: str
    quota: WorkspaceQuota
    owner: int | None = None


# A user id -> their workspace. Raises for an id that has none.
Assign = Callable[[str], WorkspaceAssignment]
