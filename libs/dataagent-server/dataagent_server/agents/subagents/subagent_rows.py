"""The SQL of sub-agents and of the tenants' defaults."""

from collections.abc import Sequence
from dataclasses import asdict, fields
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, RowMapping, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from dataagent_core.errors import ConflictError
from dataagent_core.permissions import Rule
from dataagent_core.subagents import SubAgentTrigger
from dataagent_server.agents.subagents.agent_defaults import TenantAgentConfig
from dataagent_server.agents.subagents.stored_subagent import (
    StoredSubAgent,
    SubAgentDefinition,
    SubAgentStatistics,
)
from dataagent_server.common.ids import TenantId
from dataagent_server.db.project_column import WHOLE_TENANT, is_visible
from dataagent_server.db.tables.subagents import subagents as table
from dataagent_server.db.tables.subagents import tenant_agent_configs as configs
from dataagent_server.db.upsert import upsert

# Fields that a row has under the same name and in the same form.
_PLAIN: Final = (
    "name", "display_name", "system_prompt", "model", "color", "max_tokens", "temperature",
    "top_p", "max_iterations", "hidden", "enabled", "version",
)  # fmt: skip
_LISTS: Final = ("allowed_tools", "allowed_skills", "allowed_mcp_servers")
_CONFIG: Final = tuple(field.name for field in fields(TenantAgentConfig))
_STATISTICS: Final = tuple(field.name for field in fields(SubAgentStatistics))


def add_subagent(connection: Connection, tenant_id: TenantId, stored: StoredSubAgent) -> None:
    """Insert a sub-agent; a name that is taken in its scope is a conflict."""
    values = {
        "tenant_id": tenant_id,
        "id": stored.id,
        "project_id": stored.project_id or WHOLE_TENANT,
        "is_override": stored.is_override,
        "created_by": stored.created_by,
        "created_at": stored.created_at,
        "updated_at": stored.updated_at,
        **asdict(stored.statistics),
        **_columns_of(stored.definition),
    }
    try:
        connection.execute(insert(table).values(**values))
    except IntegrityError:
        raise _taken(stored.definition.name) from None


def find_subagent(
    connection: Connection, tenant_id: TenantId, subagent_id: str, *, locked: bool = False
) -> StoredSubAgent | None:
    """Find a sub-agent of this tenant."""
    query = select(table).where(table.c.tenant_id == tenant_id, table.c.id == subagent_id)
    row = connection.execute(query.with_for_update() if locked else query).mappings().first()
    return None if row is None else _read(row)


def find_named(
    connection: Connection, tenant_id: TenantId, project_id: str | None, name: str
) -> StoredSubAgent | None:
    """Find the sub-agent of a name in exactly one scope."""
    query = select(table).where(
        table.c.tenant_id == tenant_id,
        table.c.project_id == (project_id or WHOLE_TENANT),
        table.c.name == name,
    )
    row = connection.execute(query).mappings().first()
    return None if row is None else _read(row)


def list_subagents(
    connection: Connection, tenant_id: TenantId, project_id: str | None
) -> list[StoredSubAgent]:
    """List the tenant's sub-agents and those of a project, by name; the tenant's come first."""
    query = select(table).where(is_visible(table, tenant_id, project_id))
    ordered = query.order_by(table.c.project_id, table.c.name)
    return [_read(row) for row in connection.execute(ordered).mappings()]


def count_subagents(connection: Connection, tenant_id: TenantId, project_id: str | None) -> int:
    """Count the sub-agents of one scope."""
    query = select(func.count()).where(
        table.c.tenant_id == tenant_id, table.c.project_id == (project_id or WHOLE_TENANT)
    )
    return connection.execute(query).scalar_one()


def change_subagent(
    connection: Connection,
    tenant_id: TenantId,
    subagent_id: str,
    definition: SubAgentDefinition,
    *,
    is_override: bool,
    now: datetime,
) -> None:
    """Write a definition anew."""
    values = _columns_of(definition) | {"is_override": is_override, "updated_at": now}
    mine = (table.c.tenant_id == tenant_id, table.c.id == subagent_id)
    try:
        connection.execute(update(table).where(*mine).values(**values))
    except IntegrityError:
        raise _taken(definition.name) from None


def remove_subagent(connection: Connection, tenant_id: TenantId, subagent_id: str) -> None:
    """Delete a sub-agent."""
    connection.execute(
        delete(table).where(table.c.tenant_id == tenant_id, table.c.id == subagent_id)
    )


def read_config(connection: Connection, tenant_id: TenantId) -> TenantAgentConfig:
    """Read the tenant's defaults; all unset where it has said nothing."""
    columns = [configs.c[name] for name in _CONFIG]
    query = select(*columns).where(configs.c.tenant_id == tenant_id)
    row = connection.execute(query).mappings().first()
    return TenantAgentConfig() if row is None else TenantAgentConfig(**row)


def write_config(
    connection: Connection, tenant_id: TenantId, config: TenantAgentConfig, now: datetime
) -> None:
    """Write the tenant's defaults."""
    values = {"tenant_id": tenant_id, "created_at": now, "updated_at": now, **asdict(config)}
    upsert(connection, configs, values, update=[*_CONFIG, "updated_at"])


def _columns_of(definition: SubAgentDefinition) -> dict[str, Any]:
    return {
        **{name: getattr(definition, name) for name in _PLAIN},
        **{name: _as_list(getattr(definition, name)) for name in _LISTS},
        "description": definition.trigger.description,
        "trigger_examples": list(definition.trigger.examples),
        "trigger_keywords": list(definition.trigger.keywords),
        "rules": [list(rule) for rule in definition.rules],
        "requires_tools": list(definition.requires_tools),
    }


def _read(row: RowMapping) -> StoredSubAgent:
    plain: dict[str, Any] = {name: row[name] for name in _PLAIN}
    lists: dict[str, Any] = {name: _as_tuple(row[name]) for name in _LISTS}
    return StoredSubAgent(
        id=row["id"],
        project_id=row["project_id"] or None,
        definition=SubAgentDefinition(
            **plain,
            **lists,
            trigger=SubAgentTrigger(
                description=row["description"],
                examples=tuple(row["trigger_examples"]),
                keywords=tuple(row["trigger_keywords"]),
            ),
            rules=tuple(Rule(*rule) for rule in row["rules"]),
            requires_tools=tuple(row["requires_tools"]),
        ),
        is_override=row["is_override"],
        created_by=row["created_by"],
        statistics=SubAgentStatistics(**{name: row[name] for name in _STATISTICS}),
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def _as_list(names: Sequence[str] | None) -> list[str] | None:
    return None if names is None else list(names)


def _as_tuple(names: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if names is None else tuple(names)


def _taken(name: str) -> ConflictError:
    return ConflictError(
        f"There is a sub-agent {name!r} here already. Change it, or choose another name."
    )
