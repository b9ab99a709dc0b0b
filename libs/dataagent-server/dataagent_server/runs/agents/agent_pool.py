"""Agents ready for their session's next message: core's session managers, one per tenant.

One executor per session, because an agent holds state of the session: its Python process, the files
it has read. `SessionManager` builds it when a run begins and closes it when it has been idle; this
module manages those of all tenants of the process.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from dataagent_core.config.limits import SESSION_TIMEOUT_S
from dataagent_core.engine import AgentExecutor
from dataagent_core.hitl import HITLHandler
from dataagent_core.session import Session, SessionManager
from dataagent_server.common.ids import TenantId
from dataagent_server.runs.limits import AGENTS_KEPT_MAX
from dataagent_server.runs.tenant_stores import StoresOf


class AgentSubject(Protocol):
    """The user, the assistant and the session of an agent."""

    @property
    def tenant_id(self) -> TenantId: ...
    @property
    def user_id(self) -> str: ...
    @property
    def assistant_id(self) -> str: ...
    @property
    def model(self) -> str | None: ...
    @property
    def project_id(self) -> str | None: ...
    @property
    def session_id(self) -> str: ...
    @property
    def copies_of(self) -> str | None:
        """The run whose copies of skills and sub-agents it uses; None where it has none."""
        ...


@dataclass(frozen=True, slots=True)
class ToolListSubject:
    """An agent without a session: it is only asked for its tools."""

    tenant_id: TenantId
    user_id: str
    assistant_id: str
    project_id: str | None
    session_id: str = ""
    model: str | None = None
    copies_of: str | None = None


class AgentBuilder(Protocol):
    """Knows tenants, workspaces, assistants and models; the composition root makes it."""

    async def plan(self, run: AgentSubject) -> Any:
        """Look up what the agent is made from; an equal plan means the same agent."""
        ...

    def hold(self, plan: Any) -> AbstractAsyncContextManager[None]:
        """Keep what a user's agents share while this one is kept."""
        ...

    def create_executor(
        self, config: Any, hitl_handler: HITLHandler | None = None
    ) -> AgentExecutor:
        """Build the agent of a plan."""
        ...

    async def aclose(self) -> None:
        """Close what the agents of all users share; call it after the agents are closed."""
        ...


Manager = SessionManager[Any, HITLHandler, AgentExecutor]


class AgentPool:
    """The session managers of this process by tenant."""

    def __init__(
        self,
        builder: AgentBuilder,
        stores_of: StoresOf,
        idle_s: float = SESSION_TIMEOUT_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._builder = builder
        self._stores_of = stores_of
        self._idle_s = idle_s
        self._clock = clock
        self._managers: dict[TenantId, Manager] = {}

    def manager_of(self, tenant_id: TenantId) -> Manager:
        """Return the session manager of a tenant."""
        if tenant_id not in self._managers:
            self._managers[tenant_id] = SessionManager(
                self._stores_of(tenant_id).sessions,
                self._builder,
                self._idle_s,
                self._clock,
                hold=self._builder.hold,
            )
        return self._managers[tenant_id]

    @asynccontextmanager
    async def lend(self, run: AgentSubject) -> AsyncGenerator[AgentExecutor]:
        """Lend the session's executor for one segment."""
        # Looked up each time: the assistant or a key may have changed since.
        plan = await self._builder.plan(run)
        session = Session(run.session_id, run.user_id, run.assistant_id)
        async with self.manager_of(run.tenant_id).lend_executor(session, plan) as executor:
            yield executor

    @asynccontextmanager
    async def build_temporary(self, whom: AgentSubject) -> AsyncGenerator[AgentExecutor]:
        """Build an executor as for a run, to read its tools; it is not kept."""
        plan = await self._builder.plan(whom)
        async with self._builder.hold(plan):
            executor = self._builder.create_executor(plan)
            try:
                yield executor
            finally:
                await executor.aclose()

    async def forget(self, tenant_id: TenantId, session_id: str) -> None:
        """Close a session's executor; call it when the session or its settings change."""
        await self.manager_of(tenant_id).close_session(session_id, only_idle=True)

    async def sweep(self) -> None:
        """Close idle executors, and the oldest where there are too many."""
        managers = list(self._managers.values())
        for manager in managers:
            await manager.cleanup_idle()
        crowd = sum(len(manager.active_sessions()) for manager in managers) - AGENTS_KEPT_MAX
        if crowd > 0:
            idle = [
                (last_used_s, session_id, manager)
                for manager in managers
                for session_id, last_used_s in manager.idle_sessions().items()
            ]
            for _, session_id, manager in sorted(idle, key=lambda one: one[0])[:crowd]:
                await manager.close_session(session_id, only_idle=True)

    async def aclose(self) -> None:
        """Close all of them."""
        await asyncio.gather(*(manager.aclose() for manager in self._managers.values()))
        await self._builder.aclose()
