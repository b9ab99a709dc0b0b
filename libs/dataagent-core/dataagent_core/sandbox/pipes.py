"""Pipes between us and a child: bytes in as they come, bytes out, closed for certain."""

import asyncio
import os
from collections.abc import Callable


class PipeReader(asyncio.Protocol):
    """Hands on what comes through a pipe until its end."""

    def __init__(self, on_data: Callable[[bytes], None]) -> None:
        self._on_data = on_data
        self.ended = asyncio.Event()

    def data_received(self, data: bytes) -> None:
        self._on_data(data)

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self.ended.set()


class Incoming:
    """The reading side of a pipe; `child_end` is for the child and closed after its start."""

    def __init__(self, on_data: Callable[[bytes], None]) -> None:
        self._ours, self.child_end = os.pipe()
        self._protocol = PipeReader(on_data)
        self._transport: asyncio.ReadTransport | None = None

    async def open(self) -> None:
        """Start to read."""
        loop = asyncio.get_running_loop()
        pipe = os.fdopen(self._ours, "rb", buffering=0)
        self._ours = -1
        self._transport, _ = await loop.connect_read_pipe(lambda: self._protocol, pipe)

    async def ended(self) -> None:
        """Wait until nobody holds the other end."""
        await self._protocol.ended.wait()

    def close_child_end(self) -> None:
        """Leave the other end to the child."""
        if self.child_end >= 0:
            os.close(self.child_end)
            self.child_end = -1

    def close(self) -> None:
        """Stop reading, whoever still writes."""
        self.close_child_end()
        if self._transport is not None:
            self._transport.close()
        elif self._ours >= 0:
            os.close(self._ours)
            self._ours = -1
