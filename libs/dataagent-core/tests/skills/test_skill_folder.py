"""Folders of skills: what is read, what is refused, and what is not read again."""

import os
import time
from pathlib import Path

import pytest

from dataagent_core.config.limits.skills import SKILL_FILES_DEEP_MAX, SKILL_FILES_MAX
from dataagent_core.skills import FolderSkills, SkillScope, load_folder, load_skill
from dataagent_core.skills.skill_folder import FolderTier, read_inside


def write_skill(folder: Path, name: str | None = None, body: str = "Do it.", **files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    text = f"---\nname: {name or folder.name}\ndescription: What and when.\n---\n\n{body}\n"
    (folder / "SKILL.md").write_text(text)
    for path, content in files.items():
        place = folder / path.replace("__", "/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content)
    return folder


@pytest.mark.requirement("S2-D.2")
def test_a_folder_is_a_skill_with_its_scripts_references_and_assets(tmp_path: Path):
    folder = write_skill(
        tmp_path / "a",
        body="See [b](references/b.md) and [c](references/c.md).",
        **{"scripts__run.py": "print()", "references__b.md": "text", ".git__x": "no"},
    )
    (folder / "scripts/run.py").chmod(0o755)
    read = load_skill(folder, SkillScope.PROJECT)
    assert read.is_usable
    assert read.skill is not None
    assert [(file.path, file.size_bytes, file.executable) for file in read.skill.files] == [
        ("references/b.md", 4, False),
        ("scripts/run.py", 7, True),
    ]
    assert read.skill.folder == folder
    assert read.skill.path == "/skills/project/a"
    assert [problem.message for problem in read.problems] == [
        "The text refers to 'references/c.md', which is not in the folder."
    ]
    before = read.skill.digest
    (folder / "references/b.md").write_text("Text")
    after = load_skill(folder).skill
    assert after is not None
    assert len(before) == 64
    assert after.digest != before


def test_a_skill_that_cannot_be_used_is_named_and_the_others_are_there(tmp_path: Path):
    write_skill(tmp_path / "good")
    write_skill(tmp_path / "moved", "other-name")
    write_skill(tmp_path / "broken")
    (tmp_path / "broken/SKILL.md").write_text("---\nname: [a\n---\n")
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.md").write_text("not a skill")
    found = load_folder(tmp_path, SkillScope.TENANT)
    assert [skill.name for skill in found.skills] == ["good"]
    assert {(one.name, one.path, one.line, one.is_warning) for one in found.problems} == {
        ("moved", "SKILL.md", 2, False),
        ("broken", "SKILL.md", 2, False),
        ("empty", "", None, False),
    }


def test_two_skills_of_one_name_in_one_tier_are_a_problem(tmp_path: Path):
    write_skill(tmp_path / "a")
    write_skill(tmp_path / "b", "a")
    found = load_folder(tmp_path, SkillScope.TENANT)
    assert [skill.folder for skill in found.skills] == [tmp_path / "a"]
    assert "The folders 'a', 'b' all call their skill 'a'." in found.problems[0].message
    assert found.problems[0].folder == tmp_path
    assert "Rename the folder" in found.problems[1].message


def test_links_that_lead_out_of_the_folder_are_refused(tmp_path: Path):
    secret = tmp_path / "secret.txt"
    secret.write_text("s")
    folder = write_skill(tmp_path / "skills/a")
    (folder / "leak.txt").symlink_to(secret)
    read = load_skill(folder)
    assert not read.is_usable
    assert "'leak.txt' is a link that leads out" in read.problems[0].message
    (folder / "leak.txt").unlink()
    (folder / "same.md").symlink_to("SKILL.md")
    read = load_skill(folder)
    assert read.is_usable
    assert read.problems[0].is_warning
    outside = write_skill(tmp_path / "elsewhere/b")
    (tmp_path / "skills/b").symlink_to(outside)
    found = load_folder(tmp_path / "skills", SkillScope.TENANT)
    assert [one.name for one in found.skills] == ["a"]
    assert "'b' is a link, and the folder of a skill must be there" in found.problems[-1].message


def test_a_file_that_became_a_link_after_the_listing_is_not_read(tmp_path: Path):
    folder = write_skill(tmp_path / "a", references__b="text")
    (tmp_path / "secret").write_text("s")
    (folder / "references/b").unlink()
    (folder / "references/b").symlink_to(tmp_path / "secret")
    with pytest.raises(OSError, match="symbolic links"):
        read_inside(folder, "references/b")


def test_what_changed_just_now_is_read_again_although_its_time_is_the_same(tmp_path: Path):
    folder = write_skill(tmp_path / "a")
    now_ns = (folder / "SKILL.md").stat().st_ctime_ns
    tier = FolderTier(tmp_path, SkillScope.TENANT, clock_ns=lambda: now_ns)
    assert tier.load().skills[0] is not tier.load().skills[0]


def test_what_is_too_much_deep_or_no_file_is_refused(tmp_path: Path):
    many = write_skill(tmp_path / "many")
    for number in range(SKILL_FILES_MAX):
        (many / f"{number}.txt").touch()
    deep = write_skill(tmp_path / "deep")
    below = deep.joinpath(*["d"] * (SKILL_FILES_DEEP_MAX + 1))
    below.mkdir(parents=True)
    (below / "x").touch()
    large = write_skill(tmp_path / "large")
    with (large / "x.bin").open("wb") as file:
        file.truncate(10_000_001)
    fifo = write_skill(tmp_path / "fifo")
    os.mkfifo(fifo / "pipe")
    found = load_folder(tmp_path, SkillScope.TENANT)
    assert [skill.name for skill in found.skills] == ["fifo"]
    assert [skill.files for skill in found.skills] == [()]
    wrong = {problem.name: problem.message for problem in found.problems}
    assert wrong.keys() == {"many", "deep", "large"}
    assert "501 files" in wrong["many"]
    assert "8 folders deep" in wrong["deep"]
    assert "10,000,001 bytes" in wrong["large"]


async def test_the_terminals_three_folders_are_the_three_tiers(tmp_path: Path):
    homes = {scope: tmp_path / scope for scope in SkillScope}
    write_skill(homes[SkillScope.SYSTEM] / "a")
    write_skill(homes[SkillScope.SYSTEM] / "b")
    write_skill(homes[SkillScope.TENANT] / "b")
    source = FolderSkills(homes)
    first = await source.load()
    assert [(skill.name, skill.scope) for skill in first.skills] == [
        ("a", SkillScope.SYSTEM),
        ("b", SkillScope.TENANT),
    ]
    assert (await source.load()).digest == first.digest
    write_skill(homes[SkillScope.PROJECT] / "a")
    second = await source.load()
    assert [str(skill.scope) for skill in second.skills] == ["project", "tenant"]
    assert second.digest != first.digest


def test_only_folders_that_changed_are_read_again(tmp_path: Path):
    for name in ("a", "b"):
        write_skill(tmp_path / name, **{"references__x.md": "1"})
    # A second later, when a time stamp can be trusted.
    tier = FolderTier(tmp_path, SkillScope.TENANT, clock_ns=lambda: time.time_ns() + 1_000_000_000)
    first = tier.load()
    again = tier.load()
    assert all(one is two for one, two in zip(first.skills, again.skills, strict=True))
    (tmp_path / "a/references/x.md").write_text("2")
    changed = tier.load()
    assert changed.skills[0] is not first.skills[0]
    assert changed.skills[0].digest != first.skills[0].digest
    assert changed.skills[1] is first.skills[1]
    (tmp_path / "b/SKILL.md").unlink()
    assert [skill.name for skill in tier.load().skills] == ["a"]


def test_a_file_name_that_is_no_text_costs_its_skill_and_no_other(tmp_path: Path):
    odd = write_skill(tmp_path / "odd")
    (odd / os.fsdecode(b"\xff.md")).write_text("x")
    write_skill(tmp_path / "plain")
    found = load_folder(tmp_path, SkillScope.PROJECT)
    assert [skill.name for skill in found.skills] == ["plain"]
    assert [problem.name for problem in found.problems] == ["odd"]


def test_a_project_brings_no_link_to_skills_of_somebody_else(tmp_path: Path):
    write_skill(tmp_path / "of-a-person" / "private")
    (tmp_path / "project" / ".dataagent").mkdir(parents=True)
    linked = tmp_path / "project" / ".dataagent" / "skills"
    linked.symlink_to(tmp_path / "of-a-person")
    found = load_folder(linked, SkillScope.PROJECT)
    assert found.skills == ()
    assert "leads out of the project" in found.problems[0].message
