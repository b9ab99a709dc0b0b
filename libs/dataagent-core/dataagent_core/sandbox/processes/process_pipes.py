"""Pipes between us and a child process."""

import asyncio
import os
from collections.abc import Callable
from typing import IO


def _wrap_descriptor(descriptor: int, mode: str, loop: asyncio.AbstractEventLoop) -> IO[bytes]:
    """Wrap a descriptor for a transport that will close it.

    uvloop closes the descriptor itself, and then the file. A file that owned it would close the
    number a second time, when it may be another thread's file already.
    """
    is_uvloop = type(loop).__module__.partition(".")[0] == "uvloop"
    return os.fdopen(descriptor, mode, buffering=0, closefd=not is_uvloop)


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


class IncomingPipe:
    """The reading side of a pipe; `child_end` is for the child and closed after its start."""

    def __init__(self, on_data: Callable[[bytes], None]) -> None:
        self._ours, self.child_end = os.pipe()
        self._protocol = PipeReader(on_data)
        self._transport: asyncio.ReadTransport | None = None

    async def open(self) -> None:
        """Start to read."""
        loop = asyncio.get_running_loop()
        pipe = _wrap_descriptor(self._ours, "rb", loop)
        self._ours = -1
        self._transport, _ = await loop.connect_read_pipe(lambda: self._protocol, pipe)

    async def wait_for_end(self) -> None:
        """Wait until the other end is closed."""
        await self._protocol.ended.wait()

    def pause(self, to: bool) -> None:  # noqa: FBT001 - what is to be
        """Pause or resume reading; a paused reader makes the writer wait."""
        if self._transport is None or self._transport.is_closing():
            return
        if to:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()

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


class OutgoingPipe(asyncio.BaseProtocol):
    """The writing side of a pipe to a child; a child that does not read makes its writer wait."""

    def __init__(self) -> None:
        self._transport: asyncio.WriteTransport | None = None
        self._can_write = asyncio.Event()
        self._can_write.set()

    async def open(self, descriptor: int) -> None:
        """Take over a descriptor; it is closed also when this fails."""
        loop = asyncio.get_running_loop()
        pipe = _wrap_descriptor(descriptor, "wb", loop)
        try:
            self._transport, _ = await loop.connect_write_pipe(lambda: self, pipe)
        except BaseException:
            pipe.close()
            raise

    @property
    def is_open(self) -> bool:
        """Say whether anything can be written."""
        return self._transport is not None and not self._transport.is_closing()

    async def send(self, data: bytes) -> None:
        """Write as soon as the pipe takes more."""
        await self._can_write.wait()
        if self._transport is not None:
            self._transport.write(data)

    def close(self) -> None:
        """Write what is left and end; the child reads its end of file."""
        if self._transport is not None:
            self._transport.close()

    def abort(self) -> None:
        """End at once."""
        if self._transport is not None:
            self._transport.abort()

    def pause_writing(self) -> None:
        self._can_write.clear()

    def resume_writing(self) -> None:
        self._can_write.set()

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self._can_write.set()
