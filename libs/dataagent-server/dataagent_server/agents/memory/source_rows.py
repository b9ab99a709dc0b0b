"""Whether the conversation that a memory comes from is still there."""

from datetime import datetime

from sqlalchemy import Connection, select

from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.conversations import sessions


def is_session_gone(
    connection: Connection, tenant_id: TenantId, session_id: str, before: datetime
) -> bool:
    """Say whether a session was deleted; a later one of the same id is another conversation."""
    query = select(sessions.c.session_id).where(
        sessions.c.tenant_id == tenant_id,
        sessions.c.session_id == session_id,
        sessions.c.created_at <= before,
    )
    return connection.execute(query).first() is None
