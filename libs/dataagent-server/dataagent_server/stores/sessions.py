"""Core's session store on the server's database, with the server's columns.

The server's lists are in `session_lists.py`.
"""

import sqlite3
from typing import Any

from sqlalchemy import Connection, Row
from sqlalchemy.exc import IntegrityError

from dataagent_core.errors import ConflictError
from dataagent_core.session.state import Session
from dataagent_core.session.stores.sql import session_store as core
from dataagent_server.db.database import Database
from dataagent_server.db.store_connection import StoreDatabase, sql_connection
from dataagent_server.db.tables.conversations import sessions
from dataagent_server.stores.removal import is_being_removed

SESSION_COLUMNS = [sessions.c[name] for name in core.SESSION_COLUMNS]


class ServerSessionStore(core.SqlSessionStore):
    """The sessions of one tenant."""

    def __init__(self, database: Database, tenant_id: str) -> None:
        super().__init__(StoreDatabase(database), tenant_id)
        self._whole_database = database

    async def create(
        self,
        user_id: str,
        assistant_id: str,
        *,
        session_id: str | None = None,
        project_id: str | None = None,
        title: str | None = None,
    ) -> Session:
        session = core.new_session(user_id, assistant_id, session_id)
        await self._whole_database.write(
            lambda c: insert_session(c, self._tenant_id, session, project_id, title)
        )
        return session


def insert_session(
    connection: Connection,
    tenant_id: str,
    session: Session,
    project_id: str | None,
    title: str | None,
) -> None:
    """Write a new session, inside a transaction that may do more."""
    extra = {"project_id": project_id, **title_columns(title)}
    try:
        core.insert_session(sql_connection(connection), tenant_id, session, extra)
    except (IntegrityError, sqlite3.IntegrityError) as error:
        raise core.session_exists(session.session_id) from error
    # After the insert, which waits for a transaction that deletes a session of this id.
    if is_being_removed(connection, tenant_id, session.session_id):
        raise ConflictError(
            f"session {session.session_id!r} was deleted, and what was said in it is still being "
            "removed. Try again in a moment, or choose another id."
        )


def title_columns(title: str | None) -> dict[str, str | None]:
    """Return the two columns of a title."""
    return {"title": title, "title_folded": None if title is None else title.casefold()}


def session_of(row: Row[Any]) -> Session:
    """Read a session from a row that begins with `SESSION_COLUMNS`."""
    return Session(*row[: len(SESSION_COLUMNS)])
