"""What MCP servers offer at the prompt: resources behind `@`, prompts behind `/`.

A server is asked only once its name and a colon are typed, and for a short while: what comes later
is there at the next key.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from dataagent_cli.conversation.workbench import Workbench
from dataagent_cli.messages import Messages
from dataagent_core.errors import DataAgentError

_FRESH_S: Final = 5.0
_WAIT_S: Final = 3.0

# A name to complete, and what is said about it.
Named = tuple[str, str]
_List = Callable[[str], Awaitable[Sequence[Named]]]


class ServerCompletion:
    """Lists names of servers and of what they offer, and remembers them for a moment."""

    def __init__(self, workbench: Workbench, say: Messages) -> None:
        self._workbench = workbench
        self._say = say
        self._listed: dict[tuple[str, str], tuple[float, Sequence[Named]]] = {}

    async def resources(self, begun: str) -> Sequence[Named]:
        """Name the resources of the server that is typed, or the servers."""
        return await self._found(begun, "@", self._resources)

    async def prompts(self, begun: str) -> Sequence[Named]:
        """Name the prompts of the server that is typed, or the servers."""
        return await self._found(begun, "/", self._prompts)

    async def _found(self, begun: str, kind: str, listed: _List) -> Sequence[Named]:
        try:
            servers = await self._workbench.server_names()
        except DataAgentError:
            return ()  # nobody waits for an error while they type
        server, colon, _ = begun.partition(":")
        if not colon:
            return [(f"{name}:", self._say("repl_server")) for name in servers]
        if server not in servers:
            return ()
        listed_s, known = self._listed.get((kind, server), (-_FRESH_S, ()))
        if time.monotonic() - listed_s > _FRESH_S:
            try:
                async with asyncio.timeout(_WAIT_S):
                    known = await listed(server)
            except (DataAgentError, TimeoutError):
                known = ()
            self._listed[kind, server] = (time.monotonic(), known)
        return known

    async def _resources(self, server: str) -> Sequence[Named]:
        found = await self._workbench.resources(server)
        return [(f"{server}:{one.uri}", one.about) for one in found]

    async def _prompts(self, server: str) -> Sequence[Named]:
        found = await self._workbench.prompts(server)
        return [
            (f"{server}:{one.name}", " · ".join(filter(None, (one.usage, one.about))))
            for one in found
        ]
