"""The ports of our MCP server: the caller, its tools, its agent, and the record of calls."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from dataagent_core.hitl import Decision
from dataagent_core.mcp.server.scopes import Scope
from dataagent_core.permissions import Policy, Rule
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.data.results import ResultStore
from dataagent_core.tools.pipeline.call_forecast import Forecaster, Forecasters
from dataagent_core.tools.registry import ToolRegistry

Outcome = Literal["ok", "error", "invalid", "denied", "unknown", "timeout", "cancelled", "waiting"]


@dataclass(frozen=True, slots=True)
class MCPCaller:
    """Somebody a face knows; `who` is the face's own, for its audit and its services."""

    name: str
    scopes: frozenset[Scope]
    who: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MCPToolset:
    """The tools of one caller, and the rules their calls are judged by."""

    registry: ToolRegistry
    policy: Policy
    # Rules a person's earlier answers made, where no file holds them.
    kept_rules: Sequence[Rule] = ()
    foresights: Forecasters = field(default_factory=dict[str, Forecaster])
    # Where their tools write files; None where they have none.
    workspace: SafeRoot | None = None
    # Said to whoever is refused because nobody can be asked.
    how_to_allow: str = ""


@dataclass(frozen=True, slots=True)
class MCPCallRecord:
    """One call as the audit keeps it: what was asked, what came of it, how long it took."""

    tool: str
    arguments: Mapping[str, Any]
    outcome: Outcome
    # What was answered, or why not; cut where it is long.
    answer: str
    duration_ms: int


@dataclass(frozen=True, slots=True)
class RunRef:
    """A run that was started, or is known from before."""

    session_id: str
    run_id: str


class MCPAgent(Protocol):
    """Works for one caller. Its events are those of the log, as dictionaries."""

    async def start(self, message: str, session_id: str | None, *, can_ask: bool) -> RunRef:
        """Take a message; `can_ask` says that questions will be answered by `answer`."""
        ...

    def events(self, run: RunRef) -> AsyncGenerator[list[dict[str, Any]]]:
        """Give the run's events, from its start on, until it is done or waits for a person."""
        ...

    async def answer(self, run: RunRef, interrupt_id: str, decision: Decision) -> None:
        """Answer what the run asks."""
        ...

    async def cancel(self, run: RunRef) -> None:
        """Stop the run, unless it is over or the process is stopping anyway."""
        ...


class MCPServices(Protocol):
    """Everything a server serves; each method is for the one who calls just now."""

    async def caller(self) -> MCPCaller:
        """Say who sends the present request; refuse who is nobody."""
        ...

    def bench(self, caller: MCPCaller) -> AbstractAsyncContextManager[MCPToolset]:
        """Open their tools for one call."""
        ...

    def agent(self, caller: MCPCaller) -> MCPAgent:
        """Give the agent that works for them."""
        ...

    async def results(self, caller: MCPCaller) -> ResultStore:
        """Open their results."""
        ...

    async def sessions(self, caller: MCPCaller, limit: int) -> list[dict[str, Any]]:
        """List their sessions, the last used first."""
        ...

    async def session(self, caller: MCPCaller, session_id: str) -> dict[str, Any]:
        """Show one session with its messages."""
        ...

    def session_changes(self, caller: MCPCaller, session_id: str) -> AsyncGenerator[None]:
        """Yield each time something was added to a session, while it is listened to."""
        ...

    async def use_once(self, caller: MCPCaller, answer_id: str) -> bool:
        """Use a person's answer; False when it was used before, here or in another process."""
        ...

    async def record(self, caller: MCPCaller | None, record: MCPCallRecord) -> None:
        """Put a call on record; without a caller nobody known asked."""
        ...
