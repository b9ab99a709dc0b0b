"""A worker's process whose unfinished query is ended on the server, too, when it is killed.

A server goes on with a query whose asker is gone, some until they want to send a row. So a second
process connects with the same login and ends what the first one left.
"""

import json
from collections.abc import Awaitable, Callable

from dataagent_core.sandbox.finishing import to_the_end
from dataagent_core.sandbox.port import Completed, Process


class CancellingProcess:
    """`sandbox.port.Process` over another one."""

    def __init__(self, process: Process, cancel: Callable[[], Awaitable[None]]) -> None:
        self._process = process
        self._cancel = cancel
        self._asked = False

    @property
    def alive(self) -> bool:
        """Say whether it still runs."""
        return self._process.alive

    async def send(self, data: bytes) -> None:
        """Ask it something."""
        self._asked = True
        await self._process.send(data)

    async def read_line(self) -> bytes:
        """Read its answer."""
        line = await self._process.read_line()
        if line:
            self._asked = False
        return line

    async def kill(self) -> Completed:
        """End it, and what it left unfinished on the server."""
        done = await self._process.kill()
        asked, self._asked = self._asked, False
        if asked:
            await to_the_end(self._cancel())
        return done


def question(operation: str, number: int, **arguments: object) -> bytes:
    """Write a question as a line, for a process that has no `Worker` yet."""
    return json.dumps({**arguments, "id": number, "op": operation}).encode() + b"\n"
