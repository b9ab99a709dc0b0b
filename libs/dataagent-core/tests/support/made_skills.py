"""Skills for tests: made as values, without folders."""

from typing import Any

from dataagent_core.skills import FixedSkills, Skill, SkillSet, SkillSource


def make_skill(name: str, content: str = "Do it.", **fields: Any) -> Skill:
    fields.setdefault("description", f"All about {name}.")
    return Skill(id=name, name=name, content=content, **fields)


def fixed(*skills: Skill) -> SkillSource:
    digest = ",".join(f"{one.name}:{one.description}" for one in skills)
    return FixedSkills(skill_set=SkillSet(skills=skills, digest=digest))
