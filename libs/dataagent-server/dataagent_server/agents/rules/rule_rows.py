"""The SQL of kept rules."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, RowMapping, delete, func, select

from dataagent_core.ids import new_id
from dataagent_core.permissions import Rule
from dataagent_server.agents.rules.kept_rule import KeptRule, RuleOrigin
from dataagent_server.common.ids import TenantId
from dataagent_server.common.pagination import PageRequest, apply
from dataagent_server.db.tables.rules import permission_rules as table
from dataagent_server.db.upsert import insert_ignore


def add_rules(
    connection: Connection, allowed: RuleOrigin, rules: Sequence[Rule], now: datetime
) -> list[Rule]:
    """Insert the rules that do not exist yet, and return them."""
    return [
        rule for rule in rules if insert_ignore(connection, table, _make_row(allowed, rule, now))
    ]


def rules_for(
    connection: Connection, tenant_id: TenantId, user_id: str, project_id: str | None
) -> list[KeptRule]:
    """List the rules of a user in a project, or outside of projects, the oldest first."""
    query = select(*_COLUMNS).where(*_in_scope(tenant_id, user_id, project_id))
    ordered = query.order_by(table.c.created_at, table.c.rule_id)
    return [_make_rule(row) for row in connection.execute(ordered).mappings()]


def count_rules(
    connection: Connection, tenant_id: TenantId, user_id: str, project_id: str | None
) -> int:
    """Count them."""
    query = select(func.count()).select_from(table)
    return connection.execute(query.where(*_in_scope(tenant_id, user_id, project_id))).scalar_one()


def list_rules(
    connection: Connection,
    tenant_id: TenantId,
    user_id: str,
    project_id: str | None,
    page_request: PageRequest,
) -> list[KeptRule]:
    """List a person's rules, of one project if one is named."""
    query = select(*_COLUMNS).where(table.c.tenant_id == tenant_id, table.c.user_id == user_id)
    if project_id is not None:
        query = query.where(table.c.project_id == project_id)
    page = apply(query, page_request, table.c.created_at, table.c.rule_id)
    return [_make_rule(row) for row in connection.execute(page).mappings()]


def find_rule(connection: Connection, tenant_id: TenantId, rule_id: str) -> KeptRule | None:
    """Find one."""
    mine = (table.c.tenant_id == tenant_id, table.c.rule_id == rule_id)
    row = connection.execute(select(*_COLUMNS).where(*mine)).mappings().first()
    return None if row is None else _make_rule(row)


def remove_rule(connection: Connection, tenant_id: TenantId, rule_id: str) -> None:
    """Delete one."""
    mine = (table.c.tenant_id == tenant_id, table.c.rule_id == rule_id)
    connection.execute(delete(table).where(*mine))


_COLUMNS = [table.c[name] for name in KeptRule.__slots__]


def _in_scope(
    tenant_id: TenantId, user_id: str, project_id: str | None
) -> tuple[ColumnElement[bool], ...]:
    here = table.c.project_id.is_(None) if project_id is None else table.c.project_id == project_id
    return table.c.tenant_id == tenant_id, table.c.user_id == user_id, here


def _make_row(allowed: RuleOrigin, rule: Rule, now: datetime) -> dict[str, Any]:
    # Patterns are too long for an index; a digest identifies equal ones.
    same = "\0".join((allowed.project_id or "", rule.action, rule.tool, rule.resource))
    return {
        "tenant_id": allowed.tenant_id,
        "rule_id": new_id(),
        "user_id": allowed.user_id,
        "project_id": allowed.project_id,
        "tool": rule.tool,
        "resource": rule.resource,
        "action": rule.action,
        "rule_hash": hashlib.sha256(same.encode("utf-8", "surrogatepass")).hexdigest(),
        "session_id": allowed.session_id,
        "created_by": allowed.by,
        "created_at": now,
    }


def _make_rule(row: RowMapping) -> KeptRule:
    return KeptRule(**row)
