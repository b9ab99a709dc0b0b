"""Skills of tenants and projects on each database."""

import asyncio
import sys
from collections.abc import Callable
from dataclasses import replace
from types import FrameType
from typing import Any, TypeVar

import pytest
from installation import Installation
from skill_texts import skill_text
from sqlalchemy import Connection, select

from dataagent_core.errors import ConflictError, DeniedError, NotFoundError, ValidationError
from dataagent_core.skills import SkillScope, SkillTrigger, TriggerPattern
from dataagent_core.skills.skill_package import PackedFile, assemble_skill
from dataagent_server.agents.skills.form_files import SkillUpload
from dataagent_server.agents.skills.limits import VERSIONS_PER_SKILL_MAX
from dataagent_server.agents.skills.orphans import remove_orphans
from dataagent_server.agents.skills.revision_rows import begin_change
from dataagent_server.agents.skills.skill_draft import make_text
from dataagent_server.agents.skills.skill_services import SkillServices
from dataagent_server.common.errors import (
    InvalidRequestError,
    OverrideError,
    QuotaExceededError,
)
from dataagent_server.common.ids import DEFAULT_TENANT, TenantId
from dataagent_server.db.database import Database
from dataagent_server.db.tables.skills import skill_blobs
from dataagent_server.db.tables.workspaces import s_workspace_usage
from dataagent_server.identity.auth.principal import Principal, operator

pytestmark = pytest.mark.every_database
T = TypeVar("T")
SCRIPT = {"scripts/count.py": PackedFile(data=b"print(1)\n", executable=True)}


class WatchedDatabase:
    """A database that notes the functions that its write transactions call."""

    def __init__(self, database: Database) -> None:
        self.dialect = database.dialect
        self.url = database.url
        self.read = database.read
        self.aclose = database.aclose
        self.called = set[str]()
        self._database = database

    async def write(self, work: Callable[[Connection], T]) -> T:
        def note(frame: FrameType, event: str, _: object) -> None:
            if event == "call":
                self.called.add(frame.f_code.co_name)

        def watched(connection: Connection) -> T:
            sys.setprofile(note)
            try:
                return work(connection)
            finally:
                sys.setprofile(None)

        return await self._database.write(watched)


@pytest.fixture
async def ann(installation: Installation) -> Principal:
    return await installation.person(await installation.tenant("t"), "ann", "admin")


async def used_bytes(installation: Installation, tenant_id: TenantId) -> int:
    usage = s_workspace_usage.c
    query = select(usage.current_size_bytes).where(usage.tenant_id == tenant_id)
    return await installation.database.read(lambda c: c.execute(query).scalar() or 0)


async def names_of(services: SkillServices, who: Principal, project_id: str | None = None):
    found = await services.sets.skills_for(who.tenant_id, project_id)
    return {skill.name: skill.scope for skill in found.skill_set.skills}


@pytest.mark.requirement("S2-13-skills")
@pytest.mark.requirement("S2-8.4.3")
async def test_every_column_comes_back_as_it_was_said(services: SkillServices, ann: Principal):
    fields = {
        "name": "custom-review",
        "description": "代码审查",
        "display_name": "Review",
        "summary": "Our way",
        "category": "code",
        "tags": ("a", "b"),
        "trigger_type": "keyword",
        "triggers": ("review code", "审查"),
        "trigger_patterns": (TriggerPattern(pattern="review", weight=2.0),),
        "tools": ("read_file", "grep"),
        "allowed_tools": ("read_file", "grep"),
        "license": "MIT",
        "compatibility": "Python 3.12",
        "version": "2.0.0",
        "always_offered": True,
    }
    made = await services.service.create(ann, None, "# Review\n", fields, SCRIPT)
    skill = made.view.skill
    assert made == await services.service.get(ann, skill.id)
    assert {name: getattr(skill, name) for name in fields if hasattr(skill, name)} == {
        name: value for name, value in fields.items() if not name.startswith("trigger")
    }
    assert skill.trigger == SkillTrigger(
        type="keyword",
        phrases=("review code", "审查"),
        patterns=(TriggerPattern(pattern="review", weight=2.0),),
    )
    assert (skill.scope, skill.is_system_skill, skill.status) == (
        SkillScope.TENANT,
        False,
        "active",
    )
    assert [(file.path, file.executable) for file in skill.files] == [("scripts/count.py", True)]
    assert await services.service.read_file(ann, skill.id, "scripts/count.py") == b"print(1)\n"
    assert made.text.startswith("---\nname: custom-review\n")
    assert made.text.endswith("# Review\n")


