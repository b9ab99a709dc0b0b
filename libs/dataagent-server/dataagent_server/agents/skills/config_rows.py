"""The SQL of what a tenant says of the system's skills (`tenant_skill_configs`)."""

from datetime import datetime
from typing import Literal

from sqlalchemy import Connection, delete, insert, select, update

from dataagent_core.ids import new_id
from dataagent_core.skills.tiers import TenantSkillConfig
from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.skills import tenant_skill_configs as table


def list_configs(connection: Connection, tenant_id: TenantId) -> list[TenantSkillConfig]:
    """List them by the names of the skills."""
    query = select(table).where(table.c.tenant_id == tenant_id).order_by(table.c.system_skill_name)
    return [TenantSkillConfig(**row) for row in connection.execute(query).mappings()]


def set_config(
    connection: Connection,
    tenant_id: TenantId,
    name: str,
    *,
    action: Literal["disable", "override"],
    override_skill_id: str | None,
    now: datetime,
) -> None:
    """Disable or override a system skill, whatever was said of it before."""
    values = {"action": action, "override_skill_id": override_skill_id, "updated_at": now}
    mine = (table.c.tenant_id == tenant_id, table.c.system_skill_name == name)
    if not connection.execute(update(table).where(*mine).values(**values)).rowcount:
        connection.execute(
            insert(table).values(
                tenant_id=tenant_id, id=new_id(), system_skill_name=name, created_at=now, **values
            )
        )


def remove_config(connection: Connection, tenant_id: TenantId, name: str) -> None:
    """Remove what the tenant decided about a system skill, if anything."""
    mine = (table.c.tenant_id == tenant_id, table.c.system_skill_name == name)
    connection.execute(delete(table).where(*mine))


def forget_override(connection: Connection, tenant_id: TenantId, skill_id: str) -> None:
    """Take a deleted skill out: what it overrode stays overridden, by nothing (S2 §13)."""
    named = (table.c.tenant_id == tenant_id, table.c.override_skill_id == skill_id)
    connection.execute(update(table).where(*named).values(override_skill_id=None))
