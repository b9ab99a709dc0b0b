"""The SQL of members: users, and their memberships in tenants."""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    Connection,
    RowMapping,
    Select,
    and_,
    delete,
    func,
    insert,
    literal,
    select,
    update,
)

from dataagent_server.common.ids import TenantId
from dataagent_server.common.pagination import PageRequest, apply
from dataagent_server.db.tables.conversations import session_shares
from dataagent_server.db.tables.mcp import mcp_servers, mcp_tokens, oauth_flows
from dataagent_server.db.tables.people import api_keys, s_user, user_tenants
from dataagent_server.db.tables.rules import permission_rules
from dataagent_server.identity.auth.logins import close_logins
from dataagent_server.identity.auth.one_time_tokens import cancel_tokens
from dataagent_server.identity.auth.principal import Role
from dataagent_server.identity.tenants.tenant import Member

# Deleted with a membership: a user who returns starts anew.
_TIES = (user_tenants, permission_rules, mcp_servers, mcp_tokens, oauth_flows, session_shares)


def add_person(
    connection: Connection,
    tenant_id: TenantId,
    member: Member,
    password_hash: str | None,
    now: datetime,
) -> None:
    """Insert a user whose home is this tenant; an existing user name is an `IntegrityError`."""
    connection.execute(
        insert(s_user).values(
            user_id=member.user_id,
            tenant_id=tenant_id,
            username=member.username,
            display_name=member.display_name,
            password_hash=password_hash,
            is_active=member.is_active,
            created_at=now,
            updated_at=now,
        )
    )


def add_membership(
    connection: Connection, tenant_id: TenantId, user_id: str, role: Role, now: datetime
) -> None:
    """Insert a membership; an existing one is an `IntegrityError`."""
    connection.execute(
        insert(user_tenants).values(tenant_id=tenant_id, user_id=user_id, role=role, created_at=now)
    )


def find_member(connection: Connection, tenant_id: TenantId, user_id: str) -> Member | None:
    """Find a member of this tenant."""
    query = _select_members(tenant_id).where(user_tenants.c.user_id == user_id)
    row = connection.execute(query).mappings().first()
    return None if row is None else _make_member(row)


def list_members(
    connection: Connection, tenant_id: TenantId, page_request: PageRequest
) -> list[Member]:
    """List the members of this tenant."""
    query = apply(
        _select_members(tenant_id), page_request, user_tenants.c.created_at, user_tenants.c.user_id
    )
    return [_make_member(row) for row in connection.execute(query).mappings()]


def count_members(connection: Connection, tenant_id: TenantId, role: Role | None = None) -> int:
    """Count the members, or those with a role who can sign in."""
    query = (
        select(func.count())
        .select_from(user_tenants)
        .join(s_user, s_user.c.user_id == user_tenants.c.user_id)
        .where(user_tenants.c.tenant_id == tenant_id)
    )
    if role is not None:
        query = query.where(user_tenants.c.role == role, s_user.c.is_active)
    return connection.execute(query).scalar_one()


def set_role(connection: Connection, tenant_id: TenantId, user_id: str, role: Role) -> None:
    """Give a member another role."""
    connection.execute(
        update(user_tenants)
        .where(user_tenants.c.tenant_id == tenant_id, user_tenants.c.user_id == user_id)
        .values(role=role)
    )


def remove_membership(
    connection: Connection, tenant_id: TenantId, user_id: str, now: datetime
) -> None:
    """Delete a membership, with all credentials of this user in the tenant."""
    for table in _TIES:
        mine = and_(table.c.tenant_id == tenant_id, table.c.user_id == user_id)
        connection.execute(delete(table).where(mine))
    connection.execute(
        update(api_keys)
        .where(
            api_keys.c.tenant_id == tenant_id,
            api_keys.c.user_id == user_id,
            api_keys.c.revoked_at.is_(None),
        )
        .values(revoked_at=now)
    )
    close_logins(connection, user_id, tenant_id)
    cancel_tokens(connection, tenant_id, user_id)


def retire_person(connection: Connection, tenant_id: TenantId, user_id: str, now: datetime) -> None:
    """Deactivate a user without memberships.

    The row stays, so that their work keeps its author; the user name is free again.
    """
    elsewhere = select(literal(1)).where(user_tenants.c.user_id == user_id).exists()
    connection.execute(
        update(s_user)
        .where(s_user.c.tenant_id == tenant_id, s_user.c.user_id == user_id, ~elsewhere)
        .values(username=None, password_hash=None, is_active=False, updated_at=now)
    )


def person_exists(connection: Connection, user_id: str) -> bool:
    """Return whether a user id exists in any tenant: for the operator."""
    query = select(s_user.c.user_id).where(s_user.c.user_id == user_id, s_user.c.is_active)
    return connection.execute(query).first() is not None


def _select_members(tenant_id: TenantId) -> Select[*tuple[Any, ...]]:
    return (
        select(
            s_user.c.user_id,
            s_user.c.username,
            s_user.c.display_name,
            s_user.c.is_active,
            s_user.c.password_hash.is_not(None).label("has_password"),
            (s_user.c.tenant_id == tenant_id).label("at_home"),
            user_tenants.c.role,
            user_tenants.c.created_at,
        )
        .select_from(user_tenants)
        .join(s_user, s_user.c.user_id == user_tenants.c.user_id)
        .where(user_tenants.c.tenant_id == tenant_id)
    )


def _make_member(row: RowMapping) -> Member:
    values = dict(row)
    for name in ("is_active", "has_password", "at_home"):
        values[name] = bool(row[name])
    return Member(**values)
