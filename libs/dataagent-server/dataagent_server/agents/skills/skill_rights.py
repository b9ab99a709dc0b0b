"""Who may see and change which skill: everybody of the tenant sees all of them.

A project's owner may change the project's skills, an admin all of them.
"""

from sqlalchemy import Connection

from dataagent_server.identity.auth import Action, Principal
from dataagent_server.identity.projects.project_scope import require_in_scope


def require_skill(
    connection: Connection, principal: Principal, action: Action, project_id: str | None
) -> None:
    """Raise unless the principal may, in a project that exists or in the tenant."""
    require_in_scope(connection, principal, action, "skill", project_id, shared=True)