@pytest.mark.requirement("S2-8.4.2")
async def test_a_project_wins_over_the_tenant_and_the_tenant_over_the_system(
    installation: Installation, services: SkillServices, ann: Principal
):
    project = (await installation.people.projects.create(ann, "Sales")).project_id
    assert (await names_of(services, ann))["code-review"] is SkillScope.SYSTEM
    tenants = await services.service.create(ann, None, skill_text("code-review"), {})
    assert (await names_of(services, ann))["code-review"] is SkillScope.TENANT
    await services.service.create(ann, project, skill_text("code-review"), {})
    assert (await names_of(services, ann, project))["code-review"] is SkillScope.PROJECT
    assert (await names_of(services, ann))["code-review"] is SkillScope.TENANT
    shown = await services.service.list_skills(ann, project)
    states = {one.skill.scope: one for one in shown if one.skill.name == "code-review"}
    assert [states[scope].is_overridden for scope in SkillScope] == [True, True, False]
    with pytest.raises(ConflictError, match="in this tier"):
        await services.service.create(ann, None, skill_text("code-review"), {})
    # One that is switched off gives way.
    off = await services.service.change(ann, tenants.view.skill.id, {}, enabled=False)
    assert (off.view.is_disabled, off.view.enabled) == (True, False)
    assert (await names_of(services, ann))["code-review"] is SkillScope.SYSTEM
    # The skills of a project go with it, and their files with the next sweep.
    await installation.people.projects.delete(ann, project)
    await remove_orphans(installation.database)
    assert len(await services.service.list_versions(ann, tenants.view.skill.id)) == 1


@pytest.mark.requirement("S2-8.4.4")
@pytest.mark.requirement("S2-13-tenant_skill_configs")
@pytest.mark.requirement("S2-8.4.1")
async def test_a_tenant_disables_and_overrides_a_system_skill_for_itself_alone(
    installation: Installation, services: SkillServices, ann: Principal
):
    eve = await installation.person(await installation.tenant("u"), "eve", "admin")
    configs = services.configs
    (said,) = await configs.disable(ann, "code-review")
    assert (said.system_skill_name, said.action) == ("code-review", "disable")
    shown = await services.service.get(ann, "system.code-review")
    assert (shown.view.is_disabled, shown.view.is_overridden) == (True, False)
    assert "code-review" not in await names_of(services, ann)
    assert (await names_of(services, eve))["code-review"] is SkillScope.SYSTEM
    assert await configs.list_configs(eve) == []
    own = (await services.service.create(ann, None, skill_text("our-review"), {})).view.skill
    (said,) = await configs.override(ann, "code-review", own.id)
    assert (said.action, said.override_skill_id) == ("override", own.id)
    shown = await services.service.get(ann, "system.code-review")
    assert (shown.view.is_disabled, shown.view.is_overridden) == (False, True)
    assert shown.view.override_skill_id == own.id
    assert {"our-review"} <= (await names_of(services, ann)).keys()
    assert "code-review" not in await names_of(services, ann)
    theirs = await names_of(services, eve)
    assert theirs["code-review"] is SkillScope.SYSTEM
    assert "our-review" not in theirs
    assert await configs.list_configs(eve) == []
    shown = await services.service.get(eve, "system.code-review")
    assert (shown.view.is_disabled, shown.view.is_overridden) == (False, False)
    assert shown.view.override_skill_id is None
    with pytest.raises(NotFoundError, match="system skill 'nothing'"):
        await configs.disable(ann, "nothing")
    project = (await installation.people.projects.create(ann, "Sales")).project_id
    of_project = (await services.service.create(ann, project, skill_text("x"), {})).view.skill
    for wrong in ("missing", of_project.id):
        with pytest.raises(OverrideError):
            await configs.override(ann, "code-review", wrong)
    with pytest.raises(OverrideError):
        await configs.override(eve, "code-review", own.id)
    await services.service.delete(ann, own.id)
    (said,) = await configs.list_configs(ann)
    assert (said.action, said.override_skill_id) == ("override", None)
    assert await configs.enable(ann, "code-review") == []
    assert "code-review" in await names_of(services, ann)


async def test_every_change_is_a_version_and_only_the_last_ones_stay(
    services: SkillServices, ann: Principal
):
    made = await services.service.create(ann, None, skill_text(), {}, SCRIPT)
    skill_id = made.view.skill.id
    same = await services.service.change(ann, skill_id, {}, text=made.text)
    assert len(await services.service.list_versions(ann, skill_id)) == 1
    assert replace(same.view, updated_at=None) == replace(made.view, updated_at=None)
    await services.service.change(ann, skill_id, {"version": "1.1.0"})
    found = await services.service.list_versions(ann, skill_id)
    assert [(one.number, one.version) for one in found] == [(2, "1.1.0"), (1, "1.0.0")]
    first = await services.service.get_version(ann, skill_id, 1)
    assert (first.content, len(first.files)) == (made.text, 1)
    for number in range(VERSIONS_PER_SKILL_MAX):
        await services.service.change(ann, skill_id, {"summary": f"Number {number}"})
    found = await services.service.list_versions(ann, skill_id)
    assert len(found) == VERSIONS_PER_SKILL_MAX
    with pytest.raises(NotFoundError):
        await services.service.get_version(ann, skill_id, 2)
    # A text may be taken back, and its files with it.
    assert await services.service.read_file(ann, skill_id, "scripts/count.py") == b"print(1)\n"


async def test_changes_at_once_are_all_kept(services: SkillServices, ann: Principal):
    service = services.service
    skill_id = (await service.create(ann, None, skill_text(), {})).view.skill.id
    # Each says one field; what the others said stays.
    fields: dict[str, Any] = {
        "summary": "Short", "category": "code", "version": "1.1.0", "license": "MIT",
        "display_name": "Review", "compatibility": "Python", "tags": ("a",), "triggers": ("b",),
    }  # fmt: skip
    await asyncio.gather(
        *(service.change(ann, skill_id, {name: value}) for name, value in fields.items())
    )
    found = await service.get(ann, skill_id)
    assert (
        replace(
            found.view.skill,
            **{name: value for name, value in fields.items() if name != "triggers"},
            trigger=replace(found.view.skill.trigger, phrases=fields["triggers"]),
        )
        == found.view.skill
    )
    versions = await service.list_versions(ann, skill_id)
    assert [one.number for one in versions] == list(range(9, 0, -1))


async def test_a_text_is_read_before_the_transaction_that_others_wait_for(
    services: SkillServices, ann: Principal
):
    database = WatchedDatabase(services.service.database)
    service = replace(services.service, database=database)
    skill_id = (await service.create(ann, None, skill_text(), {})).view.skill.id
    await service.change(ann, skill_id, {"summary": "Short"})
    await service.change(ann, skill_id, {}, text=skill_text(description="Other"), files=SCRIPT)
    await service.replace(ann, None, SkillUpload(skill_text(), SCRIPT))
    assert begin_change.__name__ in database.called
    assert not {assemble_skill.__name__, make_text.__name__} & database.called


async def test_uploads_that_replace_each_other_at_once_are_one_skill(
    services: SkillServices, ann: Principal
):
    upload = SkillUpload(skill_text(), SCRIPT)
    made = await asyncio.gather(*(services.service.replace(ann, None, upload) for _ in range(6)))
    assert len({one.view.skill.id for one in made}) == 1
    assert len(await services.service.list_versions(ann, made[0].view.skill.id)) == 1


async def test_a_description_that_was_taken_with_a_warning_refuses_no_other_field(
    services: SkillServices, ann: Principal
):
    service = services.service
    made = await service.create(ann, None, skill_text(description='"a <b>"'), {})
    (warning,) = made.problems
    assert "must not contain < or >" in warning.message
    changed = await service.change(ann, made.view.skill.id, {"summary": "Short"})
    skill = changed.view.skill
    assert (skill.description, skill.summary) == ("a <b>", "Short")
    with pytest.raises(ValidationError, match="must not contain < or >"):
        await service.change(ann, made.view.skill.id, {"description": "a <c>"})


