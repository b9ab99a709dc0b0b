"""Every dependency of a route, named once: declare one as a parameter's type.

    async def list_keys(principal: CurrentPrincipal, services: ServicesDep) -> ...

`CurrentPrincipal` refuses who is not known (401); `OptionalPrincipal` is None for them.
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
    """Return what the composition root put together."""
    return connection.app.state.services


ServicesDep = Annotated[Services, Depends(get_services)]


def get_presented(connection: HTTPConnection, services: ServicesDep) -> PresentedCredentials:
    """Read what the request brought to say who sends it."""
    return read_credentials(connection, services.settings.public_url)


PresentedDep = Annotated[PresentedCredentials, Depends(get_presented)]


def tell_middleware(connection: HTTPConnection, principal: Principal) -> None:
    """Let what wraps the request know whose it is: its rate, its place, its log line."""
    state = connection.scope["state"]
    state["principal"] = principal
    state["log"] = {
        "tenant": principal.tenant_id,
        "user": principal.user_id,
        "key": principal.key_id,
    }
    if (place := state.get("place")) is not None:
        place.belongs_to(principal.tenant_id)


async def current_principal(
    connection: HTTPConnection, presented: PresentedDep, services: ServicesDep
) -> Principal:
    """Say who asks, and put it on the request's log line."""
    principal = await services.authenticator.request(presented)
    tell_middleware(connection, principal)
    return principal


CurrentPrincipal = Annotated[Principal, Depends(current_principal)]


async def optional_principal(
    connection: HTTPConnection, presented: PresentedDep, services: ServicesDep
) -> Principal | None:
    """Say who asks, if it is somebody we know."""
    try:
        return await current_principal(connection, presented, services)
    except UnauthenticatedError:
        return None


OptionalPrincipal = Annotated[Principal | None, Depends(optional_principal)]


def get_current_user(principal: CurrentPrincipal) -> str:
    """Return the id of who asks (S0); what they may do is `identity/auth/may.py`'s to say."""
    return principal.user_id


def get_connection_manager(services: ServicesDep) -> ConnectionManager:
    """Return the live connections of this process (S0)."""
    return services.connections


def get_mcp_connection_manager(services: ServicesDep) -> MCPConnectionManager:
    """Return the connections to MCP servers of this process (S0)."""
    return services.mcp.manager


def lift_timeout(request: Request) -> None:
    """Let a route that waits on purpose take its time."""
    deadline: asyncio.Timeout = request.state.deadline
    deadline.reschedule(None)


WithoutTimeout = Depends(lift_timeout)
