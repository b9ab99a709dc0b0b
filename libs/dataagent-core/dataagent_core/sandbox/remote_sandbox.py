"""`RemoteSandbox`: a machine elsewhere behind our port, through deepagents' backend for it.

What it isolates is its vendor's affair. Its streams come joined, so all output is `stdout`; the
environment and the input travel inside the command line.
"""

import asyncio
import base64
import math
import shlex
import time
from collections.abc import Awaitable, Callable, Mapping

from deepagents.backends.protocol import SandboxBackendProtocol

from dataagent_core.config.limits import SANDBOX_DRAIN_S, SANDBOX_TIMEOUT_S
from dataagent_core.errors import ValidationError
from dataagent_core.sandbox.port import Command, Completed, Network, OnOutput, Output
from dataagent_core.sandbox.remote_backend import TIMED_OUT
from dataagent_core.sandbox.run_request import check_request


class RemoteSandbox:
    """Runs commands through a backend; `closing` gives the machine back."""

    def __init__(
        self, backend: SandboxBackendProtocol, closing: Callable[[], Awaitable[None]]
    ) -> None:
        self._backend = backend
        self._closing = closing

    @property
    def id(self) -> str:
        """Name the machine as its vendor does."""
        return self._backend.id

    async def run(
        self,
        command: Command,
        *,
        timeout_s: float = SANDBOX_TIMEOUT_S,
        cwd: str = "/",
        env: Mapping[str, str] | None = None,
        stdin: bytes = b"",
        network: Network | None = None,
        on_output: OnOutput | None = None,
    ) -> Completed:
        """Run a command there; whole seconds are all a backend knows."""
        check_request(command, timeout_s, env, stdin)
        if network is not None:
            raise ValidationError("The network of a remote sandbox is set with its vendor.")
        line = command_line(command, cwd, env or {}, stdin)
        whole_s = max(1, math.ceil(timeout_s))
        began = time.monotonic()
        try:
            async with asyncio.timeout(whole_s + SANDBOX_DRAIN_S):
                response = await self._backend.aexecute(line, timeout=whole_s)
        except TimeoutError:
            return Completed(None, Output(), Output(), time.monotonic() - began, "timeout")
        duration_s = time.monotonic() - began
        data = response.output.encode("utf-8", "replace")
        if on_output is not None:
            on_output("stdout", data)
        timed_out = response.exit_code == TIMED_OUT and duration_s >= timeout_s
        return Completed(
            exit_code=None if timed_out else response.exit_code,
            stdout=Output(data, b"", len(data)),
            stderr=Output(),
            duration_s=duration_s,
            killed_reason="timeout" if timed_out else None,
            notes=("the remote sandbox cut the output",) if response.truncated else (),
        )

    async def aclose(self) -> None:
        """Give the machine back."""
        await self._closing()


def command_line(command: Command, cwd: str, env: Mapping[str, str], stdin: bytes) -> str:
    """Put everything a run needs into one line of shell."""
    words = ["sh", "-c", command] if isinstance(command, str) else list(command)
    if env:
        words = ["env", *(f"{name}={value}" for name, value in env.items()), *words]
    line = shlex.join(words)
    feed = f"echo {base64.b64encode(stdin).decode()} | base64 -d | " if stdin else ""
    end = "" if stdin else " < /dev/null"
    return f"cd {shlex.quote(cwd)} && {feed}{line}{end}" if cwd != "/" else f"{feed}{line}{end}"
