"""Openers that count: how often a server was started, and how many run at one time."""

import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp.client import Transport
from mcp.client._transport import TransportStreams
from mcp_programs import SMALL_SERVER, opener

from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.connections import ServerConnection
from dataagent_core.mcp.connections.server_link import ServerLink
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.ports import OpenTransport

ALICE = Owner("tenant", "alice")
BOB = Owner("tenant", "bob")


def small(*words: str, name: str = "small", timeout: int = 20, **env: str) -> MCPServerConfig:
    """Configure the small server, with words that make it misbehave."""
    args = ["-I", "-S", SMALL_SERVER, *words]
    return MCPServerConfig(name=name, command=sys.executable, args=args, env=env, timeout=timeout)


def plain_opener(folder: Path) -> OpenTransport:
    """Start programs as plain processes, which is faster than in a sandbox."""
    return opener(folder, sandboxed=False)


class CountingOpener:
    """Passes on to another opener, and counts."""

    def __init__(self, inner: OpenTransport) -> None:
        self._inner = inner
        self.opened: list[tuple[Owner, str]] = []
        self.open_now = 0
        self.open_most = 0

    def __call__(self, owner: Owner, config: MCPServerConfig) -> Transport:
        return self._counted(owner, config)

    @asynccontextmanager
    async def _counted(
        self, owner: Owner, config: MCPServerConfig
    ) -> AsyncGenerator[TransportStreams]:
        self.opened.append((owner, config.name))
        self.open_now += 1
        self.open_most = max(self.open_most, self.open_now)
        try:
            async with self._inner(owner, config) as streams:
                yield streams
        finally:
            self.open_now -= 1


def in_process_opener(server_of: Callable[[Owner, MCPServerConfig], Any]) -> OpenTransport:
    """Run servers of the SDK within this process."""
    from mcp.client._memory import InMemoryTransport

    return lambda owner, config: InMemoryTransport(server_of(owner, config))


def link_of(server: ServerConnection) -> ServerLink:
    """Look behind a connection."""
    return server.links.get(server.key, server.config)


def calls_of(server: ServerConnection) -> int:
    """Count the calls under way."""
    live = link_of(server).live
    return 0 if live is None else len(live.calls)


def text_of(result: Any) -> str:
    """Give the text of a result of one block."""
    return result.content[0].text
