"""MCP services with a few tools, for one caller, that keep what was recorded."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from langchain_core.tools import BaseTool
from mcp import Client

from dataagent_core.errors import NotFoundError
from dataagent_core.hitl import Decision
from dataagent_core.mcp.server.ports import MCPCaller, MCPCallRecord, MCPToolset, RunRef
from dataagent_core.mcp.server.tool_table import EVERY_SCOPE, Scope, ServedToolRow
from dataagent_core.mcp.server.used_answers import UsedAnswers
from dataagent_core.permissions import Policy, Rule, RuleSet
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.data.results import FolderResultStore, ResultStore
from dataagent_core.tools.definition.tool_origin import BUILT_IN
from dataagent_core.tools.pipeline.call_forecast import Forecaster, Forecasters
from dataagent_core.tools.registry import ToolRegistry

Event = dict[str, Any]


@dataclass
class ScriptedAgent:
    """Plays the events it was given; keeps answers and cancels."""

    segments: list[list[Event]] = field(default_factory=list[list[Event]])
    answers: list[tuple[str, Decision]] = field(default_factory=list[tuple[str, Decision]])
    cancelled: list[RunRef] = field(default_factory=list[RunRef])
    asked: list[str] = field(default_factory=list[str])

    async def start(self, message: str, session_id: str | None, *, can_ask: bool) -> RunRef:
        del can_ask
        self.asked.append(message)
        return RunRef(session_id or "s", "r")

    async def events(self, run: RunRef) -> AsyncGenerator[list[Event]]:
        del run
        done = self.segments[: len(self.answers) + 1]
        yield [event for segment in done for event in segment]

    async def answer(self, run: RunRef, interrupt_id: str, decision: Decision) -> None:
        del run
        self.answers.append((interrupt_id, decision))

    async def cancel(self, run: RunRef) -> None:
        self.cancelled.append(run)


@dataclass
class FakeServices:
    """Serves these tools to one caller."""

    tools: Sequence[BaseTool] = ()
    scopes: frozenset[Scope] = EVERY_SCOPE
    rules: tuple[Rule, ...] = ()
    forecasters: Forecasters = field(default_factory=dict[str, Forecaster])
    worker: ScriptedAgent = field(default_factory=ScriptedAgent)
    answers: UsedAnswers = field(default_factory=UsedAnswers)
    records: list[MCPCallRecord] = field(default_factory=list[MCPCallRecord])
    workspace: SafeRoot | None = None

    async def caller(self) -> MCPCaller:
        return MCPCaller("ann", self.scopes)

    @asynccontextmanager
    async def open_toolset(self, caller: MCPCaller) -> AsyncGenerator[MCPToolset]:
        del caller
        owned = frozenset(tool.name for tool in self.tools)
        yield MCPToolset(
            registry=ToolRegistry().adding(self.tools, BUILT_IN),
            policy=Policy(rules=RuleSet(operator=self.rules), owned=owned),
            forecasters=self.forecasters,
            workspace=self.workspace,
            how_to_allow="Ask the operator.",
        )

    def agent(self, caller: MCPCaller) -> ScriptedAgent:
        del caller
        return self.worker

    async def results(self, caller: MCPCaller) -> ResultStore:
        del caller
        return FolderResultStore(Path("/nonexistent"))

    async def sessions(self, caller: MCPCaller, limit: int) -> list[dict[str, Any]]:
        del caller
        return [{"session_id": "s"}][:limit]

    async def session(self, caller: MCPCaller, session_id: str) -> dict[str, Any]:
        del caller
        if session_id != "s":
            raise NotFoundError(f"There is no session {session_id!r}.")
        return {"session_id": "s", "messages": []}

    async def session_changes(self, caller: MCPCaller, session_id: str) -> AsyncGenerator[None]:
        await self.session(caller, session_id)
        yield

    async def use_once(self, caller: MCPCaller, answer_id: str) -> bool:
        del caller
        return self.answers.take(answer_id)

    async def record(self, caller: MCPCaller | None, record: MCPCallRecord) -> None:
        assert caller is not None
        self.records.append(record)


def serve_all(tools: Sequence[BaseTool], **times: float) -> Mapping[str, ServedToolRow]:
    """Serve every tool to whoever may read data, each within a time."""
    return {tool.name: ServedToolRow("data:read", times.get(tool.name, 10.0)) for tool in tools}


@asynccontextmanager
async def connect_client(services: FakeServices, served: Mapping[str, ServedToolRow], **more: Any):
    """Connect the SDK's client to a server of these services, in this process."""
    from dataagent_core.mcp.server.build_server import build_server

    server = build_server(services, served=served)
    low = server._mcp_server  # pyright: ignore[reportPrivateUsage] (in-process clients take the library's inner server)
    async with Client(low, **more) as client:
        yield client
