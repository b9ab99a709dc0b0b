"""Sessions in SQLite."""

import json
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from dataagent_core.errors import ConflictError, NotFoundError
from dataagent_core.ids import checked_id, new_id
from dataagent_core.session.state import Session, now
from dataagent_core.session.store import SessionStore
from dataagent_core.session.stores.encoding import json_text
from dataagent_core.session.stores.sqlite.database import SqliteDatabase

_COLUMNS = "session_id, user_id, assistant_id, created_at, last_active, state, metadata"


class SqliteSessionStore(SessionStore):
    """The sessions of one tenant."""

    def __init__(self, database: SqliteDatabase, tenant_id: str) -> None:
        self._database = database
        self._tenant_id = tenant_id

    async def create(
        self, user_id: str, assistant_id: str, *, session_id: str | None = None
    ) -> Session:
        chosen = checked_id(session_id, "session id") if session_id else new_id()
        session = Session(session_id=chosen, user_id=user_id, assistant_id=assistant_id)

        def insert(connection: sqlite3.Connection) -> None:
            known = connection.execute(
                "SELECT 1 FROM sessions WHERE tenant_id = ? AND session_id = ?",
                (self._tenant_id, chosen),
            ).fetchone()
            if known:
                raise ConflictError(f"session {chosen!r} already exists.")
            connection.execute(
                f"INSERT INTO sessions (tenant_id, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (self._tenant_id, *_row(session)),
            )

        await self._database.write(insert)
        return session

    async def get(self, session_id: str) -> Session | None:
        found = await self._select("session_id = ?", (session_id,))
        return found[0] if found else None

    async def update(self, session: Session) -> None:
        row = _row(session)

        def change(connection: sqlite3.Connection) -> int:
            return connection.execute(
                "UPDATE sessions SET user_id = ?, assistant_id = ?, created_at = ?, "
                "last_active = ?, state = ?, metadata = ? WHERE tenant_id = ? AND session_id = ?",
                (*row[1:], self._tenant_id, session.session_id),
            ).rowcount

        if not await self._database.write(change):
            raise NotFoundError(f"there is no session {session.session_id!r}.")

    async def delete(self, session_id: str) -> None:
        await self._database.write(
            lambda connection: connection.execute(
                "DELETE FROM sessions WHERE tenant_id = ? AND session_id = ?",
                (self._tenant_id, session_id),
            )
        )

    async def list_by_user(self, user_id: str) -> list[Session]:
        return await self._select("user_id = ?", (user_id,))

    async def list_by_assistant(self, assistant_id: str) -> list[Session]:
        return await self._select("assistant_id = ?", (assistant_id,))

    async def list_expired(self, timeout_s: float) -> list[Session]:
        deadline = now() - timedelta(seconds=timeout_s)
        return await self._select("last_active <= ?", (_moment(deadline),))

    async def _select(self, condition: str, values: Sequence[object]) -> list[Session]:
        rows = await self._database.read(
            lambda connection: connection.execute(
                f"SELECT {_COLUMNS} FROM sessions WHERE tenant_id = ? AND {condition} "
                "ORDER BY last_active DESC, session_id",
                (self._tenant_id, *values),
            ).fetchall()
        )
        return [_session(row) for row in rows]


def _moment(value: datetime) -> str:
    # One zone and one width, so that text order is time order.
    return value.astimezone(UTC).isoformat(timespec="microseconds")


def _row(session: Session) -> tuple[str, ...]:
    return (
        session.session_id,
        session.user_id,
        session.assistant_id,
        _moment(session.created_at),
        _moment(session.last_active),
        json_text(session.state, "a session's state"),
        json_text(session.metadata, "a session's metadata"),
    )


def _session(row: Sequence[Any]) -> Session:
    return Session(
        session_id=row[0],
        user_id=row[1],
        assistant_id=row[2],
        created_at=datetime.fromisoformat(row[3]),
        last_active=datetime.fromisoformat(row[4]),
        state=json.loads(row[5]),
        metadata=json.loads(row[6]),
    )
