"""The scope of a server, and who may use and change it."""

from sqlalchemy import Connection

from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_server.agents.mcp_servers.mcp_server import Scope, ServerScope
from dataagent_server.identity.auth import Action, Principal, Resource, require
from dataagent_server.identity.projects.project_scope import make_resource
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
        case "project" | "tenant":
            resource = make_resource(
                connection,
                tenant_id,
                "mcp_server",
                belongs.project_id,
                shared=True,
                locked=action == "mcp_server.change",
            )
    require(principal, action, resource)
