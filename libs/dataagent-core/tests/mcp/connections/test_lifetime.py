"""How long a connection lives, and how many there may be."""

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path

import pytest
from leftovers import becomes
from mcp.client import Transport
from mcp_openers import ALICE, BOB, CountingOpener, calls_of, plain_opener, small, text_of

from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.config import MCPConfig, MCPServerConfig
from dataagent_core.mcp.connections import ConnectionLimits, MCPConnectionManager
from dataagent_core.mcp.owner import Owner

MakeManager = Callable[..., MCPConnectionManager]


async def test_a_connection_nobody_uses_is_closed_and_opened_again(
    make_manager: MakeManager, opener: CountingOpener
):
    manager = make_manager(ConnectionLimits(idle_s=1.0))
    server = manager.connection(ALICE, small())
    # A call that takes longer than that is no idleness.
    await server.call("sleep", {"seconds": 1.5}, timeout_s=60)
    assert opener.open_now == 1
    await becomes(lambda: opener.open_now == 0)
    assert server.status.state == "disconnected"
    await server.call("echo", {}, timeout_s=10)
    assert len(opener.opened) == 2


async def test_another_configuration_closes_the_former_after_its_calls(
    manager: MCPConnectionManager, opener: CountingOpener
):
    former = manager.connection(ALICE, small(TOKEN="old"))
    await former.tools(fresh=True)
    call = asyncio.create_task(former.call("sleep", {"seconds": 0.5}, timeout_s=10))
    await becomes(lambda: calls_of(former) == 1)
    now = manager.connection(ALICE, small(TOKEN="new"))
    assert '"TOKEN": "new"' in text_of(await now.call("env", {}, timeout_s=10))
    assert opener.open_now == 2
    assert text_of(await call) == "slept 0.5"
    await becomes(lambda: opener.open_now == 1)
    assert now.status.state == "connected"
    assert former.status.state == "disconnected"


async def test_disabling_a_server_closes_it(manager: MCPConnectionManager, opener: CountingOpener):
    config = MCPConfig(servers=[small(name="one"), small(name="two")])
    listed = await manager.connect_user_servers(ALICE, config)
    assert set(listed.tools) == {"one", "two"}
    config = MCPConfig(servers=[config.servers[0], replace(config.servers[1], disabled=True)])
    listed = await manager.connect_user_servers(ALICE, config)
    assert set(listed.tools) == {"one"}
    assert listed.problems == {}
    await becomes(lambda: opener.open_now == 1)


async def test_a_removed_server_is_closed_alone(
    manager: MCPConnectionManager, opener: CountingOpener
):
    config = MCPConfig(servers=[small(name="one"), small(name="two")])
    await manager.connect_user_servers(ALICE, config)
    await manager.disconnect_server(ALICE, "one")
    assert opener.open_now == 1
    assert set(await manager.get_user_tools(ALICE)) == {"two"}
    assert set(await manager.health_check(ALICE)) == {"two"}


async def test_servers_beyond_the_number_a_person_may_have_are_named(make_manager: MakeManager):
    manager = make_manager(ConnectionLimits(servers_per_user=2))
    servers = [small(name=f"s{number}") for number in range(4)]
    servers[1] = replace(servers[1], disabled=True)
    listed = await manager.connect_user_servers(ALICE, MCPConfig(servers=servers))
    assert set(listed.tools) == {"s0", "s2"}
    assert set(listed.problems) == {"s3"}
    assert "at most 2 are used at once" in listed.problems["s3"]


async def test_the_connection_idle_longest_makes_room(
    make_manager: MakeManager, opener: CountingOpener
):
    manager = make_manager(ConnectionLimits(connections_per_user=2))
    servers = {name: manager.connection(ALICE, small(name=name)) for name in "abc"}
    for name in "aba":
        await servers[name].call("echo", {}, timeout_s=10)
    await servers["c"].call("echo", {}, timeout_s=10)
    states = {name: server.status.state for name, server in servers.items()}
    assert states == {"a": "connected", "b": "disconnected", "c": "connected"}
    assert opener.open_most == 2
    # Another person has places of their own.
    await manager.connection(BOB, small(name="b")).call("echo", {}, timeout_s=10)
    assert servers["a"].status.state == "connected"


