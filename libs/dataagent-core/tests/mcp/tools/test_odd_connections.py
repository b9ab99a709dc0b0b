"""Servers that need a sign-in, fall silent or are used without a run, and sub-agents that use them."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from agents import events_of, scripted
from mcp_offering import (
    ME,
    NAME,
    Offering,
    Person,
    agent,
    agent_servers,
    config,
    form,
    listed,
    results,
    text,
    using,
)
from mcp_types import Tool

from dataagent_core.errors import MCPServerError, SignInNeededError, ValidationError
from dataagent_core.mcp.access import MCPAccess
from dataagent_core.mcp.config import MCPConfig, MCPServerConfig
from dataagent_core.mcp.connections import ConnectResult
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.ports import ServerStatus
from dataagent_core.mcp.tools import AgentServers
from dataagent_core.mcp.tools import tool as tool_module

TOOL = "mcp__local_desk__act"


class NeedsSignIn:
    """A server whose tools are known from before and whose token is gone."""

    config = config()
    status = ServerStatus("needs_auth")

    async def tools(self) -> tuple[Tool, ...]:
        return (listed("act"),)

    async def call(self, *_: Any, **__: Any) -> Any:
        raise SignInNeededError("desk", "repo")


class OnlyOne:
    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def connection(self, owner: Owner, config: MCPServerConfig) -> Any:
        return self._connection

    async def connect_user_servers(
        self, owner: Owner, config: MCPConfig, deadline_s: float
    ) -> ConnectResult:
        return ConnectResult({"desk": await self._connection.tools()}, {})


async def the_tool() -> Any:
    servers = AgentServers(OnlyOne(NeedsSignIn()), ME, MCPConfig(servers=[config()]))
    return (await servers.list_offers()).tools[0]


async def test_a_call_that_needs_a_sign_in_says_how() -> None:
    with pytest.raises(MCPServerError, match="dataagent mcp login desk"):
        await (await the_tool()).ainvoke({})


async def test_without_a_run_a_tool_can_be_called_and_its_questions_are_declined() -> None:
    offering = Offering([listed("act", {"n": {"type": "integer"}})])

    async def handle(_: Any, params: Any) -> Any:
        answers = params.input_responses
        return text(answers["q"].action) if answers else form("Who?", NAME)

    offering.handle = handle
    async with agent_servers(offering) as servers:
        (tool,) = (await servers.list_offers()).tools
        assert (await tool.ainvoke({"n": 1})).text == "decline"
        with pytest.raises(ValidationError, match="expected is integer"):
            await tool.ainvoke({"n": "one"})
        with pytest.raises(NotImplementedError):
            tool.invoke({"n": 1})


async def test_a_server_that_falls_silent_is_a_tool_error(
    access: MCPAccess, offering: Offering, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tool_module, "MCP_CALL_SILENCE_S", 0.05)
    offering.tools = [listed("act")]
    stopped = asyncio.Event()

    async def handle(_: Any, __: Any) -> Any:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    offering.handle = handle
    made = agent(scripted(using(TOOL), {"text": "ok"}), tmp_path, access, handler=Person())
    events = await events_of(made)
    (result,) = results(events)
    assert result.status == "error"
    assert "'desk' said nothing for" in str(result.result)
    await asyncio.wait_for(stopped.wait(), 60)
    await made.aclose()


async def test_a_sub_agent_uses_the_servers_too_and_its_questions_reach_the_person(
    access: MCPAccess, offering: Offering, tmp_path: Path
) -> None:
    offering.tools = [listed("act")]

    async def handle(_: Any, params: Any) -> Any:
        answers = params.input_responses
        return text(f"heard {answers['q'].content}") if answers else form("Who?", NAME)

    offering.handle = handle
    task = {"subagent_type": "general-purpose", "description": "act"}
    model = scripted(
        scripts=[
            {"match": "^act$", "steps": [using(TOOL), {"text": "sub done"}]},
            {"steps": [using("task", **task), {"text": "all done"}]},
        ]
    )
    person = Person({"type": "answer", "answer": {"name": "Ada"}})
    made = agent(model, tmp_path, access, handler=person)
    events = await events_of(made)
    await made.aclose()
    heard = [str(result.result) for result in results(events) if result.tool_name == TOOL]
    assert heard == ["heard {'name': 'Ada'}"]
    assert len(person.questions) == 1
    assert len(offering.called) == 2
