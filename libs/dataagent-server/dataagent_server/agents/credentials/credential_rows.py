"""The credentials' SQL."""

from typing import Any

from sqlalchemy import Connection, RowMapping, and_, delete, insert, select, update

from dataagent_server.agents.credentials.model_credential import ModelCredential
from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.people import model_credentials as table


def find_credential(
    connection: Connection, tenant_id: TenantId, provider: str, *, lock: bool = False
) -> RowMapping | None:
    """Find a tenant's credential for a provider, the ciphertext included."""
    query = select(table).where(table.c.tenant_id == tenant_id, table.c.provider == provider)
    return connection.execute(query.with_for_update() if lock else query).mappings().first()


def list_credentials(connection: Connection, tenant_id: TenantId) -> list[RowMapping]:
    """List all of them; there is at most one per provider."""
    query = select(table).where(table.c.tenant_id == tenant_id).order_by(table.c.provider)
    return list(connection.execute(query).mappings())


def add_credential(connection: Connection, values: dict[str, Any]) -> None:
    """Insert one; a second of a provider is an `IntegrityError`."""
    connection.execute(insert(table).values(**values))


def change_credential(
    connection: Connection, tenant_id: TenantId, provider: str, values: dict[str, Any]
) -> None:
    """Set columns of one."""
    mine = and_(table.c.tenant_id == tenant_id, table.c.provider == provider)
    connection.execute(update(table).where(mine).values(**values))


def remove_credential(connection: Connection, tenant_id: TenantId, provider: str) -> bool:
    """Delete one; False when there was none."""
    mine = and_(table.c.tenant_id == tenant_id, table.c.provider == provider)
    return connection.execute(delete(table).where(mine)).rowcount == 1


def redact_credential(row: RowMapping) -> ModelCredential:
    """Leave out the secret columns."""
    return ModelCredential(
        provider=row["provider"],
        has_key=row["secret"] is not None,
        last_four=row["last_four"],
        base_url=row["base_url"],
        default_model=row["default_model"],
        version=row["version"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )
