"""All that SKILL.md says of a skill is in its row: a list, a change and an agent's set say the same."""

from dataclasses import MISSING, fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from installation import Installation

from dataagent_core.skills import Skill, SkillFile, SkillScope, SkillTrigger, TriggerPattern
from dataagent_core.skills.skill_fields import OWN_FIELDS
from dataagent_core.skills.skill_file import render_skill
from dataagent_core.skills.skill_package import PackedFile, assemble_skill, describe_file
from dataagent_server.agents.skills.skill_services import SkillServices
from dataagent_server.identity.auth.principal import Principal

FILES = {
    "references/a.md": PackedFile(data="月报".encode()),
    "scripts/count.py": PackedFile(data=b"print(1)\n", executable=True),
}
DESCRIBED = tuple(describe_file(path, file) for path, file in FILES.items())
# Of the place of a skill, not of its text.
PLACED = {"id", "tenant_id", "project_id", "scope", "folder"}

words = (
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r<>"), max_size=30)
    .map(str.strip)
    .filter(bool)
)
lists = st.lists(words.filter(lambda text: "," not in text), min_size=1, max_size=3, unique=True)
tools = st.lists(
    st.sampled_from(["shell", "grep", "read_file", "mcp__a__b"]),
    min_size=1,
    max_size=3,
    unique=True,
)
patterns = st.builds(
    TriggerPattern,
    pattern=words.filter(lambda text: not text.startswith("/")),
    weight=st.floats(0.001, 10),
)
skills = st.builds(
    Skill,
    id=st.just(""),
    name=st.from_regex(r"s(-[a-z0-9]{1,9}){1,3}", fullmatch=True),
    description=words,
    content=words,
    license=words,
    compatibility=words,
    metadata=st.dictionaries(
        words.filter(lambda key: key.replace("-", "_") not in OWN_FIELDS),
        words,
        min_size=1,
        max_size=3,
    ),
    allowed_tools=st.just(()) | tools.map(tuple),
    display_name=words,
    summary=words,
    category=words.filter(lambda text: text != "general"),
    tags=lists.map(tuple),
    trigger=st.builds(
        SkillTrigger,
        type=st.sampled_from(["keyword", "semantic"]),
        phrases=lists.map(tuple),
        patterns=st.lists(patterns, min_size=1, max_size=3, unique=True).map(tuple),
    ),
    version=st.from_regex(r"[2-9]\.[0-9]{1,2}(\.[0-9]{1,2})?", fullmatch=True),
    status=st.just("deprecated"),
    tools=tools.map(tuple),
    always_offered=st.just(value=True),
    requires_tools=tools.map(tuple),
)


def parse(text: str, files: tuple[SkillFile, ...] = DESCRIBED) -> Skill:
    read = assemble_skill(text.encode(), files)
    assert read.skill is not None
    return read.skill


def list_unset(skill: Skill) -> set[str]:
    """List the fields that are as they are without being said."""
    unset: set[str] = set()
    for field in fields(skill):
        default: Any = field.default
        if field.default_factory is not MISSING:
            default = field.default_factory()
        if getattr(skill, field.name) == default:
            unset.add(field.name)
    return unset


@pytest.fixture
async def ann(installation: Installation) -> Principal:
    return await installation.person(await installation.tenant("t"), "ann", "admin")


@pytest.fixture
async def project(installation: Installation, ann: Principal) -> str:
    return (await installation.people.projects.create(ann, "Sales")).project_id


@pytest.mark.every_database
@pytest.mark.requirement("S2-13-skills")
@given(skill=skills, in_project=st.booleans())
async def test_a_stored_skill_is_read_as_it_was_written(
    services: SkillServices, ann: Principal, project: str, skill: Skill, in_project: bool
):
    place = project if in_project else None
    scope = SkillScope.PROJECT if in_project else SkillScope.TENANT
    text = render_skill(skill)
    # A field that is new in core belongs into the strategy above.
    assert list_unset(parse(text)) <= PLACED
    made = await services.service.create(ann, place, text, {}, FILES)
    skill_id = made.view.skill.id

    async def check(written: str) -> None:
        wanted = replace(
            parse(written), id=skill_id, tenant_id=ann.tenant_id, project_id=place, scope=scope
        )
        details = await services.service.get(ann, skill_id)
        assert (details.text, details.view.skill) == (written, replace(wanted, content=""))
        listed = [one.skill for one in await services.service.list_skills(ann, place)]
        assert replace(wanted, content="") in listed
        found = (await services.sets.skills_for(ann.tenant_id, place)).skill_set.find(wanted.name)
        assert found is not None
        assert replace(found, folder=None) == wanted

    await check(text)
    changed = await services.service.change(ann, skill_id, {"version": "1.1.0"})
    assert replace(parse(changed.text), version=skill.version, digest="") == replace(
        parse(text), digest=""
    )
    await check(changed.text)
    first = await services.service.get_version(ann, skill_id, 1)
    assert (first.content, first.files) == (text, DESCRIBED)
    await services.service.delete(ann, skill_id)


async def test_a_skill_that_says_little_is_read_as_it_was_written(
    services: SkillServices, ann: Principal
):
    text = "---\nname: plain\ndescription: Says little.\n---\nRead it.\n"
    made = await services.service.create(ann, None, text, {})
    wanted = replace(parse(text, ()), id=made.view.skill.id, tenant_id=ann.tenant_id)
    assert made.view.skill == replace(wanted, content="")
    found = (await services.sets.skills_for(ann.tenant_id, None)).skill_set.find("plain")
    assert found is not None
    assert replace(found, folder=None) == wanted
