"""The sets that agents get: current in every process, and unchanged for a run that has begun."""

import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from installation import Installation
from skill_texts import skill_text

from dataagent_core.skills import SkillScope
from dataagent_core.skills.skill_package import PackedFile
from dataagent_server.agents.skills.limits import SET_FOLDERS_KEPT
from dataagent_server.agents.skills.skill_services import SkillServices
from dataagent_server.agents.skills.system_skills import SystemSkills
from dataagent_server.identity.auth.principal import Principal

SCRIPT = {"scripts/count.py": PackedFile(data=b"print(1)\n", executable=True)}


@pytest.fixture
async def ann(installation: Installation) -> Principal:
    return await installation.person(await installation.tenant("t"), "ann", "admin")


@pytest.mark.every_database
@pytest.mark.requirement("S2-16.4-4.2-caches")
async def test_a_change_in_one_process_is_seen_by_the_next_run_and_match_of_another(
    services: SkillServices, other_process: SkillServices, ann: Principal
):
    before = await other_process.sets.skills_for(ann.tenant_id, None)
    assert await other_process.sets.skills_for(ann.tenant_id, None) is before
    made = await services.service.create(
        ann, None, skill_text(), {"triggers": ("zebra crossing",)}, SCRIPT
    )
    after = await other_process.sets.skills_for(ann.tenant_id, None)
    assert after != before
    assert after.skill_set.find("custom-review") is not None
    matched = await other_process.match(ann, None, "paint a zebra crossing", 5)
    assert matched[0].skill.id == made.view.skill.id
    await services.service.change(ann, made.view.skill.id, {}, enabled=False)
    assert await other_process.match(ann, None, "paint a zebra crossing", 5) == []
    await services.configs.disable(ann, "code-review")
    third = await other_process.sets.skills_for(ann.tenant_id, None)
    assert third.skill_set.find("code-review") is None


async def test_a_run_keeps_the_files_of_a_skill_that_is_deleted(
    services: SkillServices, ann: Principal, tmp_path: Path
):
    made = await services.service.create(ann, None, skill_text(), {}, SCRIPT)
    used = await services.sets.skills_for(ann.tenant_id, None)
    skill = used.skill_set.find("custom-review")
    assert skill is not None
    assert skill.folder is not None
    assert used.folders[SkillScope.TENANT] == skill.folder.parent
    script = skill.folder / "scripts/count.py"
    # Commands run as another user.
    assert stat.S_IMODE(script.stat().st_mode) == 0o755
    assert stat.S_IMODE((skill.folder / "SKILL.md").stat().st_mode) == 0o644
    above = [script.parent, skill.folder, skill.folder.parent, tmp_path / "sets"]
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in above} == {0o755}
    folders = services.sets.folders
    with services.sets.hold(used):
        await services.service.delete(ann, made.view.skill.id)
        assert await services.sets.skills_for(ann.tenant_id, None) != used
        os.utime(skill.folder.parent.parent, (0, 0))
        folders.sweep()
        assert script.read_bytes() == b"print(1)\n"
    folders.sweep()
    assert script.exists()
    long_after_s = script.stat().st_mtime + 2 * SET_FOLDERS_KEPT.total_seconds()
    folders.clock = lambda: long_after_s
    folders.sweep()
    assert list((tmp_path / "sets").iterdir()) == []


async def test_two_tenants_with_the_same_skill_are_each_told_their_own(
    services: SkillServices, installation: Installation, ann: Principal
):
    bob = await installation.person(await installation.tenant("other"), "bob", "admin")
    for person in (ann, bob):
        made = await services.service.create(
            person, None, skill_text(), {"triggers": ("zebra crossing",)}
        )
        matched = await services.match(person, None, "paint a zebra crossing", 5)
        assert matched[0].skill.id == made.view.skill.id
        assert matched[0].skill.tenant_id == person.tenant_id


async def test_a_match_writes_no_files(services: SkillServices, ann: Principal, tmp_path: Path):
    await services.service.create(ann, None, skill_text(), {"triggers": ("zebra",)}, SCRIPT)
    assert await services.match(ann, None, "paint a zebra", 5)
    assert not (tmp_path / "sets").exists()


async def test_a_skill_whose_tools_agents_lack_matches_nothing(
    services: SkillServices, ann: Principal
):
    fields = {"triggers": ("zebra crossing",), "requires_tools": ("shell",)}
    await services.service.create(ann, None, skill_text("zebra"), fields)
    named = [one.skill.name for one in await services.match(ann, None, "paint a zebra crossing", 5)]
    assert named == ["zebra"]
    without = replace(ann, features_off=frozenset({"code_execution"}))
    assert await services.match(without, None, "paint a zebra crossing", 5) == []
    far = {"triggers": ("paint a unicorn",), "requires_tools": ("teleport",)}
    await services.service.create(ann, None, skill_text("unicorn"), far)
    assert await services.match(ann, None, "paint a unicorn", 5) == []
    # Memory's tools are there.
    queried = [one.skill.name for one in await services.match(ann, None, "Write a Cypher query", 5)]
    assert "memory-graph-querying" in queried


async def test_system_skills_are_read_again_after_a_problem(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    folder = tmp_path / "system" / "zebra"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(skill_text("other"))
    now = [0.0]
    system = SystemSkills(tmp_path / "system", clock=lambda: now[0])
    assert await system.load() == ()
    now[0] = 100.0
    assert await system.load() == ()
    (folder / "SKILL.md").write_text(skill_text("zebra"))
    assert await system.load() == ()
    now[0] = 200.0
    # Said once, however often it was read.
    assert caplog.text.count("the system skill 'zebra' cannot be used") == 1
    assert [one.id for one in await system.load()] == ["system.zebra"]
    (folder / "SKILL.md").unlink()
    assert [one.id for one in await system.load()] == ["system.zebra"]


async def test_one_content_is_one_folder_and_a_swept_one_is_written_again(
    services: SkillServices, other_process: SkillServices, ann: Principal, tmp_path: Path
):
    await services.service.create(ann, None, skill_text(), {}, SCRIPT)
    one = await services.sets.skills_for(ann.tenant_id, None)
    two = await other_process.sets.skills_for(ann.tenant_id, None)
    assert one == two
    (folder,) = (tmp_path / "sets").iterdir()
    folder.rename(tmp_path / "elsewhere")
    assert await services.sets.skills_for(ann.tenant_id, None) == one
    assert folder.is_dir()
