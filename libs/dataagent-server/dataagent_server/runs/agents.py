"""Agents ready for their session's next message.

One executor per session, because what an agent holds is the session's: its Python, what it has
read. It is built when a run begins and closed when it has been idle, or when many others are newer.
"""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from dataagent_core.config.limits import SESSION_TIMEOUT_S
from dataagent_core.engine import AgentExecutor
from dataagent_server.ids import TenantId
from dataagent_server.runs.limits import AGENTS_KEPT_MAX
from dataagent_server.runs.model import RunRow

logger = logging.getLogger(__name__)


class ForWhom(Protocol):
    """Whose agent, which, and where it works: a run says so, or somebody who only asks."""

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


class AgentBuilder(Protocol):
    """Knows tenants, workspaces, assistants and models; `wiring.py` puts it together."""

    async def plan(self, run: ForWhom) -> Any:
        """Look up what the agent is made from; an equal plan means the same agent."""
        ...

    def hold(self, plan: Any) -> AbstractAsyncContextManager[None]:
        """Keep what the person's agents share, for as long as this one is kept."""
        ...

    def build(self, plan: Any) -> AgentExecutor: ...

    async def aclose(self) -> None:
        """Close what the agents of all people share; none of them is there any more."""
        ...


@dataclass(slots=True)
class _Kept:
    executor: AgentExecutor
    plan: Any
    held: AsyncExitStack
    used_at: float = field(default_factory=time.monotonic)
    busy: bool = False


class Agents:
    """The executors of this process by session."""

    def __init__(self, builder: AgentBuilder, idle_s: float = SESSION_TIMEOUT_S) -> None:
        self._idle_s = idle_s
        self._builder = builder
        self._kept: OrderedDict[tuple[TenantId, str], _Kept] = OrderedDict()

    @asynccontextmanager
    async def lend(self, run: RunRow) -> AsyncGenerator[AgentExecutor]:
        """Give the session's executor for the time of one segment."""
        key = (run.tenant_id, run.session_id)
        # Looked up each time: a person may have changed the assistant, or a key, since.
        plan = await self._builder.plan(run)
        kept = self._kept.get(key)
        if kept is None or kept.busy or kept.plan != plan:
            kept = await self._built(plan)
            await self._replace(key, kept)
        kept.busy = True
        self._kept.move_to_end(key)
        try:
            yield kept.executor
        finally:
            kept.busy = False
            kept.used_at = time.monotonic()

    @asynccontextmanager
    async def look_at(self, whom: ForWhom) -> AsyncGenerator[AgentExecutor]:
        """Give an executor as a run would get it, to see what it has; it is not kept."""
        kept = await self._built(await self._builder.plan(whom))
        try:
            yield kept.executor
        finally:
            await _close(kept)

    async def forget(self, tenant_id: TenantId, session_id: str) -> None:
        """Close a session's executor; call it when the session or its settings change."""
        kept = self._kept.get((tenant_id, session_id))
        if kept is not None and not kept.busy:
            del self._kept[tenant_id, session_id]
            await _close(kept)

    async def sweep(self) -> None:
        """Close what nobody has used for a while."""
        deadline = time.monotonic() - self._idle_s
        for key, kept in list(self._kept.items()):
            crowded = len(self._kept) > AGENTS_KEPT_MAX
            if not kept.busy and (crowded or kept.used_at < deadline):
                del self._kept[key]
                await _close(kept)

    async def aclose(self) -> None:
        """Close all of them."""
        kept = list(self._kept.values())
        self._kept.clear()
        await asyncio.gather(*(_close(one) for one in kept))
        await self._builder.aclose()

    async def _built(self, plan: Any) -> _Kept:
        executor = self._builder.build(plan)
        held = AsyncExitStack()
        await held.enter_async_context(self._builder.hold(plan))
        return _Kept(executor, plan, held)

    async def _replace(self, key: tuple[TenantId, str], kept: _Kept) -> None:
        former = self._kept.pop(key, None)
        self._kept[key] = kept
        if former is not None:
            await _close(former)


async def _close(kept: _Kept) -> None:
    try:
        await kept.executor.aclose()
    except Exception:
        logger.exception("cannot close an agent")
    finally:
        await kept.held.aclose()
