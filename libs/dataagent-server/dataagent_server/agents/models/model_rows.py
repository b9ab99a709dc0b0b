"""The SQL of models that tenants configured."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, and_, delete, func, insert, select, update

from dataagent_core.config.model_catalog import ModelOverride
from dataagent_server.agents.models.tenant_model import FIGURES, TenantModel
from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.people import tenant_models as table


def list_models(connection: Connection, tenant_id: TenantId) -> list[TenantModel]:
    """List them all, by their names."""
    query = select(table).where(table.c.tenant_id == tenant_id).order_by(table.c.model)
    return [_make_model(row) for row in connection.execute(query).mappings()]


def count_models(connection: Connection, tenant_id: TenantId) -> int:
    """Count them."""
    query = select(func.count()).where(table.c.tenant_id == tenant_id)
    return connection.execute(query).scalar_one()


def put_model(connection: Connection, tenant_id: TenantId, own: TenantModel, now: datetime) -> None:
    """Insert or replace one."""
    values: dict[str, Any] = {name: getattr(own.override, name) for name in FIGURES}
    values["updated_at"] = now
    mine = and_(table.c.tenant_id == tenant_id, table.c.model == own.model)
    there = select(table.c.model).where(mine).with_for_update()
    if connection.execute(there).first() is not None:
        connection.execute(update(table).where(mine).values(**values))
        return
    named = {"tenant_id": tenant_id, "model": own.model, "created_at": now}
    connection.execute(insert(table).values(**named, **values))


def remove_model(connection: Connection, tenant_id: TenantId, model: str) -> bool:
    """Delete one; False when there was none."""
    mine = and_(table.c.tenant_id == tenant_id, table.c.model == model)
    return connection.execute(delete(table).where(mine)).rowcount == 1


def _make_model(row: RowMapping) -> TenantModel:
    return TenantModel(row["model"], ModelOverride(**{name: row[name] for name in FIGURES}))
