"""`/api/v1/users/{user_id}/mcp-servers`: one person's own MCP servers (S0)."""

from typing import Annotated

from fastapi import APIRouter, Path

from dataagent_server.agents.mcp_servers.mcp_server import ServerScope
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.mcp_servers import (
    DeletedServer,
    MCPServerChange,
    MCPServerCreate,
    MCPServerInfo,
    MCPServerReplace,
)
from dataagent_server.api.v1.mcp.shared import SAVE_ERRORS, NamePath, make_info, make_infos

router = APIRouter(prefix="/users/{user_id}/mcp-servers", tags=["mcp"])

_UserPath = Annotated[str, Path(pattern=ID_PATTERN)]


@router.get("", summary="List a person's MCP servers")
async def list_mcp_servers(
    user_id: _UserPath, principal: CurrentPrincipal, services: ServicesDep
) -> list[MCPServerInfo]:
    """List your own servers, or as an admin anybody's of the tenant."""
    found = await services.mcp.servers.list_scope(principal, ServerScope(user_id))
    return await make_infos(services, principal, found)


@router.post("", status_code=201, summary="Add an MCP server to a person's", responses=SAVE_ERRORS)
async def add_mcp_server(
    user_id: _UserPath, body: MCPServerCreate, principal: CurrentPrincipal, services: ServicesDep
) -> MCPServerInfo:
    """Add a server; 409 if there is one of the name."""
    made = await services.mcp.servers.create(
        principal, body.name, ServerScope(user_id), body.wishes()
    )
    return await make_info(services, principal, made)


@router.put("/{name}", summary="Replace a person's MCP server", responses=SAVE_ERRORS)
async def replace_users_mcp_server(
    user_id: _UserPath,
    name: NamePath,
    body: MCPServerReplace,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> MCPServerInfo:
    """Say all of it anew; `***` keeps a stored secret."""
    body.check_name(name)
    changed = await services.mcp.change(
        principal, name, ServerScope(user_id), body.wishes(), body.version
    )
    return await make_info(services, principal, changed)


@router.patch("/{name}", summary="Change a person's MCP server", responses=SAVE_ERRORS)
async def change_users_mcp_server(
    user_id: _UserPath,
    name: NamePath,
    body: MCPServerChange,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> MCPServerInfo:
    """Change what is given; `***` keeps a stored secret."""
    changed = await services.mcp.change(
        principal, name, ServerScope(user_id), body.wishes(), body.version
    )
    return await make_info(services, principal, changed)


@router.delete("/{name}", summary="Delete a person's MCP server")
async def delete_users_mcp_server(
    user_id: _UserPath, name: NamePath, principal: CurrentPrincipal, services: ServicesDep
) -> DeletedServer:
    """Forget a server; its connections end."""
    await services.mcp.delete(principal, name, ServerScope(user_id))
    return DeletedServer(server_name=name)
