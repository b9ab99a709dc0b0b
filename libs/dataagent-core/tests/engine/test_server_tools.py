"""An agent with MCP servers: real programs in the sandbox, a scripted model, the whole stack."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest
from agents import Answering, events_of, executor, resumed, scripted, settings, types
from langchain.agents.middleware.types import AgentMiddleware
from leftovers import Leftovers
from mcp_openers import SMALL_SERVER, small

from dataagent_core.engine import AgentConfig, AgentExecutor, AgentFactory
from dataagent_core.errors import NoOneToAskError
from dataagent_core.hitl import ActionRequest, Decision
from dataagent_core.mcp import MCPConfig, MCPServerConfig
from dataagent_core.mcp.access import MCPAccess
from dataagent_core.mcp.local import local_manager
from dataagent_core.models import ScriptedChatModel
from dataagent_core.session.stores.bundle import Stores

ECHO = "mcp__local_small__echo"


def called(tool: str, **args: Any) -> dict[str, Any]:
    return {"tool_calls": [{"name": tool, "args": args}]}


def sandboxed(*words: str, name: str = "small", **given: Any) -> MCPServerConfig:
    folder = str(Path(SMALL_SERVER).parent)
    args = ["-I", "-S", str(SMALL_SERVER), *words]
    return MCPServerConfig(
        name=name, command=sys.executable, args=args, read_paths=[folder], **given
    )


def agent(tmp_path: Path, model: Any, *servers: MCPServerConfig, **config: Any) -> AgentExecutor:
    config.setdefault("handler", Answering())
    workspace = tmp_path / "workspace"
    workspace.mkdir(exist_ok=True)
    return executor(
        model,
        workspace,
        chosen=settings(home=tmp_path / "home"),
        mcp_config=MCPConfig(servers=list(servers)),
        **config,
    )


def results(events: list[Any]) -> list[str]:
    return [event.result for event in events if event.event_type == "tool_result"]


@pytest.mark.requirement("S2-16.6-mcp")
@pytest.mark.requirement("F6-4")
async def test_a_servers_tool_is_listed_asked_about_and_called(tmp_path: Path) -> None:
    left = Leftovers()
    person = Answering()
    model = scripted(called(ECHO, text="hello"), {"text": "It said hello."})
    one = agent(tmp_path, model, sandboxed(), handler=person)
    try:
        events = await events_of(one)
    finally:
        await one.aclose()
    assert results(events) == ["hello"]
    assert [asked["name"] for asked in person.asked] == [ECHO]
    assert events[-1].content == "It said hello."
    assert not left.processes


async def test_the_tools_of_an_agent_are_told_with_their_origin_before_any_run(
    tmp_path: Path,
) -> None:
    one = agent(tmp_path, scripted({"text": "done"}), sandboxed())
    try:
        known = (await one.tools()).entries
    finally:
        await one.aclose()
    assert known[ECHO].origin == "mcp:small"
    assert {"read_file", "task", "write_todos", "find_tools"} <= set(known)
    assert known["task"].origin == "built-in"
    without = executor(scripted({"text": "done"}), tmp_path / "workspace")
    assert ECHO not in (await without.tools()).entries
    assert "task" in (await without.tools()).entries


@pytest.mark.requirement("F6-2")
async def test_a_server_that_cannot_be_had_is_a_warning_and_the_others_work(
    tmp_path: Path,
) -> None:
    missing = MCPServerConfig(name="missing", command="no-such-program-anywhere")
    model = scripted(called(ECHO, text="still here"), {"text": "done"})
    one = agent(tmp_path, model, missing, sandboxed("--refuse-start", name="rude"), sandboxed())
    try:
        events = await events_of(one)
    finally:
        await one.aclose()
    warnings = [event.message for event in events if event.event_type == "warning"]
    assert len(warnings) == 2
    assert any("no-such-program-anywhere" in text for text in warnings)
    assert any("rude" in text for text in warnings)
    assert results(events) == ["still here"]


async def test_a_tool_that_comes_while_the_agent_lives_is_there_in_its_next_run(
    tmp_path: Path,
) -> None:
    adding = [called("mcp__local_small__add_tool", name="fresh"), {"text": "added"}]
    using = [called("mcp__local_small__fresh"), {"text": "used"}]
    scripts = [{"match": "add it", "steps": adding}, {"match": "use it", "steps": using}]
    one = agent(tmp_path, scripted(scripts=scripts), sandboxed())
    try:
        await events_of(one, "add it")
        events = await events_of(one, "use it")
    finally:
        await one.aclose()
    assert "There is no tool" not in results(events)[0]
    assert events[-1].content == "used"


async def test_the_model_sees_a_list_and_loads_what_it_needs(tmp_path: Path) -> None:
    model = scripted(called("load_tools", names=[ECHO]), called(ECHO, text="x"), {"text": "ok"})
    one = agent(tmp_path, model, sandboxed())
    try:
        events = await events_of(one)
    finally:
        await one.aclose()
    assert results(events) == [f"Loaded, call them from now on: {ECHO}.", "x"]


class Extra(AgentMiddleware[Any, Any, Any]):
    async def awrap_model_call(self, request: Any, handler: Any) -> Any:
        return await handler(request)


async def test_with_somebody_elses_middleware_the_tools_are_there_too(tmp_path: Path) -> None:
    model = scripted(called(ECHO, text="x"), {"text": "ok"})
    one = agent(tmp_path, model, sandboxed(), extra_middleware=[Extra()])
    try:
        assert results(await events_of(one)) == ["x"]
    finally:
        await one.aclose()


async def test_a_sub_agent_has_the_servers_tools(tmp_path: Path) -> None:
    scripts = [
        {"match": "ask the server", "steps": [called(ECHO, text="from below"), {"text": "told"}]},
        {
            "match": "",
            "steps": [
                called("task", description="ask the server", subagent_type="general-purpose"),
                {"text": "delegated"},
            ],
        },
    ]
    one = agent(tmp_path, scripted(scripts=scripts), sandboxed())
    try:
        events = await events_of(one)
    finally:
        await one.aclose()
    assert "from below" in results(events)
    assert events[-1].content == "delegated"


class Nobody:
    async def request_approval(self, action_request: ActionRequest, session_id: str) -> Decision:
        raise NoOneToAskError("nobody is here")

    async def notify_auto_approved(self, action_request: ActionRequest, session_id: str) -> None:
        raise AssertionError


async def test_a_run_that_waits_goes_on_in_another_agent_and_calls_the_server(
    tmp_path: Path,
) -> None:
    stores = Stores.in_memory()
    script = (called(ECHO, text="later"), {"text": "ok"})
    first = agent(tmp_path, scripted(*script), sandboxed(), handler=Nobody(), stores=stores)
    try:
        waiting = await events_of(first)
    finally:
        await first.aclose()
    assert types(waiting)[-1] == "hitl_request"
    second = agent(tmp_path, scripted(*script), sandboxed(), stores=stores)
    try:
        events = await resumed(second)
    finally:
        await second.aclose()
    assert results(events) == ["later"]
    assert events[-1].reason == "completed"


@pytest.mark.requirement("F6-real-servers")
@pytest.mark.slow
async def test_a_hundred_sessions_of_one_person_share_one_process(tmp_path: Path) -> None:
    chosen = settings(home=tmp_path / "home")
    access = MCPAccess(local_manager(chosen))
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    left = Leftovers()

    def one(number: int) -> AgentExecutor:
        model: ScriptedChatModel = scripted(called("mcp__local_small__pid"), {"text": str(number)})
        factory = AgentFactory(chosen, Answering(), mcp=access)
        config = AgentConfig(
            assistant_id="tester",
            user_id="alice",
            tenant_id="local",
            model=model,
            workspace_path=workspace,
            mcp_config=MCPConfig(servers=[small()]),
        )
        return factory.create_executor(config)

    agents = [one(number) for number in range(100)]
    try:
        done = await asyncio.gather(
            *(events_of(agent, session=f"s{n}") for n, agent in enumerate(agents))
        )
    finally:
        for agent in agents:
            await agent.aclose()
        await access.aclose()
    assert len({tuple(results(events)) for events in done}) == 1
    assert not left.processes


@pytest.mark.parametrize(
    ("tool", "args", "said"),
    [
        ("crash", {"code": 7}, "whether it was done is unknown"),
        ("flood", {"lines": 50_000}, None),
        ("junk", {"lines": 5_000}, "no MCP message"),
        ("big", {"bytes": 10_000_000_000}, "more than 16 MiB"),
    ],
    ids=["crash", "flood", "junk", "ten gigabytes"],
)
@pytest.mark.requirement("F6-misbehaviour")
async def test_whatever_a_server_does_the_run_goes_on_and_nothing_is_left(
    tmp_path: Path, tool: str, args: dict[str, Any], said: str | None
) -> None:
    steps = [called(f"mcp__local_small__{tool}", **args), called(ECHO, text="still here")]
    warm = agent(tmp_path, scripted(called(ECHO, text="x"), {"text": "ok"}), sandboxed())
    await events_of(warm, session="warm")
    await warm.aclose()
    del warm
    left = Leftovers()
    one = agent(tmp_path, scripted(*steps, {"text": "done"}), sandboxed())
    try:
        events = await events_of(one)
    finally:
        await one.aclose()
    del one
    first, second = results(events)
    assert said is None or said in first, first
    assert second == "still here"
    assert events[-1].content == "done"
    await left.is_nothing()


@pytest.mark.requirement("F6-misbehaviour")
async def test_a_run_that_waits_for_a_hanging_server_is_stopped_at_once(tmp_path: Path) -> None:
    left = Leftovers()
    stop = asyncio.Event()
    one = agent(tmp_path, scripted(called("mcp__local_small__sleep", seconds=600)), sandboxed())
    events: list[Any] = []
    try:
        async for event in one.execute("go", "s", cancellation_token=stop):
            events.append(event)
            if event.event_type == "tool_call":
                stop.set()
    finally:
        await one.aclose()
    assert events[-1].cancelled
    assert not left.processes
