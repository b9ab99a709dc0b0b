"""Two people, one server, different secrets, with real processes behind (S0-49)."""

import asyncio
import json
import os
import signal
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from leftovers import Leftovers
from mcp_openers import ALICE, BOB, CountingOpener, plain_opener, small, text_of
from mcp_programs import opener as sandboxed

from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.connections import ConnectionLimits, MCPConnectionManager
from dataagent_core.mcp.owner import Owner

STEPS = ("list", "call", "change", "disconnect", "kill", "add a tool")


class Person:
    """Knows what only this person's process may say."""

    def __init__(self, manager: MCPConnectionManager, owner: Owner) -> None:
        self.manager = manager
        self.owner = owner
        self.changes = 0
        # Of every process this person's calls ever reached.
        self.pids: set[int] = set()

    async def does(self, step: str) -> None:
        secret = f"{self.owner.user_id}-{self.changes}"
        connection = self.manager.connection(self.owner, small(SECRET=secret))
        try:
            match step:
                case "list":
                    names = [tool.name for tool in await connection.tools()]
                    assert not [name for name in names if name.startswith(self.foreign)]
                case "call":
                    await self.calls(secret)
                case "change":
                    self.changes += 1
                case "disconnect":
                    await self.manager.disconnect_user(self.owner)
                case "add a tool":
                    name = f"{self.owner.user_id}_tool"
                    await connection.call("add_tool", {"name": name}, timeout_s=10)
                case _:
                    pid = int(text_of(await connection.call("pid", {}, timeout_s=10)))
                    self.pids.add(pid)
                    os.kill(pid, signal.SIGKILL)
        except (MCPServerError, ProcessLookupError):
            pass  # another step killed, closed or changed it meanwhile

    async def calls(self, secret: str) -> None:
        connection = self.manager.connection(self.owner, small(SECRET=secret))
        environ = json.loads(text_of(await connection.call("env", {}, timeout_s=10)))
        assert environ["SECRET"] == secret
        said = await connection.call("echo", {"text": secret}, timeout_s=10)
        assert text_of(said) == secret
        self.pids.add(int(text_of(await connection.call("pid", {}, timeout_s=10))))

    @property
    def foreign(self) -> str:
        return "bob" if self.owner == ALICE else "alice"


@pytest.mark.requirement("S0-49")
@pytest.mark.timeout(300)
@settings(max_examples=6)
@given(
    rounds=st.lists(
        st.lists(st.tuples(st.booleans(), st.sampled_from(STEPS)), min_size=1, max_size=4),
        min_size=2,
        max_size=5,
    )
)
def test_property_49_with_real_processes_nothing_of_two_people_ever_mixes(
    rounds: list[list[tuple[bool, str]]],
):
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_interleaved(rounds, Path(folder)))


async def _interleaved(rounds: list[list[tuple[bool, str]]], folder: Path) -> None:
    left = Leftovers()
    opener = CountingOpener(plain_opener(folder))
    manager = MCPConnectionManager(
        opener, ConnectionLimits(retry_base_s=0.0), listings_folder=folder / "listings"
    )
    alice, bob = Person(manager, ALICE), Person(manager, BOB)
    for together in rounds:
        await asyncio.gather(*((alice if first else bob).does(step) for first, step in together))
    for person in (alice, bob):
        # So that no process killed a moment ago answers for it.
        await manager.disconnect_user(person.owner)
        await person.calls(f"{person.owner.user_id}-{person.changes}")
    assert alice.pids.isdisjoint(bob.pids)
    await manager.aclose()
    assert opener.open_now == 0
    await left.is_nothing()


async def test_two_people_never_share_a_sandboxed_process(tmp_path: Path):
    opener = CountingOpener(sandboxed(tmp_path))
    manager = MCPConnectionManager(opener)
    left = Leftovers()

    async def session(owner: Owner) -> str:
        server = manager.connection(owner, small(SECRET=owner.user_id))
        text = text_of(await server.call("env", {}, timeout_s=20))
        return json.loads(text)["SECRET"]

    people = [ALICE, BOB, Owner("another tenant", "alice")]
    said = await asyncio.gather(*(session(people[number % 3]) for number in range(60)))
    assert said == [people[number % 3].user_id for number in range(60)]
    assert len(opener.opened) == len({owner for owner, _ in opener.opened}) == 3
    await manager.aclose()
    await left.is_nothing()
