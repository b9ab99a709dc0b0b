"""Sessions in use: finds or makes them, keeps one executor for each, forgets the idle ones.

How an executor is built belongs to the layer above, so it is handed in as `ExecutorFactory`.
"""

import time
from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

from dataagent_core.config.limits import SESSION_TIMEOUT_S
from dataagent_core.session.state import Session
from dataagent_core.session.store import SessionStore

ConfigT_contra = TypeVar("ConfigT_contra", contravariant=True)
HandlerT_contra = TypeVar("HandlerT_contra", contravariant=True)
ExecutorT_co = TypeVar("ExecutorT_co", bound="Executor", covariant=True)


class Executor(Protocol):
    """What holds a session's resources."""

    @property
    def running(self) -> bool:
        """Say whether it is at work just now."""
        ...

    async def aclose(self) -> None:
        """Let go of what it holds."""
        ...


class ExecutorFactory(Protocol[ConfigT_contra, HandlerT_contra, ExecutorT_co]):
    """Builds what runs a session."""

    def create_executor(
        self, config: ConfigT_contra, hitl_handler: HandlerT_contra | None = None
    ) -> ExecutorT_co: ...


class SessionManager(Generic[ConfigT_contra, HandlerT_contra, ExecutorT_co]):
    """Keeps the executors of the sessions in use, and drops those left alone too long."""

    def __init__(
        self,
        store: SessionStore,
        agent_factory: ExecutorFactory[ConfigT_contra, HandlerT_contra, ExecutorT_co],
        session_timeout_s: float = SESSION_TIMEOUT_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.store = store
        self._clock = clock
        self.agent_factory = agent_factory
        self._timeout_s = session_timeout_s
        self._executors: dict[str, Any] = {}
        self._last_used_s: dict[str, float] = {}

    async def get_or_create_session(
        self, user_id: str, assistant_id: str, session_id: str | None = None
    ) -> Session:
        """Return the person's session of that id, or a new one.

        An id that is unknown, or that is somebody else's, starts a new session under a new id:
        knowing an id is not a right to it.
        """
        if session_id is not None:
            session = await self.store.get(session_id)
            if session is not None and session.user_id == user_id:
                return session
        return await self.store.create(user_id, assistant_id)

    async def get_executor(
        self, session: Session, config: ConfigT_contra, hitl_handler: HandlerT_contra | None = None
    ) -> ExecutorT_co:
        """Return the session's executor, built on first use; idle ones of others are dropped."""
        await self.cleanup_idle()
        executor = self._executors.get(session.session_id)
        if executor is None:
            executor = self.agent_factory.create_executor(config, hitl_handler)
            self._executors[session.session_id] = executor
        self._last_used_s[session.session_id] = self._clock()
        return executor

    def active_sessions(self) -> list[str]:
        """Name the sessions that hold an executor."""
        return list(self._executors)

    async def close_session(self, session_id: str) -> None:
        """Drop a session's executor; what is stored stays."""
        executor = self._executors.pop(session_id, None)
        self._last_used_s.pop(session_id, None)
        if executor is not None:
            await executor.aclose()

    async def cleanup_idle(self) -> list[str]:
        """Drop the executors of sessions idle beyond the time-out, and name them."""
        deadline = self._clock() - self._timeout_s
        idle = [
            key
            for key, used in self._last_used_s.items()
            if used <= deadline and not self._executors[key].running
        ]
        for session_id in idle:
            await self.close_session(session_id)
        return idle
