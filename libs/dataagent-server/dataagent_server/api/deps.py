"""The dependencies of routes: declare one as a parameter's type.

    async def list_keys(principal: CurrentPrincipal, services: ServicesDep) -> ...

`CurrentPrincipal` refuses an unauthenticated request (401); `OptionalPrincipal` is None for it.
"""

import asyncio
from typing import Annotated

from fastapi import Depends, Request
from starlette.requests import HTTPConnection

from dataagent_core.mcp.connections.manager import MCPConnectionManager
from dataagent_server.api.middleware.caller import read_credentials
from dataagent_server.common.errors import UnauthenticatedError
from dataagent_server.composition import Services
from dataagent_server.identity.auth.presented_credentials import PresentedCredentials
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.sessions.live.connection_manager import ConnectionManager


def get_services(connection: HTTPConnection) -> Services:
    """Return the services of the composition root."""
    return connection.app.state.services


ServicesDep = Annotated[Services, Depends(get_services)]


def get_presented(connection: HTTPConnection, services: ServicesDep) -> PresentedCredentials:
    """Read the credentials that the request presents."""
    return read_credentials(connection, services.settings.public_url)


PresentedDep = Annotated[PresentedCredentials, Depends(get_presented)]


def tell_middleware(connection: HTTPConnection, principal: Principal) -> None:
    """Tell the middleware whose request it is: for its rate, its slot, its log line."""
    state = connection.scope["state"]
    state["principal"] = principal
    state["log"] = {
        "tenant": principal.tenant_id,
        "user": principal.user_id,
        "key": principal.key_id,
    }
    if (slot := state.get("place")) is not None:
        slot.belongs_to(principal.tenant_id)


async def current_principal(
    connection: HTTPConnection, presented: PresentedDep, services: ServicesDep
) -> Principal:
    """Authenticate the request, and put the principal on its log line."""
    principal = await services.authenticator.request(presented)
    tell_middleware(connection, principal)
    return principal


CurrentPrincipal = Annotated[Principal, Depends(current_principal)]


async def optional_principal(
    connection: HTTPConnection, presented: PresentedDep, services: ServicesDep
) -> Principal | None:
    """Authenticate the request if it presents credentials."""
    try:
        return await current_principal(connection, presented, services)
    except UnauthenticatedError:
        return None


OptionalPrincipal = Annotated[Principal | None, Depends(optional_principal)]


def get_current_user(principal: CurrentPrincipal) -> str:
    """Return the principal's user id (S0); `identity/auth/may.py` has their rights."""
    return principal.user_id


def get_connection_manager(services: ServicesDep) -> ConnectionManager:
    """Return the live connections of this process (S0)."""
    return services.connections


def get_mcp_connection_manager(services: ServicesDep) -> MCPConnectionManager:
    """Return the connections to MCP servers of this process (S0)."""
    return services.mcp.manager


def lift_timeout(request: Request) -> None:
    """Lift the time limit of a route that waits on purpose."""
    deadline: asyncio.Timeout = request.state.deadline
    deadline.reschedule(None)


WithoutTimeout = Depends(lift_timeout)
