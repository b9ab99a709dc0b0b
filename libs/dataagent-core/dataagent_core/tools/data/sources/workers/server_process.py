"""The process in which the driver of a database server runs.

The login is sent through its pipe, because others on the machine can read arguments and
environment. When the process is killed, a second one connects with the same login and cancels the
unfinished query: a server would continue it without its client.
"""

import asyncio
import json
import os
import ssl
import sys
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from pathlib import Path

from dataagent_core.config.limits.data import (
    DATA_CANCEL_S,
    DATA_WORKER_SPARE_BYTES,
    QUERY_MEMORY_BYTES_MAX,
)
from dataagent_core.errors import ConflictError, QueryFailedError
from dataagent_core.sandbox.port import CommandResult, Process
from dataagent_core.sandbox.processes.completion import run_to_completion
from dataagent_core.tools.data.sources.workers.plain_process import PlainProcess
from dataagent_core.tools.data.sources.workers.worker_command import (
    PROGRAMS_FOLDER,
    build_program_command,
)
from dataagent_core.tools.data.worker_programs.server_worker.sql_address import ServerAddress


class CancellingProcess:
    """`sandbox.port.Process` over another one."""

    def __init__(self, process: Process, cancel: Callable[[], Awaitable[None]]) -> None:
        self._process = process
        self._cancel = cancel
        self._is_pending = False

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.alive

    async def send(self, data: bytes) -> None:
        """Send a request."""
        self._is_pending = True
        await self._process.send(data)

    async def read_line(self) -> bytes:
        """Read its answer."""
        line = await self._process.read_line()
        if line:
            self._is_pending = False
        return line

    async def kill(self) -> CommandResult:
        """End it, and cancel its unfinished query on the server."""
        done = await self._process.kill()
        was_pending, self._is_pending = self._is_pending, False
        if was_pending:
            await run_to_completion(self._cancel())
        return done


def make_request(operation: str, number: int, **arguments: object) -> bytes:
    """Write a request as a line, for a process without a `Worker`."""
    return json.dumps({**arguments, "id": number, "op": operation}).encode() + b"\n"


async def start_server_process(module: str, address: ServerAddress) -> Process:
    """Start the program and send it the server's address."""
    process = await start_with_login(module, address=asdict(address))

    async def cancel() -> None:
        await _cancel(module, address)

    return CancellingProcess(process, cancel)


async def start_with_login(module: str, **facts: object) -> PlainProcess:
    """Start a program and send it the login in its first request."""
    process = await PlainProcess.start(
        build_program_command(sys.executable, PROGRAMS_FOLDER, module),
        env=_make_environment(),
        memory_bytes=QUERY_MEMORY_BYTES_MAX + DATA_WORKER_SPARE_BYTES,
        cwd=Path("/"),
    )
    answered, stderr = False, ""
    try:
        await process.send(make_request("open", 0, **facts))
        answered = bool(await process.read_line())
    finally:
        if not answered:
            stderr = (await process.kill()).stderr.data.decode(errors="replace")
    if not answered:
        raise QueryFailedError(f"{module} did not start: {(stderr.splitlines() or ['?'])[-1]}")
    return process


async def _cancel(module: str, address: ServerAddress) -> None:
    """Cancel the queries of a killed process; ignore a server that does not answer."""
    try:
        async with asyncio.timeout(DATA_CANCEL_S):
            helper = await start_with_login(module, address=asdict(address))
            try:
                await helper.send(make_request("cancel", 1, token=address.token))
                await helper.read_line()
            finally:
                await helper.kill()
    except (TimeoutError, ConflictError, QueryFailedError):
        return


def _make_environment() -> dict[str, str]:
    paths = ssl.get_default_verify_paths()
    env = {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8", "HOME": "/nonexistent"}
    # Arrow's other pools reserve far more than they use, which counts against the limit.
    env["ARROW_DEFAULT_MEMORY_POOL"] = "system"
    # The drivers bring a TLS library that may look for certificates elsewhere.
    if paths.cafile:
        env["SSL_CERT_FILE"] = paths.cafile
    if paths.capath:
        env["SSL_CERT_DIR"] = paths.capath
    return env
