"""The ports of our MCP server: the caller, its tools, its agent, and the record of calls."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from dataagent_core.hitl import Decision
from dataagent_core.mcp.server.tool_table import Scope
from dataagent_core.permissions import Policy, Rule
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.data.results import ResultStore
from dataagent_core.tools.pipeline.call_forecast import Forecaster, Forecasters
from dataagent_core.tools.registry import ToolRegistry

Outcome = Literal["ok", "error", "invalid", "denied", "unknown", "timeout", "cancelled", "waiting"]


@dataclass(frozen=True, slots=True)
class MCPCaller:
    """An authenticated caller; `who` is the host's own value, for its audit and its services."""

    name: str
    scopes: frozenset[Scope]
    who: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MCPToolset:
    """The tools of one caller, and the rules their calls are judged by."""

    registry: ToolRegistry
    policy: Policy
    # Rules from a person's earlier answers that no file holds.
    kept_rules: Sequence[Rule] = ()
    forecasters: Forecasters = field(default_factory=dict[str, Forecaster])
    # Where the tools write files; None without a workspace.
    workspace: SafeRoot | None = None
    # Added to a refusal when no person can be asked.
    how_to_allow: str = ""


@dataclass(frozen=True, slots=True)
class MCPCallRecord:
    """One call as the audit stores it."""

    tool: str
    arguments: Mapping[str, Any]
    outcome: Outcome
    # The answer or the reason for none, truncated.
    answer: str
    duration_ms: int


@dataclass(frozen=True, slots=True)
class RunRef:
    """The ids of a run."""

    session_id: str
    run_id: str


class MCPAgent(Protocol):
    """The agent of one caller. Its events are those of the log, as dictionaries."""

    async def start(self, message: str, session_id: str | None, *, can_ask: bool) -> RunRef:
        """Start a run for a message; with `can_ask` its questions will be answered by `answer`."""
        ...

    def events(self, run: RunRef) -> AsyncGenerator[list[dict[str, Any]]]:
        """Yield the run's events from its start until it is done or waits for a person."""
        ...

    async def answer(self, run: RunRef, interrupt_id: str, decision: Decision) -> None: ...

    async def cancel(self, run: RunRef) -> None:
        """Stop the run, unless it is over or the process is stopping anyway."""
        ...


class MCPServices(Protocol):
    """The services behind the MCP server; every method works for one caller."""

    async def caller(self) -> MCPCaller:
        """Return the caller of the current request; refuse an unknown one."""
        ...

    def open_toolset(self, caller: MCPCaller) -> AbstractAsyncContextManager[MCPToolset]: ...

    def agent(self, caller: MCPCaller) -> MCPAgent: ...

    async def results(self, caller: MCPCaller) -> ResultStore: ...

    async def sessions(self, caller: MCPCaller, limit: int) -> list[dict[str, Any]]:
        """List the caller's sessions, the last used first."""
        ...

    async def session(self, caller: MCPCaller, session_id: str) -> dict[str, Any]: ...

    def session_changes(self, caller: MCPCaller, session_id: str) -> AsyncGenerator[None]:
        """Yield each time something was added to a session."""
        ...

    async def use_once(self, caller: MCPCaller, answer_id: str) -> bool:
        """Mark a person's answer as used; False if it was used before, in any process."""
        ...

    async def record(self, caller: MCPCaller | None, record: MCPCallRecord) -> None:
        """Record a call; `caller` is None if the caller is unknown."""
        ...
