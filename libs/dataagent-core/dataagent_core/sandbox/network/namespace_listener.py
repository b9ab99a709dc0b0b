"""Ask `namespace_helper.py` to do something inside a running sandbox."""

import asyncio
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

from dataagent_core.config.limits import SANDBOX_HELPER_S
from dataagent_core.errors import SandboxUnavailableError

_HELPER = str(Path(__file__).with_name("namespace_helper.py"))


async def open_namespace_listener(first_pid: int) -> socket.socket:
    """Get a listening socket on the loopback of a sandbox's own network."""
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            await _run_helper([str(first_pid), str(theirs.fileno())], [theirs.fileno()])
        # The helper has ended, so what it sent is there.
        _, descriptors, _, _ = socket.recv_fds(ours, 1, 1)
    return socket.socket(fileno=descriptors[0])


async def _run_helper(args: Sequence[str], descriptors: Sequence[int] = ()) -> None:
    helper = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-I", "-S", _HELPER, *args),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        pass_fds=tuple(descriptors),
        env={},
    )
    try:
        async with asyncio.timeout(SANDBOX_HELPER_S):
            _, complaint = await helper.communicate()
    except BaseException:
        if helper.returncode is None:
            helper.kill()
            await helper.wait()
        raise
    if helper.returncode != 0:
        message = complaint.decode(errors="replace").strip().rpartition("\n")[2]
        raise SandboxUnavailableError(
            f"The sandbox could not be entered from outside: {message}. "
            "`dataagent doctor` shows what this system allows."
        )
