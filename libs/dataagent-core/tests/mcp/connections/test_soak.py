"""A thousand connects, disconnects, crashes and kills: never too many processes, none left."""

import asyncio
import os
import random
import signal
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from leftovers import Leftovers, becomes
from mcp_openers import CountingOpener, plain_opener, small, text_of

from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.connections import ConnectionLimits, MCPConnectionManager
from dataagent_core.mcp.owner import Owner
from tests.counts import rounds

CONNECTS = rounds(200, soak=5_000)
LIMITS = ConnectionLimits(
    connections=12, connections_per_user=4, retry_base_s=0.0, idle_s=0.2, linger_s=0.05
)
OWNERS = [Owner("tenant", f"person {number}") for number in range(6)]
STEPS = ("call", "call", "crash", "kill", "disconnect", "cancel", "late", "change", "hold", "list")


class Soak:
    """Does one thing after the other, on somebody's server."""

    def __init__(self, manager: MCPConnectionManager, luck: random.Random) -> None:
        self.manager = manager
        self.luck = luck
        self.done: Counter[str] = Counter()

    async def step(self) -> None:
        owner, step = self.luck.choice(OWNERS), self.luck.choice(STEPS)
        config = small(name=self.luck.choice("abcde"), VERSION=self.luck.choice("12"))
        server = self.manager.connection(owner, config)
        try:
            match step:
                case "call":
                    said = await server.call("echo", {"text": owner.user_id}, timeout_s=30)
                    assert text_of(said) == owner.user_id
                case "crash":
                    await server.call("crash", {}, timeout_s=30)
                case "kill":
                    pid = int(text_of(await server.call("pid", {}, timeout_s=30)))
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                case "disconnect":
                    await self.manager.disconnect_user(owner)
                case "cancel":
                    call = asyncio.create_task(server.call("sleep", {"seconds": 30}, timeout_s=30))
                    await asyncio.sleep(self.luck.random() / 20)
                    call.cancel()
                    await asyncio.gather(call, return_exceptions=True)
                case "late":
                    await server.call("sleep", {"seconds": 30}, timeout_s=0.01)
                case "hold":
                    async with self.manager.hold(owner):
                        await server.call("echo", {}, timeout_s=30)
                case "change":
                    changed = small(name=config.name, VERSION=f"{self.luck.random()}")
                    await self.manager.connection(owner, changed).call("echo", {}, timeout_s=30)
                case _:
                    await server.tools(fresh=True)
        except MCPServerError:
            self.done["failed"] += 1
        self.done[step] += 1


@pytest.mark.slow
@pytest.mark.timeout(7_200)
async def test_many_connects_crashes_and_kills_leave_nothing(tmp_path: Path):
    opener = CountingOpener(plain_opener(tmp_path))
    manager = MCPConnectionManager(opener, LIMITS)
    soak = Soak(manager, random.Random(6))
    left, tasks = Leftovers(), len(asyncio.all_tasks())
    most = 0

    async def worker() -> None:
        while len(opener.opened) < CONNECTS:
            await soak.step()

    async def watch() -> None:
        nonlocal most
        while True:
            most = max(most, len(left.processes))
            await asyncio.sleep(0.01)

    watching = asyncio.create_task(watch())
    await asyncio.gather(*(worker() for _ in range(16)))
    await manager.aclose()
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)
    assert len(opener.opened) >= CONNECTS
    assert min(soak.done[step] for step in STEPS) > 2
    assert soak.done.total() > 2 * soak.done["failed"]
    assert 1 < most <= LIMITS.connections
    assert opener.open_most <= LIMITS.connections
    assert opener.open_now == 0
    await left.is_nothing()
    await becomes(lambda: len(asyncio.all_tasks()) == tasks)
