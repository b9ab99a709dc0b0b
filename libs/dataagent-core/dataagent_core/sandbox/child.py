"""A child process that is started and awaited the same way under every event loop.

uvloop starts children in its own way: it cannot change the user, and leaves descriptors open that
a sandbox must not see. `subprocess` does both right, and the kernel tells us of the end.
"""

import asyncio
import os
import subprocess


class Child:
    """A started process whose pipes, if it has any, are somebody else's."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        """Watch a process that was just started, from the running loop."""
        self.pid = process.pid
        self._process = process
        self._ended = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._pidfd = os.pidfd_open(process.pid)
        self._loop.add_reader(self._pidfd, self._reap)

    @property
    def returncode(self) -> int | None:
        """The exit code; None while it runs."""
        return self._process.returncode

    async def wait(self) -> None:
        """Wait for the end."""
        await self._ended.wait()

    def _reap(self) -> None:
        self._loop.remove_reader(self._pidfd)
        os.close(self._pidfd)
        self._process.wait()
        self._ended.set()
