"""S0 properties 48, 49 and 50: failing servers block nothing, people never mix, all is released."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Literal, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from leftovers import becomes
from mcp_openers import ALICE, BOB, link_of, text_of
from mcp_transports import BAD, GOOD, FakeTransports, server

from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.config import MCPConfig
from dataagent_core.mcp.connections import ConnectionLimits, MCPConnectionManager
from dataagent_core.mcp.owner import Owner
from tests.counts import examples

T = TypeVar("T")
MANY = ConnectionLimits(servers_per_user=50, connections_per_user=50)


@pytest.mark.requirement("S0-48")
@settings(max_examples=examples(100))
@given(kinds=st.lists(st.sampled_from((GOOD, *BAD)), min_size=1, max_size=8), known=st.booleans())
def test_property_48_a_server_that_cannot_be_reached_is_a_warning_and_blocks_nothing(
    kinds: list[str], known: bool
):
    asyncio.run(_warned(kinds, known))


async def _warned(kinds: list[str], known: bool) -> None:
    transports = FakeTransports()
    manager = MCPConnectionManager(transports, MANY)
    servers = [server(f"s{number}", kind) for number, kind in enumerate(kinds)]
    good = {one.name for one in servers if one.command == GOOD}
    warnings: list[logging.LogRecord] = []
    logger = logging.getLogger("dataagent_core.mcp.connections.manager")

    def heard(record: logging.LogRecord) -> bool:
        warnings.append(record)
        return True

    logger.addFilter(heard)
    try:
        # Hanging ones hold up nobody: who does not answer in time is only not there yet.
        async with asyncio.timeout(30):
            for _ in range(2 if known else 1):
                there: set[str] | None = None
                while there != good:
                    warnings.clear()
                    listed = await manager.connect_user_servers(
                        ALICE, MCPConfig(servers=servers), 0.3
                    )
                    there = set(listed.tools)
                    assert there <= good
                    assert there | set(listed.problems) == {one.name for one in servers}
                    assert len(warnings) == len(listed.problems)
        for name in good:
            one = next(one for one in servers if one.name == name)
            answer = await manager.connection(ALICE, one).call("tool_none", {}, timeout_s=5)
            assert text_of(answer) == "none"
    finally:
        logger.removeFilter(heard)
        await manager.aclose()
    assert transports.open.get(ALICE, 0) == 0


Step = Literal["list", "fresh", "call", "change", "disconnect", "kill", "connect all"]
STEPS: tuple[Step, ...] = (
    "list",
    "fresh",
    "call",
    "change",
    "disconnect",
    "kill",
    "connect all",
)
ROUNDS = st.lists(
    st.lists(st.tuples(st.sampled_from([ALICE, BOB]), st.sampled_from(STEPS)), max_size=5),
    max_size=8,
)


class Person:
    """One of two people with a server of the same name, and a secret of their own in it."""

    def __init__(self, manager: MCPConnectionManager, owner: Owner, kill: Callable[[], None]):
        self.manager = manager
        self.owner = owner
        self.kill = kill
        self.changes = 0

    @property
    def secret(self) -> str:
        return f"{self.owner.user_id}{self.changes}"

    async def does(self, step: Step) -> None:
        # What was configured when it began; another step may change it meanwhile.
        secret = self.secret
        connection = self.manager.connection(self.owner, server("same", secret=secret))
        match step:
            case "list" | "fresh":
                tools = await self.heard(connection.tools(fresh=step == "fresh"))
                assert tools is None or [tool.name for tool in tools] == [f"tool_{secret}"]
            case "call":
                answer = await self.heard(connection.call(f"tool_{secret}", {}, timeout_s=5))
                assert answer is None or text_of(answer) == secret
            case "change":
                self.changes += 1
            case "disconnect":
                await self.manager.disconnect_user(self.owner)
            case "kill":
                self.kill()
            case "connect all":
                config = MCPConfig(servers=[server("same", secret=secret)])
                listed = await self.manager.connect_user_servers(self.owner, config, 5)
                for tools in listed.tools.values():
                    assert [tool.name for tool in tools] == [f"tool_{secret}"]

    async def heard(self, what: Awaitable[T]) -> T | None:
        outcome, *_ = await asyncio.gather(what, return_exceptions=True)
        if not isinstance(outcome, BaseException):
            return outcome
        assert isinstance(outcome, MCPServerError), outcome
        assert ("bob" if self.owner == ALICE else "alice") not in str(outcome)
        return None

    async def is_undisturbed(self) -> None:
        connection = self.manager.connection(self.owner, server("same", secret=self.secret))
        tools = await connection.tools(fresh=True)
        assert [tool.name for tool in tools] == [f"tool_{self.secret}"]
        assert text_of(await connection.call(tools[0].name, {}, timeout_s=5)) == self.secret
        known = await self.manager.get_user_tools(self.owner)
        assert known == {"same": tools}
        health = await self.manager.health_check(self.owner)
        assert {name: status.state for name, status in health.items()} == {"same": "connected"}


@pytest.mark.requirement("S0-49")
@given(rounds=ROUNDS)
def test_property_49_one_persons_changes_never_reach_anothers_tools(
    rounds: list[list[tuple[Owner, Step]]],
):
    asyncio.run(_interleaved(rounds))


async def _interleaved(rounds: list[list[tuple[Owner, Step]]]) -> None:
    transports = FakeTransports()
    manager = MCPConnectionManager(transports, ConnectionLimits(retry_base_s=0.0))
    people = {
        owner: Person(manager, owner, lambda owner=owner: transports.kill(owner, "same"))
        for owner in (ALICE, BOB)
    }
    try:
        for together in rounds:
            await asyncio.gather(*(people[owner].does(step) for owner, step in together))
        for person in people.values():
            # So that no server killed a moment ago answers for it.
            await manager.disconnect_user(person.owner)
            await person.is_undisturbed()
    finally:
        await manager.aclose()
    assert set(transports.open.values()) == {0}


@pytest.mark.requirement("S0-49")
@given(steps=st.lists(st.sampled_from(STEPS), min_size=1, max_size=6))
def test_property_49_who_does_nothing_notices_nothing(steps: list[Step]):
    """Bob's process, connection and listing are the very same, whatever Alice does."""
    asyncio.run(_beside(steps))


