"""`/api/v1/mcp/servers`: the MCP servers a person sees, tries and signs in at (S2)."""

from fastapi import APIRouter, Request

from dataagent_server.agents.mcp_servers.server_rights import make_scope
from dataagent_server.agents.mcp_servers.sign_in.sign_ins import SIGN_IN_S
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep, WithoutTimeout
from dataagent_server.api.models import Page
from dataagent_server.api.models.mcp_servers import (
    MCPServerChange,
    MCPServerCreate,
    MCPServerInfo,
    MCPServerReplace,
    MCPTest,
    MCPToolInfo,
    MCPTools,
    SignedOut,
    SignInBegun,
)
from dataagent_server.api.openapi import errors
from dataagent_server.api.v1.mcp.shared import (
    LOOKUP_ERRORS,
    SAVE_ERRORS,
    NamePath,
    ProjectQuery,
    ScopeDep,
    ScopeQuery,
    ScopesQuery,
    make_info,
    make_infos,
)

router = APIRouter(prefix="/mcp/servers", tags=["mcp"])


@router.get("", summary="List MCP servers", responses=errors("NOT_FOUND"))
async def list_seen_mcp_servers(
    principal: CurrentPrincipal,
    services: ServicesDep,
    scope: ScopeQuery = None,
    project_id: ProjectQuery = None,
) -> Page[MCPServerInfo]:
    """List your servers, the project's and the tenant's; of one name the nearest."""
    if scope is None:
        found = await services.mcp.servers.list_visible(principal, project_id)
    else:
        found = await services.mcp.servers.list_scope(
            principal, make_scope(principal, scope, project_id)
        )
    return Page(items=await make_infos(services, principal, found))


@router.post("", status_code=201, summary="Add an MCP server", responses=SAVE_ERRORS)
async def create_mcp_server(
    body: MCPServerCreate,
    principal: CurrentPrincipal,
    services: ServicesDep,
    scope: ScopeQuery = None,
    project_id: ProjectQuery = None,
) -> MCPServerInfo:
    """Add one of your own, or with `scope` one for a project or, as an admin, the tenant."""
    belongs = make_scope(principal, scope or "user", project_id)
    made = await services.mcp.servers.create(principal, body.name, belongs, body.wishes())
    return await make_info(services, principal, made)


@router.get("/{name}", summary="One MCP server")
async def get_mcp_server(
    name: NamePath, belongs: ScopeDep, principal: CurrentPrincipal, services: ServicesDep
) -> MCPServerInfo:
    """Show a server and how it is for you."""
    found = await services.mcp.servers.get(principal, name, belongs)
    return await make_info(services, principal, found)


@router.put("/{name}", summary="Replace an MCP server's configuration", responses=SAVE_ERRORS)
async def replace_mcp_server(
    name: NamePath,
    body: MCPServerReplace,
    belongs: ScopeDep,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> MCPServerInfo:
    """Say all of it anew; `***` keeps a stored secret."""
    body.check_name(name)
    changed = await services.mcp.change(principal, name, belongs, body.wishes(), body.version)
    return await make_info(services, principal, changed)


@router.patch("/{name}", summary="Change an MCP server", responses=SAVE_ERRORS)
async def change_mcp_server(
    name: NamePath,
    body: MCPServerChange,
    belongs: ScopeDep,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> MCPServerInfo:
    """Change what is given; `***` keeps a stored secret."""
    changed = await services.mcp.change(principal, name, belongs, body.wishes(), body.version)
    return await make_info(services, principal, changed)


@router.delete("/{name}", status_code=204, summary="Delete an MCP server")
async def delete_mcp_server(
    name: NamePath, belongs: ScopeDep, principal: CurrentPrincipal, services: ServicesDep
) -> None:
    """Forget a server; its connections end."""
    await services.mcp.delete(principal, name, belongs)


@router.get(
    "/{name}/tools",
    summary="The tools of an MCP server",
    responses=LOOKUP_ERRORS,
    dependencies=[WithoutTimeout],
)
async def list_mcp_server_tools(
    name: NamePath, belongs: ScopeDep, principal: CurrentPrincipal, services: ServicesDep
) -> MCPTools:
    """List its tools, connecting if nothing is known of them; 409 says why that cannot be."""
    found = await services.mcp.servers.get_usable(principal, name, belongs)
    tools = await services.mcp.tools(principal, found)
    return MCPTools(server=name, tools=[MCPToolInfo.model_validate(tool) for tool in tools])


@router.post(
    "/{name}/test",
    summary="Connect to an MCP server",
    dependencies=[WithoutTimeout],
)
async def try_mcp_server(
    name: NamePath, belongs: ScopeDep, principal: CurrentPrincipal, services: ServicesDep
) -> MCPTest:
    """Connect as yourself; what goes wrong is told in `status` and `detail`."""
    found = await services.mcp.servers.get_usable(principal, name, belongs)
    tried = await services.mcp.test(principal, found)
    return MCPTest(
        name=name,
        status=tried.status.state,
        detail=tried.status.detail,
        protocol_version=tried.status.protocol_version,
        tools=tried.tools,
        elapsed_ms=tried.elapsed_ms,
    )


@router.post(
    "/{name}/allow",
    status_code=204,
    summary="Let an MCP server's program start",
    responses=LOOKUP_ERRORS,
)
async def allow_mcp_program(
    name: NamePath, belongs: ScopeDep, principal: CurrentPrincipal, services: ServicesDep
) -> None:
    """Say the yes that a run would ask for; only for whoever is alone on their own server."""
    found = await services.mcp.servers.get_usable(principal, name, belongs)
    await services.mcp.allow(principal, found)


@router.post("/{name}/login", summary="Sign in at an MCP server", responses=LOOKUP_ERRORS)
async def sign_in_at_mcp_server(
    name: NamePath,
    belongs: ScopeDep,
    *,
    principal: CurrentPrincipal,
    services: ServicesDep,
    request: Request,
    scopes: ScopesQuery = "",
) -> SignInBegun:
    """Give the address where you sign in; what comes back is yours alone, also at a shared one."""
    found = await services.mcp.servers.get_usable(principal, name, belongs)
    url = await services.mcp.sign_in(principal, found, str(request.base_url), scopes)
    return SignInBegun(authorization_url=url, expires_in=int(SIGN_IN_S))


@router.post("/{name}/logout", summary="Sign out at an MCP server")
async def sign_out_at_mcp_server(
    name: NamePath, belongs: ScopeDep, principal: CurrentPrincipal, services: ServicesDep
) -> SignedOut:
    """Forget your tokens, and ask the server to."""
    found = await services.mcp.servers.get_usable(principal, name, belongs)
    return SignedOut(revoked=await services.mcp.sign_out(principal, found))
