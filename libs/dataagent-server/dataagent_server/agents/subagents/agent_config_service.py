"""Reads and writes the tenant's defaults for its agents (S2 §4.1's TenantAgentConfig)."""

from dataclasses import asdict, dataclass

from sqlalchemy import Connection

from dataagent_server.agents.subagents import subagent_rows
from dataagent_server.agents.subagents.agent_defaults import TenantAgentConfig, check_config
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Principal, Resource, require
from dataagent_server.identity.auth.clock import Clock, utc_now


@dataclass(frozen=True, slots=True)
class AgentConfigService:
    """The defaults of the principal's own tenant; admins change them."""

    database: Database
    audit: AuditTrail
    clock: Clock = utc_now

    async def get(self, principal: Principal) -> TenantAgentConfig:
        """Return the defaults; what is None is that of the server."""
        require(principal, "agent_config.read", _resource(principal))
        tenant_id = principal.tenant_id
        return await self.database.read(lambda c: subagent_rows.read_config(c, tenant_id))

    async def put(self, principal: Principal, config: TenantAgentConfig) -> TenantAgentConfig:
        """Give all of the defaults anew; the next runs of the tenant use them."""
        require(principal, "agent_config.change", _resource(principal))
        checked = check_config(config)
        tenant_id = principal.tenant_id

        def work(connection: Connection) -> TenantAgentConfig:
            old = subagent_rows.read_config(connection, tenant_id)
            subagent_rows.write_config(connection, tenant_id, checked, self.clock())
            changed = {
                name: [before, asdict(checked)[name]]
                for name, before in asdict(old).items()
                if before != asdict(checked)[name]
            }
            if changed:
                self.audit.record(
                    connection, tenant_id, principal.actor, "agent_config.change",
                    f"tenant:{tenant_id}", changed,
                )  # fmt: skip
            return checked

        return await self.database.write(work)


def _resource(principal: Principal) -> Resource:
    return Resource(principal.tenant_id, "agent_config", shared=True)
