"""`SessionManager`: finds or creates sessions, keeps an executor for each, closes idle ones.

A manager serves one tenant, as its store does. The layer above builds executors, so it passes an
`ExecutorFactory`. The server has one manager per tenant
(`dataagent_server/runs/agents/agent_pool.py`).
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from dataagent_core.config.limits import SESSION_TIMEOUT_S
from dataagent_core.session.state import Session
from dataagent_core.session.store import SessionStore

ConfigT_contra = TypeVar("ConfigT_contra", contravariant=True)
HandlerT_contra = TypeVar("HandlerT_contra", contravariant=True)
ExecutorT_co = TypeVar("ExecutorT_co", bound="Executor", covariant=True)

logger = logging.getLogger(__name__)


class Executor(Protocol):
    """Holds a session's resources."""

    @property
    def running(self) -> bool:
        """Whether it is running."""
        ...

    async def aclose(self) -> None:
        """Release the resources."""
        ...


class ExecutorFactory(Protocol[ConfigT_contra, HandlerT_contra, ExecutorT_co]):
    """Builds the executor of a session."""

    def create_executor(
        self, config: ConfigT_contra, hitl_handler: HandlerT_contra | None = None
    ) -> ExecutorT_co: ...


@dataclass(slots=True, eq=False)
class _ManagedSession:
    executor: Any
    config: Any
    resources: AsyncExitStack
    last_used_s: float
    lent: bool = False

    @property
    def in_use(self) -> bool:
        return self.lent or self.executor.running


class SessionManager(Generic[ConfigT_contra, HandlerT_contra, ExecutorT_co]):
    """Keeps the executors of the sessions in use, and closes those that are idle too long.

    `hold` opens what an executor shares with others; it is exited when the executor is closed.
    """

    def __init__(
        self,
        store: SessionStore,
        agent_factory: ExecutorFactory[ConfigT_contra, HandlerT_contra, ExecutorT_co],
        session_timeout_s: float = SESSION_TIMEOUT_S,
        clock: Callable[[], float] = time.monotonic,
        *,
        hold: Callable[[ConfigT_contra], AbstractAsyncContextManager[None]] | None = None,
    ) -> None:
        self.store = store
        self._clock = clock
        self.agent_factory = agent_factory
        self._timeout_s = session_timeout_s
        self._hold = hold
        self._entries: dict[str, _ManagedSession] = {}
        # Two callers of one session get one executor, not one each.
        self._building = asyncio.Lock()

    async def get_or_create_session(
        self, user_id: str, assistant_id: str, session_id: str | None = None
    ) -> Session:
        """Return the user's session of that id, or a new one.

        An unknown id, or the id of another user's session, starts a new session under a new id.
        """
        if session_id is not None:
            session = await self.store.get(session_id)
            if session is not None and session.user_id == user_id:
                return session
        return await self.store.create(user_id, assistant_id)

    async def get_executor(
        self, session: Session, config: ConfigT_contra, hitl_handler: HandlerT_contra | None = None
    ) -> ExecutorT_co:
        """Return the session's executor, built on first use; idle ones of others are closed.

        Another `config` builds another executor, once the former is not running.
        """
        await self.cleanup_idle()

        def fits(entry: _ManagedSession) -> bool:
            return entry.in_use or entry.config == config

        return (await self._get_or_build(session, config, hitl_handler, fits)).executor

    @asynccontextmanager
    async def lend_executor(
        self, session: Session, config: ConfigT_contra, hitl_handler: HandlerT_contra | None = None
    ) -> AsyncGenerator[ExecutorT_co]:
        """Lend the session's executor to one run; it is not idle until the block ends.

        If the executor is in use, the run gets a new one, and the former is closed.
        """

        def fits(entry: _ManagedSession) -> bool:
            return not entry.in_use and entry.config == config

        entry = await self._get_or_build(session, config, hitl_handler, fits, lent=True)
        try:
            yield entry.executor
        finally:
            entry.lent = False
            entry.last_used_s = self._clock()

    def active_sessions(self) -> list[str]:
        """List the ids of sessions that have an executor."""
        return list(self._entries)

    def idle_sessions(self) -> Mapping[str, float]:
        """Return when each idle executor was last used, by the manager's clock."""
        return {
            session_id: entry.last_used_s
            for session_id, entry in self._entries.items()
            if not entry.in_use
        }

    async def close_session(self, session_id: str, *, only_idle: bool = False) -> bool:
        """Close a session's executor; return whether there was one. Stored data stays."""
        entry = self._entries.get(session_id)
        if entry is None or (only_idle and entry.in_use):
            return False
        del self._entries[session_id]
        await _close(entry)
        return True

    async def cleanup_idle(self) -> list[str]:
        """Close the executors of sessions idle beyond the time-out; return their ids."""
        deadline = self._clock() - self._timeout_s
        idle = [key for key, last_used_s in self.idle_sessions().items() if last_used_s <= deadline]
        # Closing takes a while, in which one of the others may be used again.
        return [key for key in idle if await self.close_session(key, only_idle=True)]

    async def aclose(self) -> None:
        """Close all executors."""
        entries = list(self._entries.values())
        self._entries.clear()
        await asyncio.gather(*(_close(entry) for entry in entries))

    async def _get_or_build(
        self,
        session: Session,
        config: ConfigT_contra,
        hitl_handler: HandlerT_contra | None,
        fits: Callable[[_ManagedSession], bool],
        *,
        lent: bool = False,
    ) -> _ManagedSession:
        async with self._building:
            former = self._entries.get(session.session_id)
            if former is not None and fits(former):
                entry, former = former, None
            else:
                entry = await self._build(config, hitl_handler)
                self._entries[session.session_id] = entry
            entry.last_used_s = self._clock()
            entry.lent = entry.lent or lent
        if former is not None:
            try:
                await _close(former)
            except BaseException:
                # The caller does not get it: from here on it is idle, and is closed as such.
                entry.lent = entry.lent and not lent
                raise
        return entry

    async def _build(
        self, config: ConfigT_contra, hitl_handler: HandlerT_contra | None
    ) -> _ManagedSession:
        async with AsyncExitStack() as resources:
            await resources.enter_async_context(
                nullcontext() if self._hold is None else self._hold(config)
            )
            executor = self.agent_factory.create_executor(config, hitl_handler)
            return _ManagedSession(executor, config, resources.pop_all(), self._clock())


async def _close(entry: _ManagedSession) -> None:
    """Close an executor; its failure must not reach a caller that uses another session."""
    try:
        await entry.executor.aclose()
    except Exception:
        logger.exception("cannot close an executor")
    finally:
        await entry.resources.aclose()
