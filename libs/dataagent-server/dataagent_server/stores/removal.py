"""Removes the data of a deleted session in small transactions.

SQLite has one writer: deleting a very long session at once would block it. So a session is deleted
first, with a note of what is left; the rest follows. Until then the id cannot be used again. After
a crash the note remains.
"""

import logging
from typing import Any

from sqlalchemy import Connection, Table, delete, insert, select

from dataagent_core.errors import StorageError
from dataagent_server.db.database import Database
from dataagent_server.db.tables.conversations import (
    agent_execution_events,
    messages,
    session_counters,
    session_removals,
    tool_execution_records,
)
from dataagent_server.stores.limits import REMOVALS_AT_ONCE_MAX, REMOVED_ROWS_AT_ONCE_MAX

logger = logging.getLogger(__name__)

# The tables that grow with a session, and the columns that count their rows.
_PIECES = (
    (agent_execution_events, agent_execution_events.c.seq),
    (messages, messages.c.position),
    (tool_execution_records, tool_execution_records.c.position),
)


def begin_removal(connection: Connection, tenant_id: str, session_id: str) -> None:
    """Note the rows to remove, in the transaction that deletes the session."""
    row = {"tenant_id": tenant_id, "session_id": session_id}
    connection.execute(insert(session_removals), row)


def is_being_removed(connection: Connection, tenant_id: str, session_id: str) -> bool:
    """Return whether data of a deleted session is left."""
    mine = select(session_removals.c.session_id).where(
        *_in_session(session_removals, tenant_id, session_id)
    )
    # Locked, because a transaction of MySQL otherwise reads an older state.
    return connection.execute(mine.with_for_update()).first() is not None


async def remove_rest(database: Database, tenant_id: str, session_id: str) -> None:
    """Remove the rest of a deleted session; on a failure it is removed later."""
    try:
        while not await database.write(lambda c: _remove_some(c, tenant_id, session_id)):
            pass
    except StorageError as error:
        logger.warning("session %s is deleted, but not all of it removed: %s", session_id, error)


async def finish_removals(database: Database) -> None:
    """Finish removals that crashes and faults left."""
    noted = select(session_removals.c.tenant_id, session_removals.c.session_id)
    left = await database.read(lambda c: c.execute(noted.limit(REMOVALS_AT_ONCE_MAX)).all())
    for tenant_id, session_id in left:
        await remove_rest(database, tenant_id, session_id)


def _remove_some(connection: Connection, tenant_id: str, session_id: str) -> bool:
    """Remove a part, and return whether it was the last."""
    for table, number in _PIECES:
        mine = _in_session(table, tenant_id, session_id)
        last = connection.execute(
            select(number).where(*mine).order_by(number).offset(REMOVED_ROWS_AT_ONCE_MAX).limit(1)
        ).scalar()
        connection.execute(delete(table).where(*mine, *([] if last is None else [number < last])))
        if last is not None:
            return False
    for table in (session_counters, session_removals):
        connection.execute(delete(table).where(*_in_session(table, tenant_id, session_id)))
    return True


def _in_session(table: Table, tenant_id: str, session_id: str) -> tuple[Any, Any]:
    return table.c.tenant_id == tenant_id, table.c.session_id == session_id
