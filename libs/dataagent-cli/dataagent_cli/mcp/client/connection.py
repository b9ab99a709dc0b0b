"""One connection for one command: to a server by its name, and closed in the end."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from dataagent_cli.mcp.config.servers import server_to_use
from dataagent_cli.wiring import TENANT, App, local_user
from dataagent_core.mcp.owner import Owner

if TYPE_CHECKING:
    from dataagent_core.mcp.connections import ServerConnection


def person() -> Owner:
    """Name whose connections they are."""
    return Owner(TENANT, local_user())


@asynccontextmanager
async def open_connection(
    app: App, workspace: Path, name: str
) -> AsyncGenerator["ServerConnection"]:
    """Give the connection to a server, not made yet; its process does not outlive this."""
    server = await server_to_use(app, workspace, name)
    from dataagent_core.mcp.local import local_manager

    manager = local_manager(app.settings, workspace=workspace)
    try:
        yield manager.connection(person(), server)
    finally:
        await manager.aclose()
