"""The SQL of session shares."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, func, select, update

from dataagent_core.session.state import now
from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.conversations import session_shares
from dataagent_server.db.tables.people import s_user
from dataagent_server.stores.session_lists import SharePermission

_shares = session_shares.c


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A user with whom a session is shared."""

    user_id: str
    username: str | None
    display_name: str | None
    permission: SharePermission
    shared_by: str
    created_at: datetime


def permission_of(
    connection: Connection, tenant_id: TenantId, session_id: str, user_id: str
) -> SharePermission | None:
    """Return a user's permission by a share."""
    query = select(_shares.permission).where(
        _shares.tenant_id == tenant_id,
        _shares.session_id == session_id,
        _shares.user_id == user_id,
    )
    return connection.execute(query).scalar()


def list_shares(connection: Connection, tenant_id: TenantId, session_id: str) -> list[Share]:
    """List the shares of a session, the oldest first."""
    query = (
        select(
            _shares.user_id,
            s_user.c.username,
            s_user.c.display_name,
            _shares.permission,
            _shares.shared_by,
            _shares.created_at,
        )
        .join(s_user, s_user.c.user_id == _shares.user_id)
        .where(_shares.tenant_id == tenant_id, _shares.session_id == session_id)
        .order_by(_shares.created_at, _shares.user_id)
    )
    return [Share(**row) for row in connection.execute(query).mappings()]


def count_shares(connection: Connection, tenant_id: TenantId, session_id: str) -> int:
    """Count them."""
    query = select(func.count()).where(
        _shares.tenant_id == tenant_id, _shares.session_id == session_id
    )
    return connection.execute(query).scalar_one()


def put_share(
    connection: Connection,
    tenant_id: TenantId,
    session_id: str,
    user_id: str,
    *,
    permission: SharePermission,
    by: str,
) -> None:
    """Share a session, or change what is shared; the caller holds the session's row."""
    there = permission_of(connection, tenant_id, session_id, user_id)
    if there is None:
        row = {"tenant_id": tenant_id, "session_id": session_id, "user_id": user_id}
        made = {"permission": permission, "shared_by": by, "created_at": now()}
        connection.execute(session_shares.insert().values(**row, **made))
        return
    connection.execute(
        update(session_shares)
        .where(
            _shares.tenant_id == tenant_id,
            _shares.session_id == session_id,
            _shares.user_id == user_id,
        )
        .values(permission=permission, shared_by=by)
    )


def drop_share(connection: Connection, tenant_id: TenantId, session_id: str, user_id: str) -> bool:
    """Delete a share; False when there was none."""
    gone = connection.execute(
        delete(session_shares).where(
            _shares.tenant_id == tenant_id,
            _shares.session_id == session_id,
            _shares.user_id == user_id,
        )
    )
    return bool(gone.rowcount)
