"""S2 §8, §14.4 and appendix D: skills, their three levels and the open standard."""

from tests.requirements.entry import Requirement
from tests.requirements.s2.section import implemented

SKILLS: tuple[Requirement, ...] = (
    *implemented(
        {
            "D.4": "A skill is named first; its text is read when it is chosen.",
            "8.3": "A message is matched to skills, and the chosen one is loaded.",
            "8.3-events": "Skill events have the document's names.",
            "8.2": "SKILL.md: name, description, version, triggers, then Markdown.",
            "8.4.2": "System, tenant and project skills; the nearer one wins.",
            "8.4.3": "SkillScope and is_system_skill.",
            "8.4.4": "TenantSkillConfig disables or overrides a system skill.",
            "8.4.5": "list_available_skills loads in the document's four steps.",
            "D.2": "A skill is a folder: SKILL.md, scripts, references, assets; the folder has its name.",
            "D.3.2": "name: 1 to 64 of a-z, 0-9 and hyphen; description: 1 to 1,024 without < and >.",
            "D.3.3": "license, compatibility, allowed-tools and metadata are read.",
            "D.3.4": "SKILL.md within 500 lines; references one level deep.",
            "8.1": "Skill: tenant, project, names, trigger, summary, content, resources, category, tags.",
            "8.4.7": "The built-in skills code-review, doc-coauthoring, memory-graph-querying.",
            "D.7.1": "A skill passes the standard's own validator.",
            "14.4.1-GET-skills": "GET /api/v1/skills, by scope and project.",
            "14.4.1-GET-skills-system": "GET /api/v1/skills/system.",
            "14.4.1-POST-skills": "POST /api/v1/skills.",
            "14.4.1-GET-skill": "GET /api/v1/skills/{skill_id}.",
            "14.4.1-PUT-skill": "PUT /api/v1/skills/{skill_id}.",
            "14.4.1-DELETE-skill": "DELETE /api/v1/skills/{skill_id}.",
            "14.4.1-GET-content": "GET /api/v1/skills/{skill_id}/content.",
            "14.4.1-PUT-content": "PUT /api/v1/skills/{skill_id}/content.",
            "14.4.2-GET-config": "GET /api/v1/tenant/skills/config.",
            "14.4.2-POST-disable": "POST /api/v1/tenant/skills/disable; 404 for an unknown skill.",
            "14.4.2-POST-enable": "POST /api/v1/tenant/skills/enable.",
            "14.4.2-POST-override": "POST /api/v1/tenant/skills/override; 400 for a wrong skill or scope.",
            "16.4-POST-skills-match": "POST /api/v1/skills/match.",
            "16.4-POST-skills-upload": "POST /api/v1/skills/upload.",
            "D.5.2": "Tools list and activate skills, and run their scripts.",
            "D.5.3": "The system prompt names skills as <available_skills>.",
            "D.6.6": "A skill's scripts run in the sandbox, with the tools it is allowed.",
        }
    ),
)
