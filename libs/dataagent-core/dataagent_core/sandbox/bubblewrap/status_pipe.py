"""What bubblewrap tells of its child over a pipe: a JSON value a line, in pieces of any size."""

import asyncio
import json
from contextlib import suppress

from dataagent_core.sandbox.processes.process_pipes import IncomingPipe


class StatusPipe:
    """Reads the first process's number, and at the end the exit code."""

    def __init__(self) -> None:
        self._text = bytearray()
        self._told = asyncio.Event()
        self.pipe = IncomingPipe(self._add)

    def _add(self, data: bytes) -> None:
        self._text += data
        if b"\n" in self._text:
            self._told.set()

    async def first_pid(self) -> int | None:
        """Wait for the first process; None when bubblewrap gave up before."""
        ended = asyncio.ensure_future(self.pipe.ended())
        told = asyncio.ensure_future(self._told.wait())
        try:
            await asyncio.wait({ended, told}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ended.cancel()
            told.cancel()
        return self._value("child-pid")

    def exit_code(self) -> int | None:
        """Give the command's exit code; None when it never began."""
        return self._value("exit-code")

    def _value(self, key: str) -> int | None:
        for line in bytes(self._text).splitlines():
            with suppress(json.JSONDecodeError):
                told = json.loads(line)
                if key in told:
                    return int(told[key])
        return None