@pytest.mark.parametrize(
    ("limits", "owner", "cap"),
    [
        (ConnectionLimits(connections_per_user=2), ALICE, "connections_per_user"),
        (ConnectionLimits(connections=2), BOB, r"machine may have \(connections\)"),
    ],
)
async def test_no_call_is_cut_off_to_make_room(
    make_manager: MakeManager,
    opener: CountingOpener,
    limits: ConnectionLimits,
    owner: Owner,
    cap: str,
):
    manager = make_manager(limits)
    servers = [manager.connection(ALICE, small(name=name)) for name in "ab"]
    busy = [
        asyncio.create_task(server.call("sleep", {"seconds": 0.4}, timeout_s=10))
        for server in servers
    ]
    await becomes(lambda: [calls_of(server) for server in servers] == [1, 1])
    late = manager.connection(owner, small(name="c"))
    with pytest.raises(MCPServerError, match=cap):
        await late.call("echo", {}, timeout_s=10)
    assert [text_of(await call) for call in busy] == ["slept 0.4"] * 2
    # It was no fault of the server's: nothing keeps it from being tried at once.
    await late.call("echo", {}, timeout_s=10)
    assert opener.open_most == 2


async def test_more_calls_than_a_connection_takes_are_refused(make_manager: MakeManager):
    manager = make_manager(ConnectionLimits(calls_per_connection=3))
    server = manager.connection(ALICE, small())
    await server.tools(fresh=True)
    calls = [server.call("sleep", {"seconds": 0.2}, timeout_s=10) for _ in range(4)]
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    refused = [outcome for outcome in outcomes if isinstance(outcome, MCPServerError)]
    assert len(refused) == 1
    assert "calls_per_connection" in str(refused[0])


async def test_a_caller_who_gives_up_while_it_connects_leaves_it_connecting(
    manager: MCPConnectionManager, opener: CountingOpener
):
    server = manager.connection(ALICE, small())
    listing = asyncio.create_task(server.tools())
    await becomes(lambda: opener.open_now == 1)
    listing.cancel()
    await becomes(lambda: server.status.state == "connected")
    assert await server.tools()
    assert len(opener.opened) == 1


async def test_who_looks_for_a_listing_while_all_is_closed_opens_nothing_behind_its_back(
    make_manager: MakeManager, opener: CountingOpener, tmp_path: Path
):
    manager = make_manager(listings_folder=tmp_path / "listings")
    server = manager.connection(ALICE, small())
    for close in (manager.disconnect_user(ALICE), manager.aclose()):
        # The first thing it waits for is the disk.
        listing = asyncio.create_task(server.tools())
        await asyncio.sleep(0)
        await close
        await asyncio.gather(listing, return_exceptions=True)
        assert len(manager.connection(ALICE, small()).links.of_owner(ALICE)) == 1
        assert opener.open_now <= 1
    await becomes(lambda: opener.open_now == 0)


async def test_the_context_of_the_first_caller_is_not_kept(tmp_path: Path):
    """An owner task outlives the run that needed it first, and holds nothing of it."""
    run: ContextVar[str] = ContextVar("run", default="none")
    seen: list[str] = []
    plain = plain_opener(tmp_path)

    def opener(owner: Owner, config: MCPServerConfig) -> Transport:
        seen.append(run.get())
        return plain(owner, config)

    manager = MCPConnectionManager(opener)
    run.set("the first caller's")
    assert await manager.connection(ALICE, small()).tools()
    await manager.aclose()
    assert seen == ["none"]
