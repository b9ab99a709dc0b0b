"""Who may see and change which skill: everybody of the tenant sees all of them.

A project's owner may change the project's skills, an admin all of them.
"""

from sqlalchemy import Connection

from dataagent_core.errors import NotFoundError
from dataagent_server.identity.auth import Action, Principal, Resource, require
from dataagent_server.identity.projects.project_rows import find_owner


def require_skill(
    connection: Connection, principal: Principal, action: Action, project_id: str | None
) -> None:
    """Raise unless the principal may, in a project that exists or in the tenant."""
    owner = None
    if project_id:
        owner = find_owner(connection, principal.tenant_id, project_id)
        if owner is None:
            raise NotFoundError(f"There is no project {project_id[:80]!r}.")
    resource = Resource(
        principal.tenant_id, "skill", owner_id=owner, project_id=project_id or None, shared=True
    )
    require(principal, action, resource)
