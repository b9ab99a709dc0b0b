"""The scope of a server, and who may use and change it."""

from sqlalchemy import Connection

from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_server.agents.mcp_servers.mcp_server import Scope, ServerScope
from dataagent_server.common.ids import TenantId
from dataagent_server.identity.auth import Action, Principal, Resource, require
from dataagent_server.identity.projects.project_rows import find_owner
from dataagent_server.workspaces.people_rows import is_in_tenant


def make_scope(principal: Principal, scope: Scope, project_id: str | None) -> ServerScope:
    """Return the scope of a server."""
    match scope:
        case "user":
            return ServerScope(principal.user_id)
        case "project":
            if project_id is None:
                raise ValidationError("Give the project_id of the project that has it.")
            return ServerScope(project_id=project_id)
        case "tenant":
            return ServerScope()


def require_server(
    connection: Connection, principal: Principal, action: Action, belongs: ServerScope
) -> None:
    """Raise unless the principal may, in a scope that exists."""
    tenant_id = principal.tenant_id
    match belongs.scope:
        case "user":
            # Only a principal that manages others learns whether a user exists.
            if belongs.user_id != principal.user_id and not is_in_tenant(
                connection, tenant_id, belongs.user_id
            ):
                raise NotFoundError(f"There is no user {belongs.user_id!r}.")
            resource = Resource(tenant_id, "mcp_server", owner_id=belongs.user_id)
        case "project":
            owner = require_project(connection, tenant_id, belongs.project_id)
            resource = Resource(
                tenant_id, "mcp_server", owner_id=owner, project_id=belongs.project_id, shared=True
            )
        case "tenant":
            resource = Resource(tenant_id, "mcp_server", shared=True)
    require(principal, action, resource)


def require_project(
    connection: Connection, tenant_id: TenantId, project_id: str | None
) -> str | None:
    """Return the owner of a project; raise if there is none."""
    if project_id is None:
        return None
    owner = find_owner(connection, tenant_id, project_id)
    if owner is None:
        raise NotFoundError(f"There is no project {project_id!r}.")
    return owner
