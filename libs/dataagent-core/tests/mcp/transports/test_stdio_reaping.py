"""However a connection ends, no process, descriptor or folder is left behind."""

import asyncio
import random
from pathlib import Path

import anyio
import psutil
import pytest
from leftovers import Leftovers
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_programs import ANA, called, opener, small

from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.ports import OpenTransport

WAYS = ("close", "crash", "kill", "cancel", "refuse")


@pytest.fixture(params=[True, False], ids=["sandboxed", "plain"])
def open_program(request: pytest.FixtureRequest, tmp_path: Path) -> OpenTransport:
    return opener(tmp_path / "homes", sandboxed=request.param)


async def once(open_program: OpenTransport, way: str) -> None:
    started = Leftovers()
    async with Client(open_program(ANA, small(*["--refuse-start"] * (way == "refuse")))) as client:
        assert await called(client, "echo", text=way) == way
        match way:
            case "crash":
                await client.call_tool("crash", {})
            case "kill":
                for pid in started.processes:
                    psutil.Process(pid).kill()
            case "cancel":
                asyncio.current_task().cancel()  # type: ignore[union-attr]
                await asyncio.sleep(0)
            case _:
                pass


@pytest.mark.parametrize("connects", [10, pytest.param(50, marks=pytest.mark.slow)])
async def test_connects_with_kills_leave_nothing(
    open_program: OpenTransport, tmp_path: Path, connects: int
):
    await once(open_program, "close")  # what is made once and kept
    left = Leftovers()
    for number in range(connects):
        task = asyncio.create_task(once(open_program, WAYS[number % len(WAYS)]))
        (result,) = await asyncio.gather(task, return_exceptions=True)
        expected = MCPServerError | MCPError | asyncio.CancelledError | ExceptionGroup | None
        assert isinstance(result, expected), result
    await left.is_nothing()
    assert [entry.name for entry in tmp_path.rglob("dataagent-sandbox-*")] == []


@pytest.mark.parametrize("starts", [5, pytest.param(30, marks=pytest.mark.slow)])
@pytest.mark.parametrize("native", [True, False], ids=["asyncio", "anyio"])
async def test_cancelling_at_any_moment_of_the_start_leaves_nothing(
    open_program: OpenTransport, native: bool, starts: int
):
    await once(open_program, "close")
    left = Leftovers()
    chance = random.Random(6)
    for _ in range(starts):
        wait_s = chance.uniform(0, 0.25)
        if native:
            task = asyncio.create_task(once(open_program, "close"))
            await asyncio.wait({task}, timeout=wait_s)
            task.cancel()
            await asyncio.wait({task})
        else:
            with anyio.move_on_after(wait_s):
                await once(open_program, "close")
    await left.is_nothing()