async def test_files_are_kept_once_and_counted_in_the_tenants_quota(
    installation: Installation, services: SkillServices, ann: Principal
):
    data = b"x" * 5_000
    files = {"assets/a.bin": PackedFile(data=data), "assets/b.bin": PackedFile(data=data)}
    ids = [
        (await services.service.create(ann, None, skill_text(name), {}, files)).view.skill.id
        for name in ("one", "two")
    ]
    # Each skill has its text, and both have the same bytes.
    text_bytes = len(skill_text("one").encode())
    assert await used_bytes(installation, ann.tenant_id) == 5_000 + 2 * text_bytes
    await services.service.delete(ann, ids[0])
    assert await used_bytes(installation, ann.tenant_id) == 5_000 + text_bytes
    await installation.people.tenants.change(
        operator(DEFAULT_TENANT), ann.tenant_id, limits={"workspace_quota_bytes": 6_000}
    )
    more = {"assets/a.bin": PackedFile(data=b"y" * 2_000)}
    with pytest.raises(QuotaExceededError):
        await services.service.create(ann, None, skill_text("three"), {}, more)
    assert "three" not in await names_of(services, ann)
    await services.service.delete(ann, ids[1])
    assert await used_bytes(installation, ann.tenant_id) == 0
    left = select(skill_blobs.c.sha256)
    assert await installation.database.read(lambda c: c.execute(left).all()) == []


async def test_the_texts_of_all_versions_count_in_the_tenants_quota(
    installation: Installation, services: SkillServices, ann: Principal
):
    service = services.service
    texts = [skill_text() + f"{line}\n" * 100 for line in ("one", "两")]
    skill_id = (await service.create(ann, None, texts[0], {})).view.skill.id
    await service.change(ann, skill_id, {}, text=texts[1])
    used = sum(len(text.encode()) for text in texts)
    assert await used_bytes(installation, ann.tenant_id) == used
    await installation.people.tenants.change(
        operator(DEFAULT_TENANT), ann.tenant_id, limits={"workspace_quota_bytes": used}
    )
    with pytest.raises(QuotaExceededError):
        await service.change(ann, skill_id, {}, text=texts[0])
    assert (await service.get(ann, skill_id)).text == texts[1]
    await service.delete(ann, skill_id)
    assert await used_bytes(installation, ann.tenant_id) == 0


async def test_broken_texts_are_refused_with_their_place_and_nothing_is_lost(
    services: SkillServices, ann: Principal
):
    made = await services.service.create(ann, None, skill_text(), {})
    skill_id = made.view.skill.id
    for broken in ("---\nname: [\n---\nx", "---\nname: Not A Name\ndescription: x\n---\nx"):
        with pytest.raises(InvalidRequestError) as refused:
            await services.service.change(ann, skill_id, {}, text=broken)
        assert refused.value.details is not None
        (problem,) = refused.value.details["problems"]
        assert problem["line"] >= 1
    assert await services.service.get(ann, skill_id) == made


async def test_members_read_owners_of_projects_and_admins_change_and_others_see_nothing(
    installation: Installation, services: SkillServices, ann: Principal
):
    bob = await installation.person(ann.tenant_id, "bob")
    eve = await installation.person(await installation.tenant("u"), "eve", "owner")
    project = (await installation.people.projects.create(bob, "Bob's")).project_id
    service = services.service
    shared = (await service.create(ann, None, skill_text("shared"), {}, SCRIPT)).view.skill
    own = (await service.create(bob, project, skill_text("own"), {})).view.skill
    assert (await service.get(bob, shared.id)).view.skill == shared
    with pytest.raises(DeniedError):
        await service.create(bob, None, skill_text("another"), {})
    with pytest.raises(DeniedError):
        await service.change(bob, shared.id, {"summary": "Mine"})
    with pytest.raises(DeniedError):
        await service.delete(bob, shared.id)
    with pytest.raises(DeniedError):
        await services.configs.disable(bob, "code-review")
    with pytest.raises(ConflictError, match="comes with DataAgent"):
        await service.delete(ann, "system.code-review")
    for skill in (shared, own):
        for work in (
            service.get(eve, skill.id),
            service.delete(eve, skill.id),
            service.list_versions(eve, skill.id),
            service.read_file(eve, skill.id, "scripts/count.py"),
        ):
            with pytest.raises(NotFoundError):
                await work
    assert {one.skill.scope for one in await service.list_skills(eve, None)} == {SkillScope.SYSTEM}
    assert set((await names_of(services, eve, project)).values()) == {SkillScope.SYSTEM}
    with pytest.raises(NotFoundError):
        await service.list_skills(eve, project)
