"""What the routes about MCP servers share: parameters, errors, and finding the one meant."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import Depends, Path, Query

from dataagent_core.config.limits.mcp import MCP_AUTH_SCOPE_CHARS_MAX
from dataagent_server.agents.mcp_servers.mcp_server import Scope, ServerScope
from dataagent_server.agents.mcp_servers.mcp_server_service import ServerMatch
from dataagent_server.agents.mcp_servers.server_rights import make_scope
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.mcp_servers import MCPServerInfo
from dataagent_server.api.openapi import errors
from dataagent_server.composition import Services
from dataagent_server.identity.auth.principal import Principal

NamePath = Annotated[str, Path(pattern=ID_PATTERN, examples=["filesystem"])]
ScopeQuery = Annotated[
    Scope | None,
    Query(description="Whose server; left out, the nearest of the name: yours, the project's, "
          "the tenant's"),
]  # fmt: skip
ProjectQuery = Annotated[
    str | None,
    Query(alias="project_id", pattern=ID_PATTERN, description="Ask as from this project"),
]
ScopesQuery = Annotated[
    str,
    Query(
        max_length=MCP_AUTH_SCOPE_CHARS_MAX,
        description="Rights to ask for beyond the usual ones, with spaces between them",
    ),
]
SAVE_ERRORS = errors("CONFLICT", "LIMIT_REACHED", "NOT_FOUND", "VALIDATION_ERROR")
# What asking a server may end with.
LOOKUP_ERRORS = errors("CONFLICT", "NOT_FOUND")


async def find_scope(
    name: NamePath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    scope: ScopeQuery = None,
    project_id: ProjectQuery = None,
) -> ServerScope:
    """Say whose the server is that a request means."""
    if scope is None:
        return await services.mcp.servers.find_scope(principal, name, project_id)
    return make_scope(principal, scope, project_id)


ScopeDep = Annotated[ServerScope, Depends(find_scope)]


async def make_info(services: Services, principal: Principal, found: ServerMatch) -> MCPServerInfo:
    """Show a server and how it is."""
    return (await make_infos(services, principal, [found]))[0]


async def make_infos(
    services: Services, principal: Principal, found: Sequence[ServerMatch]
) -> list[MCPServerInfo]:
    """Show servers and how they are."""
    waiting = await services.mcp.list_waiting(principal, found)
    return [
        MCPServerInfo.of(
            one.shown, services.mcp.status(principal, one), needs_allow=one.config in waiting
        )
        for one in found
    ]
