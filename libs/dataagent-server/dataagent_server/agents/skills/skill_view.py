"""A skill as it is shown: of the system, the tenant or a project, with what keeps it back."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from dataagent_core.skills import (
    Skill,
    SkillProblem,
    SkillScope,
    TenantSkillConfig,
    list_skill_states,
)
from dataagent_server.agents.skills.skill_record import SkillRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillView:
    """One skill of a list; those of the system have no times."""

    skill: Skill
    enabled: bool = True
    is_disabled: bool = False
    is_overridden: bool = False
    override_skill_id: str | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SkillDetails:
    """One skill with its text, and what there is to say about it."""

    view: SkillView
    text: str
    problems: tuple[SkillProblem, ...] = ()


def make_views(
    system: Iterable[Skill],
    records: Sequence[SkillRecord],
    configs: Iterable[TenantSkillConfig],
) -> list[SkillView]:
    """Show all skills of three tiers."""
    by_id = {record.skill.id: record for record in records}
    tiers = {
        scope: [usable_skill(one) for one in records if one.skill.scope is scope]
        for scope in (SkillScope.TENANT, SkillScope.PROJECT)
    }
    views: list[SkillView] = []
    for state in list_skill_states(
        system, tiers[SkillScope.TENANT], tiers[SkillScope.PROJECT], configs
    ):
        record = by_id.get(state.skill.id)
        views.append(
            SkillView(
                skill=state.skill if record is None else record.skill,
                enabled=record is None or record.enabled,
                is_disabled=state.is_disabled,
                is_overridden=state.is_overridden,
                override_skill_id=state.override_skill_id,
                created_at=record and record.created_at,
                updated_at=record and record.updated_at,
            )
        )
    return views


def usable_skill(record: SkillRecord) -> Skill:
    """Return the skill of a row as the tiers take it: one that is switched off is disabled."""
    return record.skill if record.enabled else replace(record.skill, status="disabled")
