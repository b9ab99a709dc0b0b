"""Everything about skills on the server: what routes and runs use."""

from dataclasses import dataclass
from pathlib import Path

from dataagent_core.errors import ConflictError
from dataagent_core.models.embeddings import Embedder
from dataagent_core.permissions.foreign_tools import OWN_TOOLS
from dataagent_core.skills.availability import has_its_tools
from dataagent_core.skills.evals import EvalReport, run_evals
from dataagent_core.skills.match import SkillMatch, SkillMatchers
from dataagent_server.agents.skills.config_service import SkillConfigService
from dataagent_server.agents.skills.set_folders import SetFolders
from dataagent_server.agents.skills.skill_service import SkillService
from dataagent_server.agents.skills.system_skills import SystemSkills
from dataagent_server.agents.skills.tenant_skills import TenantSkills
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Principal
from dataagent_server.identity.auth.features import list_withheld_tools


@dataclass(frozen=True, slots=True)
class SkillServices:
    """Skills as they are stored, what a tenant says of the system's, and the sets of agents."""

    service: SkillService
    configs: SkillConfigService
    sets: TenantSkills

    async def match(
        self, principal: Principal, project_id: str | None, message: str, limit: int
    ) -> list[SkillMatch]:
        """List the skills that fit a message in the tenant, or in a project."""
        await self.service.require_reader(principal, project_id)
        tools = self._tools_of(principal)
        return await self.sets.match(principal.tenant_id, project_id, message, limit, tools)

    async def test(self, principal: Principal, skill_id: str) -> EvalReport:
        """Try the evals of a skill among all that its agents are offered.

        One that waits for tools is tried all the same.
        """
        skill = (await self.service.get(principal, skill_id)).view.skill
        found = await self.sets.skills_for(principal.tenant_id, skill.project_id)
        skills = found.skill_set.skills
        if all(one.id != skill.id for one in skills):
            raise ConflictError(
                f"The skill {skill.name!r} is disabled or overridden, so no message fires it. "
                "Enable it first."
            )
        tools = self._tools_of(principal)
        others = [one for one in skills if one.id == skill.id or has_its_tools(one, tools)]
        return await run_evals(others, self.sets.matchers.embedder, of=[skill.name])

    def _tools_of(self, principal: Principal) -> frozenset[str]:
        return OWN_TOOLS - list_withheld_tools(principal.features_off)


def make_skill_services(
    database: Database, audit: AuditTrail, folder: Path, embedder: Embedder
) -> SkillServices:
    """Make the services; the sets of agents are written below `folder`."""
    system = SystemSkills()
    return SkillServices(
        SkillService(database, audit, system),
        SkillConfigService(database, audit, system),
        TenantSkills(database, system, SetFolders(folder), SkillMatchers(embedder)),
    )
