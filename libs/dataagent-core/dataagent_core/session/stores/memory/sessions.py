"""Sessions in memory."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

from dataagent_core.errors import ConflictError, NotFoundError
from dataagent_core.ids import checked_id, new_id
from dataagent_core.session.state import Session, now
from dataagent_core.session.store import SessionStore
from dataagent_core.session.stores.encoding import json_copy


class MemorySessionStore(SessionStore):
    """Sessions in a dictionary."""

    def __init__(self) -> None:
        self._sessions: dict[str, Session] = {}

    async def create(
        self, user_id: str, assistant_id: str, *, session_id: str | None = None
    ) -> Session:
        chosen = checked_id(session_id, "session id") if session_id else new_id()
        if chosen in self._sessions:
            raise ConflictError(f"session {chosen!r} already exists.")
        session = Session(session_id=chosen, user_id=user_id, assistant_id=assistant_id)
        self._sessions[chosen] = _session_copy(session)
        return session

    async def get(self, session_id: str) -> Session | None:
        session = self._sessions.get(session_id)
        return _session_copy(session) if session else None

    async def update(self, session: Session) -> None:
        if session.session_id not in self._sessions:
            raise NotFoundError(f"there is no session {session.session_id!r}.")
        self._sessions[session.session_id] = _session_copy(session)

    async def delete(self, session_id: str) -> None:
        self._sessions.pop(session_id, None)

    async def list_by_user(self, user_id: str) -> list[Session]:
        return self._newest_first(s for s in self._sessions.values() if s.user_id == user_id)

    async def list_by_assistant(self, assistant_id: str) -> list[Session]:
        matching = (s for s in self._sessions.values() if s.assistant_id == assistant_id)
        return self._newest_first(matching)

    async def list_expired(self, timeout_s: float) -> list[Session]:
        deadline = now() - timedelta(seconds=timeout_s)
        return self._newest_first(s for s in self._sessions.values() if s.last_active <= deadline)

    @staticmethod
    def _newest_first(sessions: Iterable[Session]) -> list[Session]:
        by_id = sorted(sessions, key=lambda s: s.session_id)
        newest_first = sorted(by_id, key=lambda s: s.last_active, reverse=True)
        return [_session_copy(session) for session in newest_first]


def _session_copy(session: Session) -> Session:
    return replace(
        session,
        state=json_copy(session.state, "a session's state"),
        metadata=json_copy(session.metadata, "a session's metadata"),
    )