async def _beside(steps: list[Step]) -> None:
    transports = FakeTransports()
    manager = MCPConnectionManager(transports, ConnectionLimits(retry_base_s=0.0))
    alice = Person(manager, ALICE, lambda: transports.kill(ALICE, "same"))
    bob = manager.connection(BOB, server("same", secret="bob"))
    tools = await bob.tools(fresh=True)
    live = link_of(bob).live
    for step in steps:
        await alice.does(step)
        assert await bob.tools() is tools
        assert link_of(bob).live is live
    await manager.aclose()


@pytest.mark.requirement("S0-50")
@settings(max_examples=examples(100))
@given(
    sessions=st.lists(
        st.tuples(st.sampled_from([ALICE, BOB]), st.integers(0, 3), st.booleans()),
        min_size=1,
        max_size=8,
    )
)
def test_property_50_when_the_last_session_of_a_person_ends_their_connections_are_released(
    sessions: list[tuple[Owner, int, bool]],
):
    asyncio.run(_released(sessions))


async def _released(sessions: list[tuple[Owner, int, bool]]) -> None:
    """Sessions side by side, of different length; some end by an error."""
    transports = FakeTransports()
    manager = MCPConnectionManager(transports, ConnectionLimits(linger_s=0.01))
    holders = dict.fromkeys((ALICE, BOB), 0)

    async def session(owner: Owner, calls: int, fails: bool) -> None:
        holders[owner] += 1
        try:
            async with manager.hold(owner):
                one = manager.connection(owner, server("same", secret=owner.user_id))
                for _ in range(calls):
                    await one.call(f"tool_{owner.user_id}", {}, timeout_s=5)
                    assert transports.open[owner] == 1
                    await asyncio.sleep(0.002)
                if fails:
                    raise RuntimeError("the session broke")
        finally:
            holders[owner] -= 1

    await asyncio.gather(*(session(*one) for one in sessions), return_exceptions=True)
    assert set(holders.values()) == {0}
    # What is known of a server goes after its connection has closed.
    await becomes(
        lambda: not {owner for one in (ALICE, BOB) for owner in manager.owners(one.tenant_id)}, 5
    )
    assert set(transports.open.values()) <= {0}
    assert await manager.get_user_tools(ALICE) == {}
    # A session that comes later starts again.
    async with manager.hold(ALICE):
        one = manager.connection(ALICE, server("same", secret="alice"))
        assert text_of(await one.call("tool_alice", {}, timeout_s=5)) == "alice"
        assert transports.open[ALICE] == 1
    await becomes(lambda: transports.open[ALICE] == 0, 5)
    await manager.aclose()


async def test_a_session_that_begins_while_the_last_one_lingers_keeps_the_connection():
    transports = FakeTransports()
    manager = MCPConnectionManager(transports, ConnectionLimits(linger_s=30))
    one = manager.connection(ALICE, server("same"))
    for _ in range(3):
        async with manager.hold(ALICE):
            await one.call("tool_none", {}, timeout_s=5)
    assert transports.opened == 1
    await manager.aclose()
    assert transports.open[ALICE] == 0
