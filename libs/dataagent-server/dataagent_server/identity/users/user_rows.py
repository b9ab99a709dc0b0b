"""The SQL of users."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select, update

from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.people import s_user, user_tenants
from dataagent_server.identity.users.user import User


def find_user(connection: Connection, tenant_id: TenantId, user_id: str) -> User | None:
    """Find a user who is a member of this tenant."""
    row = (
        connection.execute(
            select(s_user, user_tenants.c.role)
            .select_from(user_tenants)
            .join(s_user, s_user.c.user_id == user_tenants.c.user_id)
            .where(user_tenants.c.tenant_id == tenant_id, user_tenants.c.user_id == user_id)
        )
        .mappings()
        .first()
    )
    if row is None:
        return None
    return User(
        user_id=row["user_id"],
        home_tenant_id=row["tenant_id"],
        username=row["username"],
        display_name=row["display_name"],
        role=row["role"],
        is_active=row["is_active"],
        has_password=row["password_hash"] is not None,
        learns_patterns=row["learns_patterns"],
        uses_memory=row["uses_memory"],
        created_at=row["created_at"],
    )


def find_account(
    connection: Connection, tenant_id: TenantId, username: str
) -> tuple[str, str | None] | None:
    """Find a user by name at their home tenant: user id and password hash."""
    row = connection.execute(
        select(s_user.c.user_id, s_user.c.password_hash).where(
            s_user.c.tenant_id == tenant_id, s_user.c.username == username, s_user.c.is_active
        )
    ).first()
    return None if row is None else (row.user_id, row.password_hash)


def password_hash(connection: Connection, user_id: str) -> str | None:
    """Return a user's password hash."""
    query = select(s_user.c.password_hash).where(s_user.c.user_id == user_id)
    return connection.execute(query).scalar()


def learns_patterns(connection: Connection, user_id: str) -> bool:
    """Return whether a person's runs use patterns; nobody else has said no."""
    query = select(s_user.c.learns_patterns).where(s_user.c.user_id == user_id)
    return connection.execute(query).scalar() is not False


def uses_memory(connection: Connection, user_id: str) -> bool:
    """Return whether a person's runs use notes and memories; nobody else has said no."""
    query = select(s_user.c.uses_memory).where(s_user.c.user_id == user_id)
    return connection.execute(query).scalar() is not False


def change_user(
    connection: Connection, user_id: str, values: dict[str, Any], now: datetime
) -> None:
    """Set columns of a user."""
    connection.execute(
        update(s_user).where(s_user.c.user_id == user_id).values(updated_at=now, **values)
    )


def memberships(connection: Connection, user_id: str) -> list[TenantId]:
    """List a user's tenants, the first joined first."""
    query = select(user_tenants.c.tenant_id).where(user_tenants.c.user_id == user_id)
    ordered = query.order_by(user_tenants.c.created_at, user_tenants.c.tenant_id)
    return [TenantId(found) for found in connection.execute(ordered).scalars()]
