"""Whether there is something in a tenant that a budget can be for."""

from sqlalchemy import Connection, select

from dataagent_core.usage import BudgetKey
from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.people import projects, user_tenants


def is_there(connection: Connection, tenant_id: TenantId, key: BudgetKey) -> bool:
    """Say whether the tenant has this member or project, or is this tenant."""
    match key.scope:
        case "user":
            table, column = user_tenants, user_tenants.c.user_id
        case "project":
            table, column = projects, projects.c.project_id
        case "tenant" | "run":
            return key.scope_id == tenant_id
    found = select(column).where(table.c.tenant_id == tenant_id, column == key.scope_id)
    return connection.execute(found).first() is not None
