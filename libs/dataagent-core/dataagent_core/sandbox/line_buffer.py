"""Lines out of a stream, in bounded memory."""

import asyncio
from collections.abc import Callable


class LineBuffer:
    """Takes bytes, gives lines; says so when more is waiting than anybody should send."""

    def __init__(self, bytes_max: int, on_overflow: Callable[[], None]) -> None:
        self._bytes_max = bytes_max
        self._on_overflow = on_overflow
        self._waiting = bytearray()
        self._changed = asyncio.Event()
        self._ended = False

    def add(self, data: bytes) -> None:
        """Take the next bytes."""
        if len(self._waiting) + len(data) > self._bytes_max:
            self._on_overflow()
            return
        self._waiting += data
        self._changed.set()

    def end(self) -> None:
        """Nothing comes any more."""
        self._ended = True
        self._changed.set()

    async def line(self) -> bytes:
        """Wait for a line with its end; what is left at the end of the stream is not a line."""
        while (position := self._waiting.find(b"\n")) < 0:
            if self._ended:
                return b""
            self._changed.clear()
            await self._changed.wait()
        line = bytes(self._waiting[: position + 1])
        del self._waiting[: position + 1]
        return line
