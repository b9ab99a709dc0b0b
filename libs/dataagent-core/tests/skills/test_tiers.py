"""Three tiers: the nearer skill wins, and a tenant may disable or override a system skill."""

from collections.abc import Mapping, Sequence
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.skills import (
    Skill,
    SkillScope,
    SkillStatus,
    TenantSkillConfig,
    list_available_skills,
    list_skill_states,
)

NAMES = st.lists(st.sampled_from("abcd"), unique=True)
ACTIONS = st.dictionaries(st.sampled_from("abcd"), st.sampled_from(["disable", "override"]))


Action = Literal["disable", "override"]


def skills(scope: SkillScope, names: Sequence[str], status: SkillStatus = "active") -> list[Skill]:
    return [
        Skill(id=f"{scope}-{n}", name=n, description="d", content="c", scope=scope, status=status)
        for n in names
    ]


def configs(actions: Mapping[str, Action]) -> list[TenantSkillConfig]:
    return [
        TenantSkillConfig(
            id=name,
            tenant_id="t",
            system_skill_name=name,
            action=action,
            override_skill_id="tenant-x" if action == "override" else None,
        )
        for name, action in actions.items()
    ]


def as_s2_writes_it(
    system: list[Skill],
    tenant: list[Skill],
    project: list[Skill],
    tenant_configs: dict[str, TenantSkillConfig],
) -> list[Skill]:
    """S2 §8.4.5's code, with lists in place of its repositories."""
    skills_map: dict[str, Skill] = {}
    for skill in system:
        config = tenant_configs.get(skill.name)
        if config and config.action == "disable":
            continue
        if config and config.action == "override":
            continue
        skills_map[skill.name] = skill
    for skill in tenant:
        skills_map[skill.name] = skill
    for skill in project:
        skills_map[skill.name] = skill
    return list(skills_map.values())


@pytest.mark.requirement("S2-8.4.5")
@pytest.mark.requirement("S2-8.4.2")
@given(system=NAMES, tenant=NAMES, project=NAMES, actions=ACTIONS)
def test_skills_are_chosen_as_s2_8_4_5_does_it(
    system: list[str], tenant: list[str], project: list[str], actions: dict[str, Action]
):
    tiers = (
        skills(SkillScope.SYSTEM, system),
        skills(SkillScope.TENANT, tenant),
        skills(SkillScope.PROJECT, project),
    )
    chosen = list_available_skills(*tiers, configs(actions))
    by_name = {config.system_skill_name: config for config in configs(actions)}
    assert chosen == as_s2_writes_it(*tiers, by_name)
    # The states of a listing say the same.
    shown = [
        state.skill
        for state in list_skill_states(*tiers, configs(actions))
        if not (state.is_disabled or state.is_overridden)
    ]
    assert sorted(one.id for one in shown) == sorted(one.id for one in chosen)


@pytest.mark.requirement("S2-8.4.4")
def test_a_tenant_disables_and_overrides_system_skills_only():
    tiers = (
        skills(SkillScope.SYSTEM, ["a", "b", "c"]),
        skills(SkillScope.TENANT, ["x", "c"]),
        skills(SkillScope.PROJECT, ["x"]),
    )
    decided = configs({"a": "disable", "b": "override", "x": "disable"})
    assert [one.id for one in list_available_skills(*tiers, decided)] == ["tenant-c", "project-x"]
    states = {
        state.skill.id: (state.is_disabled, state.is_overridden, state.override_skill_id)
        for state in list_skill_states(*tiers, decided)
    }
    assert states == {
        "system-a": (True, False, None),
        "system-b": (False, True, "tenant-x"),
        "system-c": (False, True, None),
        "tenant-x": (False, True, None),
        "tenant-c": (False, False, None),
        "project-x": (False, False, None),
    }


@pytest.mark.requirement("S2-8.4.3")
def test_a_skill_that_is_switched_off_hides_none_of_a_farther_tier():
    system = skills(SkillScope.SYSTEM, ["a"])
    off = skills(SkillScope.PROJECT, ["a"], status="disabled")
    assert list_available_skills(system, (), off) == system
    assert system[0].is_system_skill
    assert not off[0].is_system_skill
    states = list_skill_states(system, (), off)
    assert [(one.is_disabled, one.is_overridden) for one in states] == [
        (False, False),
        (True, False),
    ]
