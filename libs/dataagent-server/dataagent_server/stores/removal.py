"""Takes away what was said in a deleted session, a piece at a time.

SQLite has one writer: to delete a very long session at once would hold everybody up. So a session
is deleted first, with a note that there is something left; the rest follows in small transactions.
Until it is gone the id cannot be used again. What a crash leaves is found by its note.
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

# The tables that grow with a session, and by what their rows are counted.
_PIECES = (
    (agent_execution_events, agent_execution_events.c.seq),
    (messages, messages.c.position),
    (tool_execution_records, tool_execution_records.c.position),
)


def begin_removal(connection: Connection, tenant_id: str, session_id: str) -> None:
    """Note that a session's rows are to go, in the transaction that deletes the session."""
    row = {"tenant_id": tenant_id, "session_id": session_id}
    connection.execute(insert(session_removals), row)


def is_being_removed(connection: Connection, tenant_id: str, session_id: str) -> bool:
    """Return whether there is something left of a deleted session."""
    mine = select(session_removals.c.session_id).where(
        *_in_session(session_removals, tenant_id, session_id)
    )
    # Locked, because a transaction of MySQL's otherwise sees how it was when it began.
    return connection.execute(mine.with_for_update()).first() is not None


async def remove_rest(database: Database, tenant_id: str, session_id: str) -> None:
    """Remove what is left of a deleted session; what cannot be now is removed later."""
    try:
        while not await database.write(lambda c: _remove_some(c, tenant_id, session_id)):
            pass
    except StorageError as error:
        logger.warning("session %s is deleted, but not all of it removed: %s", session_id, error)


async def finish_removals(database: Database) -> None:
    """Go on with what crashes and faults left."""
    noted = select(session_removals.c.tenant_id, session_removals.c.session_id)
    left = await database.read(lambda c: c.execute(noted.limit(REMOVALS_AT_ONCE_MAX)).all())
    for tenant_id, session_id in left:
        await remove_rest(database, tenant_id, session_id)


def _remove_some(connection: Connection, tenant_id: str, session_id: str) -> bool:
    """Remove a piece, and say whether that was the last of it."""
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
