"""What an agent's servers offer: the same while nothing changed, and a sentence for every problem."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp_offering import ME, Offering, agent_servers, config, listed, managed, opener
from mcp_openers import small
from mcp_types import ToolAnnotations

from dataagent_core.config.limits.mcp import MCP_DESCRIPTION_CHARS_MAX
from dataagent_core.mcp.config import MCPConfig, MCPServerConfig
from dataagent_core.mcp.connections import MCPConnectionManager
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.tool_names import ServerTool
from dataagent_core.mcp.tools import AgentServers, ServerOffers
from dataagent_core.tools.definition.tool_origin import read_origin
from dataagent_core.tools.effects import read_effect


async def offered_by(offering: Offering, **more: Any) -> ServerOffers:
    async with agent_servers(offering, **more) as servers:
        return await servers.list_offers()


async def test_tools_are_named_stamped_and_taken_for_irreversible_whatever_the_server_says() -> (
    None
):
    harmless = ToolAnnotations(read_only_hint=True, idempotent_hint=True, destructive_hint=False)
    offered = await offered_by(Offering([listed("look", annotations=harmless)]), tenant="acme")
    (tool,) = offered.tools
    assert tool.name == "mcp__acme_desk__look"
    assert read_origin(tool) == "mcp:desk"
    assert read_effect(tool) == "irreversible"
    assert offered.names == {"mcp__acme_desk__look": ServerTool("desk", "look")}


async def test_the_same_object_is_offered_until_something_changes() -> None:
    offering = Offering([listed("a"), listed("b")])
    async with managed(offering) as manager:
        servers = AgentServers(manager, ME, MCPConfig(servers=[config()]))
        first = await servers.list_offers()
        assert await servers.list_offers() is first
        offering.tools[1] = listed("b", description="Does something else.")
        await manager.connection(ME, config()).tools(fresh=True)
        second = await servers.list_offers()
        assert second is not first
        # What did not change is still the same tool; what changed is another one.
        assert second.tools[0] is first.tools[0]
        assert second.tools[1] is not first.tools[1]


async def test_a_list_that_did_not_change_is_not_checked_again() -> None:
    """Checking costs milliseconds a tool, and would come before every run."""
    tool = listed("a")
    async with managed(Offering([tool])) as manager:
        servers = AgentServers(manager, ME, MCPConfig(servers=[config()]))
        first = await servers.list_offers()
        (kept,) = (await manager.get_user_tools(ME))["desk"]
        kept.input_schema["type"] = "array"  # which a second look would refuse
        assert await servers.list_offers() is first
        assert first.warnings == ()


async def test_checking_a_long_list_leaves_the_loop_to_others() -> None:
    fields = {f"field_{n}": {"type": "string"} for n in range(40)}
    offering = Offering([listed(f"tool_{n}", fields) for n in range(50)])
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.001)
            ticks += 1

    async with managed(offering) as manager:
        # Listed before, so that only the checking is left.
        await manager.connect_user_servers(ME, MCPConfig(servers=[config()]))
        servers = AgentServers(manager, ME, MCPConfig(servers=[config()]))
        ticking = asyncio.create_task(tick())
        assert len((await servers.list_offers()).tools) == 50
        ticking.cancel()
    assert ticks >= 5


async def test_one_bad_tool_is_left_out_with_a_sentence_and_the_others_stay() -> None:
    bad = listed("bad", input_schema={"type": "object", "properties": {"a": {"type": "odd"}}})
    offered = await offered_by(Offering([listed("good"), bad]))
    assert [tool.name for tool in offered.tools] == ["mcp__local_desk__good"]
    (wrong,) = offered.warnings
    assert "'desk'" in wrong
    assert "'bad' is left out" in wrong
    assert "properties/a/type" in wrong


async def test_hundreds_of_bad_tools_do_not_make_hundreds_of_warnings() -> None:
    bad = [listed(f"bad{n}", {"a b": {"type": "string"}}) for n in range(100)]
    offered = await offered_by(Offering(bad))
    assert offered.tools == ()
    assert len(offered.warnings) == 6
    assert "95 more" in offered.warnings[-1]


async def test_a_servers_words_are_cleaned_and_cut() -> None:
    nasty = "Reads\x1b[31m \u202egnihtyna\u202c\x00 " + "x" * 10_000
    offered = await offered_by(
        Offering([listed("a", description=nasty), listed("b", description="")])
    )
    shown = offered.tools[0].description
    assert len(shown) <= MCP_DESCRIPTION_CHARS_MAX
    assert shown.endswith("x…")
    assert shown.startswith("Reads[31m gnihtyna xxx")
    assert offered.tools[1].description


@pytest.mark.requirement("S0-48")
async def test_a_server_that_is_down_is_a_sentence_and_the_others_are_there() -> None:
    broken = MCPServerConfig(name="broken", command="/nowhere/at-all", timeout=5)
    offering = Offering([listed("a")])

    def open_one(owner: Owner, one: MCPServerConfig) -> Any:
        if one.name == "broken":
            raise OSError("there is no such program")
        return opener(offering)(owner, one)

    manager = MCPConnectionManager(open_one)
    servers = AgentServers(manager, ME, MCPConfig(servers=[broken, config()]))
    offered = await servers.list_offers()
    await manager.aclose()
    assert [tool.name for tool in offered.tools] == ["mcp__local_desk__a"]
    (warning,) = offered.warnings
    assert "'broken'" in warning
    assert "no such program" in warning


async def test_a_slow_server_is_left_out_and_there_the_next_time() -> None:
    offering = Offering([listed("a")])
    gate = asyncio.Event()

    @asynccontextmanager
    async def slow(owner: Owner, one: MCPServerConfig) -> AsyncGenerator[Any]:
        await gate.wait()
        async with opener(offering)(owner, one) as streams:
            yield streams

    manager = MCPConnectionManager(slow)
    servers = AgentServers(manager, ME, MCPConfig(servers=[config()]), wait_s=0.01)
    try:
        late = await servers.list_offers()
        assert late.tools == ()
        assert "'desk' is still connecting" in late.warnings[0]
        assert await servers.list_offers() is late
        gate.set()
        async with asyncio.timeout(60):
            while not (there := await servers.list_offers()).tools:
                pass
    finally:
        await manager.aclose()
    assert len(there.tools) == 1
    assert there.warnings == ()


async def test_a_disabled_server_is_not_asked(tmp_path: Any) -> None:
    async with managed(folder=tmp_path) as manager:
        one = small()
        off = MCPServerConfig(name="off", command=one.command, args=one.args, disabled=True)
        servers = AgentServers(manager, ME, MCPConfig(servers=[off]))
        assert (await servers.list_offers()).tools == ()
        assert manager.connection(ME, off).status.state == "disconnected"


async def test_a_fingerprint_holds_what_an_answer_relies_on_and_no_secret() -> None:
    def versions(offered: ServerOffers) -> str:
        return json.dumps([(tool.metadata or {})["outside"]["version"] for tool in offered.tools])

    base = listed("t", {"a": {"type": "string"}})
    same = await offered_by(Offering([base]))
    seen = {versions(same)}
    others = [
        base.model_copy(update={"description": "Does t, and mails it away."}),
        base.model_copy(update={"title": "T"}),
        base.model_copy(update={"annotations": ToolAnnotations(read_only_hint=True)}),
        listed("t", {"a": {"type": "string"}, "b": {"type": "string"}}),
    ]
    for other in others:
        seen.add(versions(await offered_by(Offering([other]))))
    async with agent_servers(Offering([base]), config(args=["--other"])) as servers:
        seen.add(versions(await servers.list_offers()))
    assert len(seen) == len(others) + 2
    async with agent_servers(Offering([base]), config(env={"TOKEN": "new"})) as servers:
        assert versions(await servers.list_offers()) == versions(same)
