"""Skills: instructions and scripts that an agent loads when a task needs them (S2 §8)."""

from dataagent_core.skills.built_in_skills import built_in_folder
from dataagent_core.skills.skill import (
    Skill,
    SkillFile,
    SkillScope,
    SkillStatus,
    SkillTrigger,
    TriggerPattern,
    TriggerType,
)
from dataagent_core.skills.skill_check import check_skill
from dataagent_core.skills.skill_file import parse_skill, render_skill
from dataagent_core.skills.skill_folder import FolderSkills, load_folder, load_skill
from dataagent_core.skills.source import FixedSkills, SkillProblem, SkillSet, SkillSource
from dataagent_core.skills.tiers import (
    SkillState,
    TenantSkillConfig,
    list_available_skills,
    list_skill_states,
)

__all__ = [
    "FixedSkills",
    "FolderSkills",
    "Skill",
    "SkillFile",
    "SkillProblem",
    "SkillScope",
    "SkillSet",
    "SkillSource",
    "SkillState",
    "SkillStatus",
    "SkillTrigger",
    "TenantSkillConfig",
    "TriggerPattern",
    "TriggerType",
    "built_in_folder",
    "check_skill",
    "list_available_skills",
    "list_skill_states",
    "load_folder",
    "load_skill",
    "parse_skill",
    "render_skill",
]
