"""S0's dependencies in a route that somebody adds to the application."""

from typing import Annotated, Any

import httpx
from fastapi import Depends

from dataagent_core.mcp.connections.manager import MCPConnectionManager
from dataagent_server.api.deps import (
    get_connection_manager,
    get_current_user,
    get_mcp_connection_manager,
)
from dataagent_server.sessions.live.connection_manager import ConnectionManager
from tests.server.fixtures import MakeApi, app_of

KEY = "a-key-for-tests"


async def test_a_route_of_ones_own_gets_user_and_managers(make_api: MakeApi):
    async with make_api(api_keys=f'["{KEY}"]') as api:
        services = app_of(api).state.services

        async def mine(
            user: Annotated[str, Depends(get_current_user)],
            connections: Annotated[ConnectionManager, Depends(get_connection_manager)],
            mcp: Annotated[MCPConnectionManager, Depends(get_mcp_connection_manager)],
        ) -> dict[str, Any]:
            own = connections is services.connections and mcp is services.mcp.manager
            return {"user": user, "own": own}

        app_of(api).add_api_route("/api/v1/of-my-own", mine)
        answer = await api.get("/api/v1/of-my-own", headers={"x-api-key": KEY})
        assert answer.json() == {"user": "local", "own": True}
        refused: httpx.Response = await api.get("/api/v1/of-my-own")
        assert refused.status_code == 401
