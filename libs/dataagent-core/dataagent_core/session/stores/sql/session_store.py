"""Sessions in an SQL database."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from dataagent_core.errors import ConflictError, NotFoundError
from dataagent_core.ids import checked_id, new_id
from dataagent_core.session.state import Session, now
from dataagent_core.session.store import SessionStore
from dataagent_core.session.stores.encoding import json_copy
from dataagent_core.session.stores.sql.connection import SqlConnection, SqlDatabase
from dataagent_core.session.stores.sql.dialect import insert, read_moment

SESSION_COLUMNS: Final = (
    "session_id",
    "user_id",
    "assistant_id",
    "created_at",
    "last_active",
    "state",
    "metadata",
)
_ONE: Final = "tenant_id = ? AND session_id = ?"


class SqlSessionStore(SessionStore):
    """The sessions of one tenant."""

    def __init__(self, database: SqlDatabase, tenant_id: str) -> None:
        self._database = database
        self._tenant_id = tenant_id

    async def create(
        self, user_id: str, assistant_id: str, *, session_id: str | None = None
    ) -> Session:
        session = new_session(user_id, assistant_id, session_id)
        try:
            await self._database.write(lambda c: insert_session(c, self._tenant_id, session))
        except ConflictError as error:
            raise session_exists(session.session_id) from error
        return session

    async def get(self, session_id: str) -> Session | None:
        found = await self._select("session_id = ?", session_id)
        return found[0] if found else None

    async def update(self, session: Session) -> None:
        # A copy, because the thread of the database writes what others may change meanwhile.
        state = json_copy(session.state, "a session's state")
        metadata = json_copy(session.metadata, "a session's metadata")
        kept = replace(session, state=state, metadata=metadata)

        def change(connection: SqlConnection) -> int:
            changes = ", ".join(f"{name} = ?" for name in SESSION_COLUMNS)
            values = (*_values(connection, kept), self._tenant_id, session.session_id)
            return connection.execute(
                f"UPDATE sessions SET {changes} WHERE {_ONE}", values
            ).rowcount

        if not await self._database.write(change):
            raise NotFoundError(f"there is no session {session.session_id!r}.")

    async def delete(self, session_id: str) -> None:
        await self._database.write(lambda c: delete_session(c, self._tenant_id, session_id))

    async def list_by_user(self, user_id: str) -> list[Session]:
        return await self._select("user_id = ?", user_id)

    async def list_by_assistant(self, assistant_id: str) -> list[Session]:
        return await self._select("assistant_id = ?", assistant_id)

    async def list_expired(self, timeout_s: float) -> list[Session]:
        return await self._select("last_active <= ?", now() - timedelta(seconds=timeout_s))

    async def cleanup_expired(self, timeout_s: float) -> int:
        deadline = now() - timedelta(seconds=timeout_s)

        def remove(connection: SqlConnection) -> int:
            return connection.execute(
                "DELETE FROM sessions WHERE tenant_id = ? AND last_active <= ?",
                (self._tenant_id, connection.dialect.moment(deadline)),
            ).rowcount

        return await self._database.write(remove)

    async def _select(self, condition: str, value: str | datetime) -> list[Session]:
        def select(connection: SqlConnection) -> Sequence[Any]:
            bound = value if isinstance(value, str) else connection.dialect.moment(value)
            return connection.execute(
                f"SELECT {', '.join(SESSION_COLUMNS)} FROM sessions "
                f"WHERE tenant_id = ? AND {condition} ORDER BY last_active DESC, session_id",
                (self._tenant_id, bound),
            ).fetchall()

        return [_session(row) for row in await self._database.read(select)]


def new_session(user_id: str, assistant_id: str, session_id: str | None) -> Session:
    """Make a session under an id that was chosen, or a new one."""
    chosen = checked_id(session_id, "session id") if session_id else new_id()
    return Session(session_id=chosen, user_id=user_id, assistant_id=assistant_id)


def session_exists(session_id: str) -> ConflictError:
    """Make the error for an id that is taken."""
    return ConflictError(f"session {session_id!r} already exists.")


def insert_session(
    connection: SqlConnection,
    tenant_id: str,
    session: Session,
    extra: Mapping[str, object] | None = None,
) -> None:
    """Write a new session, with values of columns that are not core's."""
    more = extra or {}
    connection.execute(
        insert("sessions", ("tenant_id", *SESSION_COLUMNS, *more)),
        (tenant_id, *_values(connection, session), *more.values()),
    )


def delete_session(connection: SqlConnection, tenant_id: str, session_id: str) -> None:
    """Remove a session's row; other stores remove its log and messages."""
    connection.execute(f"DELETE FROM sessions WHERE {_ONE}", (tenant_id, session_id))


def _values(connection: SqlConnection, session: Session) -> tuple[object, ...]:
    return (
        session.session_id,
        session.user_id,
        session.assistant_id,
        connection.dialect.moment(session.created_at),
        connection.dialect.moment(session.last_active),
        json.dumps(session.state),
        json.dumps(session.metadata),
    )


def _session(row: Sequence[Any]) -> Session:
    return Session(
        session_id=row[0],
        user_id=row[1],
        assistant_id=row[2],
        created_at=read_moment(row[3]),
        last_active=read_moment(row[4]),
        state=json.loads(row[5]),
        metadata=json.loads(row[6]),
    )
