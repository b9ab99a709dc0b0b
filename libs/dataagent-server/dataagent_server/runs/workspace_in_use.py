"""Whether a run uses a workspace, for its deletion."""

from sqlalchemy import select

from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.db.tables.runs import OPEN
from dataagent_server.db.tables.runs import agent_executions as runs
from dataagent_server.db.tables.workspaces import s_user_workspace_rel as rel


async def workspace_in_use(database: Database, tenant_id: TenantId, workspace_id: str) -> bool:
    """Return whether a user with this default workspace has an active run."""
    query = (
        select(runs.c.run_id)
        .join(rel, (rel.c.tenant_id == runs.c.tenant_id) & (rel.c.user_id == runs.c.user_id))
        .where(
            runs.c.tenant_id == tenant_id,
            runs.c.status.in_(OPEN),
            rel.c.workspace_id == workspace_id,
            rel.c.is_default,
        )
        .limit(1)
    )
    return await database.read(lambda c: c.execute(query).first() is not None)
