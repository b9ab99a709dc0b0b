"""Which skill of a name counts: system, then tenant, then project (S2 §8.4). Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from dataagent_core.skills.skill import Skill, SkillScope

_NEAREST_FIRST: Final = (SkillScope.PROJECT, SkillScope.TENANT, SkillScope.SYSTEM)


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantSkillConfig:
    """What a tenant decided about a system skill (S2 §8.4.4)."""

    id: str
    tenant_id: str
    system_skill_name: str
    action: Literal["disable", "override"]
    override_skill_id: str | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillState:
    """A skill in a list, and whether something keeps it from being offered."""

    skill: Skill
    is_disabled: bool = False
    is_overridden: bool = False
    # The skill that the tenant chose in its place.
    override_skill_id: str | None = None


def rank_tier(scope: SkillScope) -> int:
    """Rank tiers for a list that people read: the nearest first."""
    return _NEAREST_FIRST.index(scope)


def list_available_skills(
    system: Iterable[Skill],
    tenant: Iterable[Skill] = (),
    project: Iterable[Skill] = (),
    configs: Iterable[TenantSkillConfig] = (),
) -> list[Skill]:
    """Choose one skill for each name in S2 §8.4.5's four steps; disabled ones do not take part."""
    skills: dict[str, Skill] = {}
    # Steps 1 and 2: system skills, without those the tenant disabled or overrode.
    configured = {config.system_skill_name for config in configs}
    for skill in _enabled(system):
        if skill.name not in configured:
            skills[skill.name] = skill
    # Step 3: the tenant's; step 4: the project's.
    for tier in (tenant, project):
        for skill in _enabled(tier):
            skills[skill.name] = skill
    return list(skills.values())


def _enabled(skills: Iterable[Skill]) -> list[Skill]:
    return [skill for skill in skills if skill.status != "disabled"]


def list_skill_states(
    system: Iterable[Skill],
    tenant: Iterable[Skill] = (),
    project: Iterable[Skill] = (),
    configs: Iterable[TenantSkillConfig] = (),
) -> list[SkillState]:
    """List every skill of all tiers with its state, as answers carry it (S2 §14.4.1)."""
    tiers = (list(system), list(tenant), list(project))
    by_name = {config.system_skill_name: config for config in configs}
    states: list[SkillState] = []
    for number, tier in enumerate(tiers):
        nearer = {skill.name for other in tiers[number + 1 :] for skill in _enabled(other)}
        for skill in tier:
            config = by_name.get(skill.name) if skill.scope is SkillScope.SYSTEM else None
            action = config.action if config else None
            states.append(
                SkillState(
                    skill=skill,
                    is_disabled=action == "disable" or skill.status == "disabled",
                    is_overridden=action == "override" or skill.name in nearer,
                    override_skill_id=config.override_skill_id if config else None,
                )
            )
    return states
