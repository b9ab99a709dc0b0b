"""The SQL of browser log-ins: opening, closing and removing them."""

from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, insert, select

from dataagent_core.ids import new_id
from dataagent_core.secrets import Keyring
from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.people import one_time_tokens, web_sessions
from dataagent_server.identity.auth.limits import LOGIN_IDLE_S, LOGIN_LIFE_S, LOGINS_PER_USER_MAX
from dataagent_server.identity.auth.tokens import new_token


def open_login(
    connection: Connection, keyring: Keyring, tenant_id: TenantId, user_id: str, now: datetime
) -> str:
    """Sign a browser in and return the cookie's secret; a user's oldest log-in is dropped."""
    _drop_oldest(connection, user_id)
    token = new_token()
    connection.execute(
        insert(web_sessions).values(
            tenant_id=tenant_id,
            login_id=new_id(),
            user_id=user_id,
            token_hash=keyring.hashes("web-session", token)[0],
            created_at=now,
            last_seen_at=now,
            expires_at=lives_until(now, now),
        )
    )
    return token


def lives_until(created_at: datetime, now: datetime) -> datetime:
    """Return when a log-in ends: some time after its last use, within its longest life."""
    return min(now + timedelta(seconds=LOGIN_IDLE_S), created_at + timedelta(seconds=LOGIN_LIFE_S))


def close_login(connection: Connection, tenant_id: TenantId, login_id: str) -> None:
    """Sign one browser out."""
    connection.execute(
        delete(web_sessions).where(
            web_sessions.c.tenant_id == tenant_id, web_sessions.c.login_id == login_id
        )
    )


def close_logins(
    connection: Connection,
    user_id: str,
    tenant_id: TenantId | None = None,
    *,
    but: str | None = None,
) -> int:
    """Sign a user out everywhere, or of one tenant; `but` names a log-in to keep."""
    gone = delete(web_sessions).where(web_sessions.c.user_id == user_id)
    if tenant_id is not None:
        gone = gone.where(web_sessions.c.tenant_id == tenant_id)
    if but is not None:
        gone = gone.where(web_sessions.c.login_id != but)
    return connection.execute(gone).rowcount


def remove_expired(connection: Connection, now: datetime) -> int:
    """Remove expired log-ins and tokens."""
    removed = 0
    for table in (web_sessions, one_time_tokens):
        removed += connection.execute(delete(table).where(table.c.expires_at <= now)).rowcount
    return removed


def _drop_oldest(connection: Connection, user_id: str) -> None:
    kept = connection.execute(
        select(web_sessions.c.tenant_id, web_sessions.c.login_id)
        .where(web_sessions.c.user_id == user_id)
        .order_by(web_sessions.c.last_seen_at.desc())
        .offset(LOGINS_PER_USER_MAX - 1)
        .limit(LOGINS_PER_USER_MAX)
    ).all()
    for row in kept:
        close_login(connection, row.tenant_id, row.login_id)
