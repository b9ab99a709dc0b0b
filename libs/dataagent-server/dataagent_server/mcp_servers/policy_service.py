"""Seeing and changing a tenant's policy for MCP programs."""

from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, select, update

from dataagent_core.errors import NotFoundError
from dataagent_server.audit import AuditTrail
from dataagent_server.auth import Principal, Resource, may, require
from dataagent_server.auth.clock import Clock, utc_now
from dataagent_server.auth.features import switched_off
from dataagent_server.db.database import Database
from dataagent_server.db.tables.people import tenants
from dataagent_server.ids import TenantId
from dataagent_server.mcp_servers.policy import OPERATORS, MCPPolicy, policy_from


@dataclass(frozen=True, slots=True)
class Rules:
    """What counts for programs of a tenant."""

    policy: MCPPolicy
    programs_off: bool
    mcp_off: bool
    servers_per_user_max: int


@dataclass(frozen=True, slots=True)
class PolicyService:
    """The policies; a tenant's own is its admins' to change, its outer bounds the operator's."""

    database: Database
    audit: AuditTrail
    clock: Clock = utc_now

    async def get(self, principal: Principal, tenant_id: str | None = None) -> MCPPolicy:
        """Show the policy of one's own tenant, or of any to who runs the installation."""

        def work(connection: Connection) -> MCPPolicy:
            return rules_of(connection, _visible(principal, "mcp_policy.read", tenant_id)).policy

        return await self.database.read(work)

    async def change(
        self, principal: Principal, values: dict[str, Any], tenant_id: str | None = None
    ) -> MCPPolicy:
        """Set what is given."""

        def work(connection: Connection) -> MCPPolicy:
            tenant = _visible(principal, "mcp_policy.change", tenant_id)
            old = rules_of(connection, tenant, lock=True).policy
            new = replace(old, **values)
            changed = {
                name: [before, new.stored()[name]]
                for name, before in old.stored().items()
                if before != new.stored()[name]
            }
            if OPERATORS & changed.keys():
                require(principal, "installation.manage", Resource(tenant, "mcp_policy"))
            if changed:
                connection.execute(
                    update(tenants)
                    .where(tenants.c.tenant_id == tenant)
                    .values(mcp_policy=new.stored(), updated_at=self.clock())
                )
                self.audit.record(
                    connection, tenant, principal.actor, "mcp_policy.change",
                    f"tenant:{tenant}", changed,
                )  # fmt: skip
            return new

        return await self.database.write(work)


def rules_of(connection: Connection, tenant_id: TenantId, *, lock: bool = False) -> Rules:
    """Read what counts in a tenant; `lock` keeps others from changing it until the commit."""
    columns = tenants.c
    query = select(columns.mcp_policy, columns.features_enabled, columns.max_mcp_servers).where(
        columns.tenant_id == tenant_id
    )
    row = connection.execute(query.with_for_update() if lock else query).mappings().first()
    if row is None:
        raise NotFoundError(f"There is no tenant {tenant_id!r}.")
    off = switched_off(row["features_enabled"])
    return Rules(
        policy=policy_from(row["mcp_policy"]),
        programs_off="code_execution" in off,
        mcp_off="mcp" in off,
        servers_per_user_max=row["max_mcp_servers"],
    )


def _visible(principal: Principal, action: Any, tenant_id: str | None) -> TenantId:
    wanted = TenantId(tenant_id or principal.tenant_id)
    if wanted != principal.tenant_id:
        resource = Resource(principal.tenant_id, "installation")
        if not may(principal, "installation.manage", resource):
            raise NotFoundError(f"There is no tenant {wanted!r}.")
        return wanted
    require(principal, action, Resource(wanted, "mcp_policy"))
    return wanted
