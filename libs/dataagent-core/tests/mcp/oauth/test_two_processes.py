"""Several processes of one person, one sign-in: one renewal reaches the server."""

import asyncio
import os
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from mcp_auth_server import AuthServer
from mcp_people import ADA, a_store, signed_in

from dataagent_core.mcp.oauth import FileTokenStore

SCRIPT = Path(__file__).parents[2] / "support" / "renew_in_process.py"
PROCESSES = 3


@pytest.mark.requirement("F6-oauth")
@pytest.mark.requirement("F6-5")
async def test_of_processes_that_find_a_token_ended_one_renews_it(
    server: AuthServer, store: FileTokenStore, tmp_path: Path
):
    tokens = await signed_in(server, store, ADA)
    ended = replace(tokens, expires_at=time.time() - 1)
    await store.set_tokens(ADA, server.url(), ended)
    everybody_asks = asyncio.Event()

    async def all_are_waiting() -> None:
        await everybody_asks.wait()

    # Who did not look again after waiting for the lock would ask too.
    server.does.before_renewal = all_are_waiting
    processes = [
        await asyncio.create_subprocess_exec(
            sys.executable,
            str(SCRIPT),
            str(tmp_path),
            server.url(),
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        for _ in range(PROCESSES)
    ]
    try:
        for process in processes:
            assert process.stdout is not None
            assert await process.stdout.readline() == b"asking\n"
        everybody_asks.set()
        outcomes = [(await process.communicate())[0].decode().split() for process in processes]
    finally:
        for process in processes:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    renewed = await a_store(tmp_path).get_tokens(ADA, server.url())
    assert renewed is not None
    assert {(int(status) == 401, token) for status, _, token in outcomes} == {
        (False, renewed.access_token)
    }
    assert server.renewals == 1
