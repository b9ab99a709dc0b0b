"""The SQL of authentication: a member's role, a key's owner, a log-in's owner.

Everything is read in one query, so that a removed member, a deactivated user and a suspended tenant
lose access at once, whatever credentials they still hold.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, and_, select, true, update

from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.people import api_keys, s_user, tenants, user_tenants, web_sessions
from dataagent_server.identity.auth.features import list_switched_off
from dataagent_server.identity.auth.principal import SCOPES, Principal, Scope


@dataclass(frozen=True, slots=True)
class VerifiedLogin:
    """An authenticated principal, and when its last use was stored."""

    principal: Principal
    created_at: datetime
    last_seen_at: datetime | None


def find_member(connection: Connection, tenant_id: TenantId, user_id: str) -> Principal | None:
    """Find an active member of an active tenant."""
    row = connection.execute(
        _member_query().where(
            user_tenants.c.tenant_id == tenant_id, user_tenants.c.user_id == user_id
        )
    ).first()
    if row is None:
        return None
    off = list_switched_off(row.features_enabled)
    return Principal(tenant_id, user_id, row.role, features_off=off)


def find_key(
    connection: Connection,
    now: datetime,
    *,
    hashes: Sequence[str] = (),
    key_id: tuple[TenantId, str] | None = None,
) -> VerifiedLogin | None:
    """Find the principal of a valid key, by its hash or by tenant and key id."""
    keys = api_keys.c
    wanted = (
        keys.key_hash.in_(hashes)
        if key_id is None
        else and_(keys.tenant_id == key_id[0], keys.key_id == key_id[1])
    )
    same_person = and_(
        keys.tenant_id == user_tenants.c.tenant_id, keys.user_id == user_tenants.c.user_id
    )
    row = connection.execute(
        _member_query(api_keys).join(api_keys, same_person).where(wanted, keys.revoked_at.is_(None))
    ).first()
    if row is None or (row.expires_at is not None and row.expires_at <= now):
        return None
    principal = Principal(
        TenantId(row.tenant_id),
        row.user_id,
        row.role,
        _read_scopes(row.scopes),
        row.key_id,
        "api_key",
        features_off=list_switched_off(row.features_enabled),
    )
    return VerifiedLogin(principal, row.created_at, row.last_used_at)


def find_login(
    connection: Connection,
    now: datetime,
    *,
    hashes: Sequence[str] = (),
    login_id: tuple[TenantId, str] | None = None,
) -> VerifiedLogin | None:
    """Find the principal of a log-in, by the cookie's hash or by tenant and log-in id."""
    logins = web_sessions.c
    wanted = (
        logins.token_hash.in_(hashes)
        if login_id is None
        else and_(logins.tenant_id == login_id[0], logins.login_id == login_id[1])
    )
    same_person = and_(
        logins.tenant_id == user_tenants.c.tenant_id, logins.user_id == user_tenants.c.user_id
    )
    row = connection.execute(
        _member_query(web_sessions).join(web_sessions, same_person).where(wanted)
    ).first()
    if row is None or row.expires_at <= now:
        return None
    principal = Principal(
        TenantId(row.tenant_id),
        row.user_id,
        row.role,
        via="cookie",
        login_id=row.login_id,
        features_off=list_switched_off(row.features_enabled),
    )
    return VerifiedLogin(principal, row.created_at, row.last_seen_at)


def touch_key(connection: Connection, tenant_id: TenantId, key_id: str, now: datetime) -> None:
    """Note that a key was used."""
    connection.execute(
        update(api_keys)
        .where(api_keys.c.tenant_id == tenant_id, api_keys.c.key_id == key_id)
        .values(last_used_at=now)
    )


def touch_login(
    connection: Connection, tenant_id: TenantId, login_id: str, now: datetime, until: datetime
) -> None:
    """Note that a log-in was used, and extend it."""
    connection.execute(
        update(web_sessions)
        .where(web_sessions.c.tenant_id == tenant_id, web_sessions.c.login_id == login_id)
        .values(last_seen_at=now, expires_at=until)
    )


def _member_query(*columns: Any) -> Select[*tuple[Any, ...]]:
    return (
        select(*columns, user_tenants.c.role, tenants.c.features_enabled)
        .select_from(user_tenants)
        .join(s_user, s_user.c.user_id == user_tenants.c.user_id)
        .join(tenants, tenants.c.tenant_id == user_tenants.c.tenant_id)
        .where(s_user.c.is_active == true(), tenants.c.is_active == true())
    )


def _read_scopes(stored: list[str] | None) -> frozenset[Scope] | None:
    # An unknown scope grants nothing rather than everything.
    return None if stored is None else frozenset(scope for scope in SCOPES if scope in stored)
