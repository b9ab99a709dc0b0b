"""People's workspaces (S0, S4): directories with a quota, one layout for library and server.

`UserWorkspaceManager` is the way in. Which workspace a person has and who counts it is an
`Assign`ment: the library derives both from the ids (`assignment.py`), the server reads its
rows.
"""

from dataagent_core.sandbox.workspaces.assignment import (
    Assign,
    WorkspaceAssignment,
    adopt_workspace,
)
from dataagent_core.sandbox.workspaces.workspace_manager import UserWorkspaceManager

__all__ = ["Assign", "UserWorkspaceManager", "WorkspaceAssignment", "adopt_workspace"]
