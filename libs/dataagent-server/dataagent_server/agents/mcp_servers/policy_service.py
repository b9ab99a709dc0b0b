"""Reads and changes a tenant's policy for MCP programs."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select, update

from dataagent_core.errors import NotFoundError
from dataagent_server.agents.mcp_servers.mcp_policy import OPERATORS, MCPPolicy, policy_from
from dataagent_server.common.ids import DEFAULT_TENANT, TenantId
from dataagent_server.db.database import Database
from dataagent_server.db.tables.people import tenants, user_tenants
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Principal, Resource, may, require
from dataagent_server.identity.auth.clock import Clock, utc_now
from dataagent_server.identity.auth.features import list_switched_off


@dataclass(frozen=True, slots=True)
class ProgramRules:
    """The rules for programs of a tenant."""

    policy: MCPPolicy
    programs_off: bool
    mcp_off: bool
    servers_per_user_max: int
    # The owner of the installation, if they are its only user.
    sole_owner: str | None = None


@dataclass(frozen=True, slots=True)
class PolicyService:
    """The policies; admins change their tenant's, the operator sets its outer bounds."""

    database: Database
    audit: AuditTrail
    clock: Clock = utc_now

    async def get(self, principal: Principal, tenant_id: str | None = None) -> MCPPolicy:
        """Return the policy of the principal's tenant, or of any tenant for the operator."""

        def work(connection: Connection) -> MCPPolicy:
            return rules_of(
                connection, _resolve_tenant(principal, "mcp_policy.read", tenant_id)
            ).policy

        return await self.database.read(work)

    async def change(
        self, principal: Principal, values: dict[str, Any], tenant_id: str | None = None
    ) -> MCPPolicy:
        """Set the given fields."""

        def work(connection: Connection) -> MCPPolicy:
            tenant = _resolve_tenant(principal, "mcp_policy.change", tenant_id)
            old = rules_of(connection, tenant, lock=True).policy
            new = replace(old, **values)
            if OPERATORS & _diff(old, new).keys():
                require(principal, "installation.manage", Resource(tenant, "mcp_policy"))
            store_policy(connection, self.audit, tenant, principal.actor, old, new, self.clock())
            return new

        return await self.database.write(work)


def store_policy(  # noqa: PLR0917 (the audit's own order)
    connection: Connection,
    audit: AuditTrail,
    tenant_id: TenantId,
    actor: str,
    old: MCPPolicy,
    new: MCPPolicy,
    now: datetime,
) -> None:
    """Write a policy and record the difference in the audit log."""
    changed = _diff(old, new)
    if not changed:
        return
    connection.execute(
        update(tenants)
        .where(tenants.c.tenant_id == tenant_id)
        .values(mcp_policy=new.to_json(), updated_at=now)
    )
    audit.record(connection, tenant_id, actor, "mcp_policy.change", f"tenant:{tenant_id}", changed)


def _diff(old: MCPPolicy, new: MCPPolicy) -> dict[str, Any]:
    return {
        name: [before, new.to_json()[name]]
        for name, before in old.to_json().items()
        if before != new.to_json()[name]
    }


def _find_sole_owner(connection: Connection, tenant_id: TenantId) -> str | None:
    """Return the only user of the installation, if they own it."""
    members = connection.execute(select(user_tenants).limit(2)).mappings().all()
    if tenant_id != DEFAULT_TENANT or len(members) != 1:
        return None
    (only,) = members
    is_owner = only["tenant_id"] == tenant_id and only["role"] == "owner"
    return only["user_id"] if is_owner else None


def rules_of(connection: Connection, tenant_id: TenantId, *, lock: bool = False) -> ProgramRules:
    """Read the rules of a tenant; `lock` keeps others from changing them until the commit."""
    columns = tenants.c
    query = select(columns.mcp_policy, columns.features_enabled, columns.max_mcp_servers).where(
        columns.tenant_id == tenant_id
    )
    row = connection.execute(query.with_for_update() if lock else query).mappings().first()
    if row is None:
        raise NotFoundError(f"There is no tenant {tenant_id!r}.")
    off = list_switched_off(row["features_enabled"])
    return ProgramRules(
        policy=policy_from(row["mcp_policy"]),
        programs_off="code_execution" in off,
        mcp_off="mcp" in off,
        servers_per_user_max=row["max_mcp_servers"],
        sole_owner=_find_sole_owner(connection, tenant_id),
    )


def _resolve_tenant(principal: Principal, action: Any, tenant_id: str | None) -> TenantId:
    wanted = TenantId(tenant_id or principal.tenant_id)
    if wanted != principal.tenant_id:
        resource = Resource(principal.tenant_id, "installation")
        if not may(principal, "installation.manage", resource):
            raise NotFoundError(f"There is no tenant {wanted!r}.")
        return wanted
    require(principal, action, Resource(wanted, "mcp_policy"))
    return wanted
