"""One connection to a server for one command, closed at the end."""

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
    """Return the user id that connections belong to."""
    return Owner(TENANT, local_user())


@asynccontextmanager
async def open_connection(
    app: App, workspace: Path, name: str
) -> AsyncGenerator["ServerConnection"]:
    """Yield a connection that is not open yet; its process ends with this context."""
    server = await server_to_use(app, workspace, name)
    from dataagent_core.mcp.local import local_manager

    manager = local_manager(app.settings, workspace=workspace)
    try:
        yield manager.connection(person(), server)
    finally:
        await manager.aclose()
