"""What is left of a server that was removed: its home, and the person's tokens for it."""

import asyncio

from dataagent_cli.mcp.connecting import person
from dataagent_cli.wiring import App
from dataagent_core.mcp.config import MCPServerConfig


async def forget(app: App, server: MCPServerConfig) -> None:
    """Remove both; another server at the same address has to be signed in at again."""
    if server.transport == "stdio":
        from dataagent_core.mcp.local import local_homes
        from dataagent_core.mcp.transports.homes import forget_home

        homes = local_homes(app.settings)
        await asyncio.to_thread(forget_home, person(), server.name, homes)
    elif "${" not in server.url:
        from dataagent_core.mcp.local import local_tokens
        from dataagent_core.mcp.oauth.resource import resource_of

        store, resource = local_tokens(app.settings), resource_of(server)
        async with store.lock(person(), resource):
            await store.delete_tokens(person(), resource)
            await store.delete_client(person(), resource)
