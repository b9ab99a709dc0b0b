"""Splits a stream into lines in bounded memory; a writer that is faster than the reader waits."""

import asyncio
from collections.abc import Callable


class LineBuffer:
    """Takes bytes and gives lines; pauses the sender, and reports a line without end."""

    def __init__(
        self, line_bytes_max: int, on_overflow: Callable[[], None], pause: Callable[[bool], None]
    ) -> None:
        self._line_bytes_max = line_bytes_max
        self._on_overflow = on_overflow
        self._pause = pause
        self._paused = False
        self._waiting = bytearray()
        # Where the search for the end of the first line goes on.
        self._searched = 0
        self._changed = asyncio.Event()
        self._ended = False
        self.is_overlong = False

    def add(self, data: bytes) -> None:
        """Take the next bytes."""
        if self.is_overlong:
            return
        self._waiting += data
        end = self._find_line_end()
        self._check_length(end)
        # While no line is whole it must go on coming.
        if end >= 0 and len(self._waiting) > self._line_bytes_max // 2:
            self._set_paused(to=True)
        self._changed.set()

    def end(self) -> None:
        """Mark the end of the stream."""
        self._ended = True
        self._changed.set()

    async def read_line(self) -> bytes:
        """Wait for a line with its end; what is left at the end of the stream is not a line."""
        while (end := self._find_line_end()) < 0:
            if self._ended or self.is_overlong:
                return b""
            self._changed.clear()
            await self._changed.wait()
        line = bytes(self._waiting[: end + 1])
        del self._waiting[: end + 1]
        self._searched = 0
        following = self._find_line_end()
        self._check_length(following)
        if following < 0 or len(self._waiting) <= self._line_bytes_max // 4:
            self._set_paused(to=False)
        return line

    def _find_line_end(self) -> int:
        found = self._waiting.find(b"\n", self._searched)
        self._searched = found if found >= 0 else len(self._waiting)
        return found

    def _check_length(self, end: int) -> None:
        if (end if end >= 0 else len(self._waiting)) > self._line_bytes_max:
            self.is_overlong = True
            self._waiting.clear()
            self._searched = 0
            self._on_overflow()

    def _set_paused(self, *, to: bool) -> None:
        if self._paused != to:
            self._paused = to
            self._pause(to)
