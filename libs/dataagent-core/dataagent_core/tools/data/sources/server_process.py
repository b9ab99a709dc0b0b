"""The process in which a database server's driver runs; the login is told to it, not shown.

Arguments and environment of a process can be read by others on the machine, its pipe cannot.
"""

import asyncio
import os
import ssl
import sys
from dataclasses import asdict
from pathlib import Path

from dataagent_core.config.data_limits import (
    DATA_CANCEL_S,
    DATA_WORKER_SPARE_BYTES,
    QUERY_MEMORY_BYTES_MAX,
)
from dataagent_core.errors import ConflictError, QueryFailedError
from dataagent_core.sandbox.port import Process
from dataagent_core.tools.data.inside.sql_address import Address
from dataagent_core.tools.data.sources.cancelling import CancellingProcess, question
from dataagent_core.tools.data.sources.plain_process import PlainProcess
from dataagent_core.tools.data.sources.program import INSIDE, program_words


async def start_server_process(module: str, address: Address) -> Process:
    """Start the program and tell it where the server is."""
    process = await start_told(module, address=asdict(address))

    async def cancel() -> None:
        await _cancel(module, address)

    return CancellingProcess(process, cancel)


async def start_told(module: str, **facts: object) -> PlainProcess:
    """Start a program and tell it what it is for, in its first question."""
    process = await PlainProcess.start(
        program_words(sys.executable, INSIDE, module),
        env=_environment(),
        memory_bytes=QUERY_MEMORY_BYTES_MAX + DATA_WORKER_SPARE_BYTES,
        cwd=Path("/"),
    )
    answered, said = False, ""
    try:
        await process.send(question("open", 0, **facts))
        answered = bool(await process.read_line())
    finally:
        if not answered:
            said = (await process.kill()).stderr.data.decode(errors="replace")
    if not answered:
        raise QueryFailedError(f"{module} did not start: {(said.splitlines() or ['?'])[-1]}")
    return process


async def _cancel(module: str, address: Address) -> None:
    """End the queries that a killed process left; a server that is gone has none."""
    try:
        async with asyncio.timeout(DATA_CANCEL_S):
            helper = await start_told(module, address=asdict(address))
            try:
                await helper.send(question("cancel", 1, token=address.token))
                await helper.read_line()
            finally:
                await helper.kill()
    except (TimeoutError, ConflictError, QueryFailedError):
        return


def _environment() -> dict[str, str]:
    paths = ssl.get_default_verify_paths()
    env = {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8", "HOME": "/nonexistent"}
    # Arrow's other pools reserve far more than they use, all of which counts against the limit.
    env["ARROW_DEFAULT_MEMORY_POOL"] = "system"
    # The drivers bring a TLS library that may look for the authorities elsewhere.
    if paths.cafile:
        env["SSL_CERT_FILE"] = paths.cafile
    if paths.capath:
        env["SSL_CERT_DIR"] = paths.capath
    return env
