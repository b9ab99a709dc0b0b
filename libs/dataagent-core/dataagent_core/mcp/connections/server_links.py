"""The links of a process, one for each key."""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable

from dataagent_core.config.limits.mcp import MCP_LINES_REMEMBERED_MAX
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.connections.connection_key import ConnectionKey
from dataagent_core.mcp.connections.server_link import LinkEnvironment, ServerLink, stop_error
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.ports import ServerStatus


class ServerLinks:
    """Finds or creates the link of a key; closes links."""

    def __init__(self, environment: LinkEnvironment) -> None:
        self._environment = environment
        self._links: OrderedDict[ConnectionKey, ServerLink] = OrderedDict()
        self._stopped = False

    def get(self, key: ConnectionKey, config: MCPServerConfig) -> ServerLink:
        if self._stopped:
            raise stop_error(key.server)
        link = self._links.get(key)
        if link is None:
            link = self._links[key] = ServerLink(key, config, self._environment)
            self._forget_oldest()
        self._links.move_to_end(key)
        return link

    def status(self, key: ConnectionKey) -> ServerStatus:
        link = self._links.get(key)
        return ServerStatus("disconnected") if link is None else link.status

    def of_owner(self, owner: Owner) -> list[ServerLink]:
        """Return the links of an owner; the one used last comes last."""
        return [link for key, link in self._links.items() if key.owner == owner]

    def owners(self) -> set[Owner]:
        return {key.owner for key in self._links}

    def supersede(self, key: ConnectionKey) -> None:
        """Mark the owner's links of this name with another configuration as superseded."""
        for other in self.of_owner(key.owner):
            if other.key.server == key.server:
                other.is_superseded = other.key != key

    async def close(self, links: Iterable[ServerLink], why: str) -> None:
        """Close links together, and drop those that were not opened again meanwhile."""
        links = list(links)
        for link in links:
            link.leave(why)
        await self._wait_until_closed(links)
        for link in links:
            if link.is_forgettable and self._links.get(link.key) is link:
                del self._links[link.key]

    async def stop(self) -> None:
        self._stopped = True
        links = list(self._links.values())
        for link in links:
            link.stop()
        await self._wait_until_closed(links)

    async def _wait_until_closed(self, links: Iterable[ServerLink]) -> None:
        # Collected now: one may be opened again before the others are closed.
        tasks = {task for link in links if (task := link.owner_task) is not None}
        if tasks:
            await asyncio.wait(tasks)

    def _forget_oldest(self) -> None:
        if len(self._links) <= MCP_LINES_REMEMBERED_MAX:
            return
        closed = next((key for key, link in self._links.items() if link.is_forgettable), None)
        if closed is not None:
            del self._links[closed]
