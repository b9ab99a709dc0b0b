"""A tenant disables and overrides the skills of the system (S2 §14.4.2), for nobody else.

Only admins do: it counts for everybody in the tenant.
"""

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection

from dataagent_core.skills import SkillScope, TenantSkillConfig
from dataagent_server.agents.skills import config_rows, skill_rows
from dataagent_server.agents.skills.revision_rows import begin_change
from dataagent_server.agents.skills.skill_rights import require_skill
from dataagent_server.agents.skills.system_skills import SystemSkills
from dataagent_server.common.errors import OverrideError
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Principal
from dataagent_server.identity.auth.clock import Clock, utc_now


@dataclass(frozen=True, slots=True)
class SkillConfigService:
    """What the principal's own tenant says of the system's skills."""

    database: Database
    audit: AuditTrail
    system: SystemSkills
    clock: Clock = utc_now

    async def list_configs(self, principal: Principal) -> list[TenantSkillConfig]:
        """List what was said."""

        def work(connection: Connection) -> list[TenantSkillConfig]:
            require_skill(connection, principal, "skill.read", None)
            return config_rows.list_configs(connection, principal.tenant_id)

        return await self.database.read(work)

    async def disable(self, principal: Principal, name: str) -> list[TenantSkillConfig]:
        """Take a system skill out of the tenant's agents."""

        def work(connection: Connection) -> None:
            config_rows.set_config(
                connection,
                principal.tenant_id,
                name,
                action="disable",
                override_skill_id=None,
                now=self.clock(),
            )

        return await self._change(principal, "skill.disable", name, work)

    async def enable(self, principal: Principal, name: str) -> list[TenantSkillConfig]:
        """Give a system skill back, whether it was disabled or overridden."""

        def work(connection: Connection) -> None:
            config_rows.remove_config(connection, principal.tenant_id, name)

        return await self._change(principal, "skill.enable", name, work)

    async def override(
        self, principal: Principal, name: str, skill_id: str
    ) -> list[TenantSkillConfig]:
        """Put a skill of the tenant in the place of a system skill."""

        def work(connection: Connection) -> None:
            found = skill_rows.find(connection, principal.tenant_id, skill_id)
            if found is None:
                raise OverrideError(
                    f"There is no skill {skill_id[:80]!r} of the tenant to override {name!r} with."
                )
            if found.skill.scope is not SkillScope.TENANT:
                raise OverrideError(
                    f"The skill {found.skill.name!r} belongs to a project; only one of the "
                    "tenant overrides a system skill."
                )
            config_rows.set_config(
                connection,
                principal.tenant_id,
                name,
                action="override",
                override_skill_id=skill_id,
                now=self.clock(),
            )

        return await self._change(principal, "skill.override", name, work)

    async def _change(
        self, principal: Principal, action: str, name: str, change: Callable[[Connection], None]
    ) -> list[TenantSkillConfig]:
        await self.system.require_name(name)

        def work(connection: Connection) -> list[TenantSkillConfig]:
            require_skill(connection, principal, "skill.change", None)
            begin_change(connection, principal.tenant_id)
            change(connection)
            self.audit.record(
                connection, principal.tenant_id, principal.actor, action, f"skill:system.{name}"
            )
            return config_rows.list_configs(connection, principal.tenant_id)

        return await self.database.write(work)
