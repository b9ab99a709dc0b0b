"""The SQL of API keys; `identity/auth/membership.py` finds one by its hash."""

from datetime import datetime

from sqlalchemy import Connection, RowMapping, func, insert, select, update

from dataagent_server.common.ids import TenantId
from dataagent_server.common.pagination import PageRequest, apply
from dataagent_server.db.tables.people import api_keys
from dataagent_server.identity.auth.principal import SCOPES
from dataagent_server.identity.users.user import ApiKey


def add_key(connection: Connection, tenant_id: TenantId, key: ApiKey, key_hash: str) -> None:
    """Insert a key."""
    values = {name: getattr(key, name) for name in ApiKey.__slots__}
    values["scopes"] = None if key.scopes is None else list(key.scopes)
    connection.execute(insert(api_keys).values(tenant_id=tenant_id, key_hash=key_hash, **values))


def find_key(connection: Connection, tenant_id: TenantId, key_id: str) -> ApiKey | None:
    """Find a key, valid or not."""
    query = select(api_keys).where(api_keys.c.tenant_id == tenant_id, api_keys.c.key_id == key_id)
    row = connection.execute(query).mappings().first()
    return None if row is None else _make_key(row)


def list_keys(
    connection: Connection, tenant_id: TenantId, user_id: str | None, page_request: PageRequest
) -> list[ApiKey]:
    """List a user's keys, or those of the tenant."""
    query = select(api_keys).where(api_keys.c.tenant_id == tenant_id)
    if user_id is not None:
        query = query.where(api_keys.c.user_id == user_id)
    rows = connection.execute(apply(query, page_request, api_keys.c.created_at, api_keys.c.key_id))
    return [_make_key(row) for row in rows.mappings()]


def count_valid_keys(
    connection: Connection, tenant_id: TenantId, user_id: str, now: datetime
) -> int:
    """Count a user's valid keys."""
    query = select(func.count()).where(
        api_keys.c.tenant_id == tenant_id,
        api_keys.c.user_id == user_id,
        api_keys.c.revoked_at.is_(None),
        api_keys.c.expires_at.is_(None) | (api_keys.c.expires_at > now),
    )
    return connection.execute(query).scalar_one()


def revoke_key(connection: Connection, tenant_id: TenantId, key_id: str, now: datetime) -> bool:
    """Revoke a key; False when it was revoked before."""
    revoked = connection.execute(
        update(api_keys)
        .where(
            api_keys.c.tenant_id == tenant_id,
            api_keys.c.key_id == key_id,
            api_keys.c.revoked_at.is_(None),
        )
        .values(revoked_at=now)
    )
    return revoked.rowcount == 1


def _make_key(row: RowMapping) -> ApiKey:
    shown = {name: row[name] for name in ApiKey.__slots__}
    if shown["scopes"] is not None:
        shown["scopes"] = tuple(scope for scope in SCOPES if scope in shown["scopes"])
    return ApiKey(**shown)
