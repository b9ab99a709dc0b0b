"""The SQL of `run_subagents`: the sub-agents that runs use, as they were, until the runs are over.

Written with the log (`runs/history/run_copies.py`). A copy has the tenant's defaults of its time.
"""

from typing import Final

from pydantic import TypeAdapter
from sqlalchemy import Connection, delete, select

from dataagent_core.subagents import SubAgent, built_in_subagents
from dataagent_server.agents.subagents.agent_defaults import make_subagent
from dataagent_server.agents.subagents.stored_subagent import StoredSubAgent
from dataagent_server.agents.subagents.subagent_rows import (
    find_named,
    find_subagent,
    read_config,
)
from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.subagents import run_subagents as table
from dataagent_server.db.upsert import insert_ignore

_SUBAGENT: Final = TypeAdapter(SubAgent)


def add_copy(connection: Connection, tenant_id: TenantId, run_id: str, agent_id: str) -> bool:
    """Keep a sub-agent for a run as it is now; False if there is a copy, or no such sub-agent."""
    stored = find_subagent(connection, tenant_id, agent_id)
    return _add(connection, tenant_id, run_id, agent_id, stored)


def add_named(
    connection: Connection, tenant_id: TenantId, run_id: str, *, project_id: str | None, name: str
) -> bool:
    """Keep the sub-agent that a name means, if a run can use one of this name."""
    stored = None
    for scope in dict.fromkeys((project_id, None)):
        stored = stored or find_named(connection, tenant_id, scope, name)
    if stored is None:
        return _add(connection, tenant_id, run_id, name, None)
    return stored.definition.enabled and _add(connection, tenant_id, run_id, stored.id, stored)


def list_copies(
    connection: Connection, tenant_id: TenantId, run_id: str
) -> dict[str, SubAgent | None]:
    """List what a run uses by the id; None for one that is built in."""
    query = select(table.c.agent_id, table.c.definition).where(
        table.c.tenant_id == tenant_id, table.c.run_id == run_id
    )
    return {
        row.agent_id: None if row.definition is None else _SUBAGENT.validate_python(row.definition)
        for row in connection.execute(query)
    }


def remove_all(connection: Connection, tenant_id: TenantId, run_id: str) -> None:
    """Forget what a run uses."""
    connection.execute(
        delete(table).where(table.c.tenant_id == tenant_id, table.c.run_id == run_id)
    )


def _add(
    connection: Connection,
    tenant_id: TenantId,
    run_id: str,
    agent_id: str,
    stored: StoredSubAgent | None,
) -> bool:
    definition = None
    if stored is None:
        if all(one.name != agent_id for one in built_in_subagents()):
            return False
    else:
        subagent = make_subagent(tenant_id, stored, read_config(connection, tenant_id))
        definition = _SUBAGENT.dump_python(subagent, mode="json")
    row = {
        "tenant_id": tenant_id,
        "run_id": run_id,
        "agent_id": agent_id,
        "definition": definition,
    }
    return insert_ignore(connection, table, row) == 1
