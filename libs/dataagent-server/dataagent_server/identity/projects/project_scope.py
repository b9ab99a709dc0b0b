"""Who may do what with what belongs to a tenant or to one of its projects.

A `project_id` that is None or empty means the whole tenant.
"""

from sqlalchemy import Connection

from dataagent_core.errors import NotFoundError
from dataagent_server.common.ids import TenantId
from dataagent_server.identity.auth import Action, Kind, Principal, Resource, require
from dataagent_server.identity.projects.project_rows import find_owner


def require_in_scope(
    connection: Connection,
    principal: Principal,
    action: Action,
    kind: Kind,
    project_id: str | None,
    *,
    shared: bool = False,
) -> None:
    """Raise unless the principal may, in a project that exists or in the tenant."""
    # What is changed does not outlive its project.
    resource = make_resource(
        connection,
        principal.tenant_id,
        kind,
        project_id,
        shared=shared,
        locked=not action.endswith(".read"),
    )
    require(principal, action, resource)


def make_resource(
    connection: Connection,
    tenant_id: TenantId,
    kind: Kind,
    project_id: str | None,
    *,
    shared: bool = False,
    locked: bool = False,
) -> Resource:
    """Return the resource of an action in a project that exists, or in the tenant."""
    owner = require_project(connection, tenant_id, project_id, locked=locked)
    return Resource(tenant_id, kind, owner, project_id or None, shared)


def require_project(
    connection: Connection, tenant_id: TenantId, project_id: str | None, *, locked: bool = False
) -> str | None:
    """Return the owner of a project, None for the tenant; raise if there is no such project.

    `locked`: nobody deletes it before the commit.
    """
    if not project_id:
        return None
    owner = find_owner(connection, tenant_id, project_id, locked=locked)
    if owner is None:
        raise NotFoundError(f"There is no project {project_id[:80]!r}.")
    return owner
