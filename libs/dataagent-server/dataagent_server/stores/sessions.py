"""Sessions of one tenant: S0's port. The server's lists are in `session_lists.py`."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from dataagent_core.errors import ConflictError, NotFoundError
from dataagent_core.ids import checked_id, new_id
from dataagent_core.session.state import Session, now
from dataagent_core.session.store import SessionStore
from dataagent_core.session.stores.encoding import json_copy
from dataagent_server.db.database import Database
from dataagent_server.db.tables.conversations import sessions
from dataagent_server.stores.removal import is_being_removed

_FIELDS = (
    "session_id",
    "user_id",
    "assistant_id",
    "created_at",
    "last_active",
    "state",
    "metadata",
)
SESSION_COLUMNS = [sessions.c[name] for name in _FIELDS]


class SqlSessionStore(SessionStore):
    """The sessions of one tenant."""

    def __init__(self, database: Database, tenant_id: str) -> None:
        self._database = database
        self._tenant_id = tenant_id

    async def create(
        self,
        user_id: str,
        assistant_id: str,
        *,
        session_id: str | None = None,
        project_id: str | None = None,
        title: str | None = None,
    ) -> Session:
        chosen = checked_id(session_id, "session id") if session_id else new_id()
        session = Session(session_id=chosen, user_id=user_id, assistant_id=assistant_id)
        await self._database.write(
            lambda c: insert_session(c, self._tenant_id, session, project_id, title)
        )
        return session

    async def get(self, session_id: str) -> Session | None:
        found = await self._select(sessions.c.session_id == session_id)
        return found[0] if found else None

    async def update(self, session: Session) -> None:
        change = (
            update(sessions)
            .where(*_one(self._tenant_id, session.session_id))
            .values(
                user_id=session.user_id,
                assistant_id=session.assistant_id,
                created_at=session.created_at,
                last_active=session.last_active,
                state=json_copy(session.state, "a session's state"),
                metadata=json_copy(session.metadata, "a session's metadata"),
            )
        )

        if not await self._database.write(lambda c: c.execute(change).rowcount):
            raise NotFoundError(f"there is no session {session.session_id!r}.")

    async def delete(self, session_id: str) -> None:
        await self._database.write(lambda c: delete_session(c, self._tenant_id, session_id))

    async def list_by_user(self, user_id: str) -> list[Session]:
        return await self._select(sessions.c.user_id == user_id)

    async def list_by_assistant(self, assistant_id: str) -> list[Session]:
        return await self._select(sessions.c.assistant_id == assistant_id)

    async def list_expired(self, timeout_s: float) -> list[Session]:
        return await self._select(sessions.c.last_active <= now() - timedelta(seconds=timeout_s))

    async def cleanup_expired(self, timeout_s: float) -> int:
        expired = sessions.c.last_active <= now() - timedelta(seconds=timeout_s)
        remove = delete(sessions).where(sessions.c.tenant_id == self._tenant_id, expired)
        return await self._database.write(lambda c: c.execute(remove).rowcount)

    async def _select(self, condition: ColumnElement[bool]) -> list[Session]:
        statement = (
            select(*SESSION_COLUMNS)
            .where(sessions.c.tenant_id == self._tenant_id, condition)
            .order_by(sessions.c.last_active.desc(), sessions.c.session_id)
        )
        rows = await self._database.read(lambda c: c.execute(statement).all())
        return [session_of(row) for row in rows]


def insert_session(
    connection: Connection,
    tenant_id: str,
    session: Session,
    project_id: str | None,
    title: str | None,
) -> None:
    """Write a new session, inside a transaction that may do more."""
    row = {name: getattr(session, name) for name in _FIELDS}
    extra = {"tenant_id": tenant_id, "project_id": project_id, **titled(title)}
    try:
        connection.execute(insert(sessions), row | extra)
    except IntegrityError as error:
        raise ConflictError(f"session {session.session_id!r} already exists.") from error
    # Asked after the insert, which waits for whoever is deleting the session of that name.
    if is_being_removed(connection, tenant_id, session.session_id):
        raise ConflictError(
            f"session {session.session_id!r} was deleted, and what was said in it is still being "
            "removed. Try again in a moment, or choose another id."
        )


def titled(title: str | None) -> dict[str, str | None]:
    """Return a title's two columns."""
    return {"title": title, "title_folded": None if title is None else title.casefold()}


def delete_session(connection: Connection, tenant_id: str, session_id: str) -> None:
    """Remove a session's own row; its log and messages are other stores'."""
    connection.execute(delete(sessions).where(*_one(tenant_id, session_id)))


def session_of(row: Row[Any]) -> Session:
    """Read a session from a row that begins with `SESSION_COLUMNS`."""
    return Session(*row[: len(_FIELDS)])


def _one(tenant_id: str, session_id: str) -> Sequence[ColumnElement[bool]]:
    return sessions.c.tenant_id == tenant_id, sessions.c.session_id == session_id
