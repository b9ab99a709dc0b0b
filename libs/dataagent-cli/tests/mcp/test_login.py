"""`dataagent mcp login`: the full browser flow, against a real authorization server."""

import asyncio
import re
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
from mcp_auth_server import AuthServer, auth_server

DATAAGENT = Path(sys.executable).with_name("dataagent")
WAIT_S_MAX = 180.0


class Terminal:
    """Runs the real command beside the server, which runs in this process."""

    def __init__(self, environment: dict[str, str], workspace: Path) -> None:
        self._environment = environment
        self._workspace = workspace

    @asynccontextmanager
    async def started(self, *words: str) -> AsyncGenerator[Process]:
        process = await asyncio.create_subprocess_exec(
            DATAAGENT,
            *words,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
            env=self._environment,
            cwd=self._workspace,
        )
        try:
            async with asyncio.timeout(WAIT_S_MAX):
                yield process
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()

    async def run(self, *words: str) -> tuple[int | None, str, str]:
        async with self.started(*words) as process:
            out, err = await process.communicate()
        return process.returncode, out.decode(), err.decode()


async def signed_in_with(server: AuthServer, process: Process) -> None:
    """Act as the browser: visit the printed address, and follow it back."""
    assert process.stderr is not None
    while line := (await process.stderr.readline()).decode():
        if found := re.search(r"https?://\S+", line):
            back = await server.visited(found[0])
            async with httpx2.AsyncClient() as browser:
                assert (await browser.get(back)).status_code == 200
            return
    raise AssertionError("no address was shown")


async def test_a_person_signs_in_uses_the_server_and_signs_out(
    environment: dict[str, str], workspace: Path
):
    terminal = Terminal(environment, workspace)
    async with auth_server() as server:
        url = server.config().url
        assert (await terminal.run("mcp", "add", "notes", "--url", url))[0] == 0
        code, _, told = await terminal.run("mcp", "test", "notes")
        assert code == 1
        assert "next: " in told
        assert "mcp login notes" in told
        async with terminal.started("mcp", "login", "notes", "--no-browser") as process:
            await signed_in_with(server, process)
            assert await process.wait() == 0
        code, who, told = await terminal.run("mcp", "call", "notes", "whoami")
        assert (code, who.strip()) == (0, "ada"), told
        assert (await terminal.run("mcp", "logout", "notes"))[0] == 0
        assert "mcp login notes" in (await terminal.run("mcp", "test", "notes"))[2]
