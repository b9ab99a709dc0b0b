"""All lines of a process, each there once."""

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
    """Finds or makes the line of a key; closes them."""

    def __init__(self, around: LinkEnvironment) -> None:
        self._around = around
        self._lines: OrderedDict[ConnectionKey, ServerLink] = OrderedDict()
        self._stopped = False

    def of(self, key: ConnectionKey, config: MCPServerConfig) -> ServerLink:
        if self._stopped:
            raise stop_error(key.server)
        line = self._lines.get(key)
        if line is None:
            line = self._lines[key] = ServerLink(key, config, self._around)
            self._forget_oldest()
        self._lines.move_to_end(key)
        return line

    def status(self, key: ConnectionKey) -> ServerStatus:
        line = self._lines.get(key)
        return ServerStatus("disconnected") if line is None else line.status

    def of_owner(self, owner: Owner) -> list[ServerLink]:
        """Give the lines of an owner; the one used last comes last."""
        return [line for key, line in self._lines.items() if key.owner == owner]

    def owners(self) -> set[Owner]:
        """Whose lines there are."""
        return {key.owner for key in self._lines}

    def supersede(self, key: ConnectionKey) -> None:
        """Close what the owner had under this name in another configuration."""
        for other in self.of_owner(key.owner):
            if other.key.server == key.server:
                other.superseded = other.key != key

    async def close(self, lines: Iterable[ServerLink], why: str) -> None:
        """Close them all at once, and forget those that nobody opened again meanwhile."""
        lines = list(lines)
        for line in lines:
            line.leave(why)
        await self._left(lines)
        for line in lines:
            if line.forgettable and self._lines.get(line.key) is line:
                del self._lines[line.key]

    async def stop(self) -> None:
        self._stopped = True
        lines = list(self._lines.values())
        for line in lines:
            line.stop()
        await self._left(lines)

    async def _left(self, lines: Iterable[ServerLink]) -> None:
        # Taken now: somebody may open one of them again before the others are closed.
        tasks = {task for line in lines if (task := line.owner_task) is not None}
        if tasks:
            await asyncio.wait(tasks)

    def _forget_oldest(self) -> None:
        if len(self._lines) <= MCP_LINES_REMEMBERED_MAX:
            return
        closed = next((key for key, line in self._lines.items() if line.forgettable), None)
        if closed is not None:
            del self._lines[closed]
