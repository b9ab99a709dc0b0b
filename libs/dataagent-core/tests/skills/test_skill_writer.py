"""Skills are made, installed and removed as a whole."""

import errno
import zipfile
from pathlib import Path

import pytest
from skills_ref import validate

from dataagent_core.errors import ConflictError, DirectoryError, NotFoundError, ValidationError
from dataagent_core.skills import SkillScope, load_folder, load_skill
from dataagent_core.skills.skill_writer import install_skill, new_skill, remove_skill


def names(tier: Path) -> list[str]:
    return sorted(path.name for path in tier.iterdir())


def write_skill(folder: Path, body: str = "Do it.") -> Path:
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(f"---\nname: {folder.name}\ndescription: d\n---\n{body}\n")
    (folder / "scripts").mkdir()
    (folder / "scripts/run.sh").write_text("echo")
    (folder / "scripts/run.sh").chmod(0o755)
    return folder


def test_a_new_skill_is_valid_as_it_is(tmp_path: Path):
    skill = new_skill(tmp_path / "tier", "monthly-report", scope=SkillScope.PROJECT)
    assert skill.scope is SkillScope.PROJECT
    assert skill.folder is not None
    assert validate(skill.folder) == []
    assert load_skill(skill.folder).problems == ()
    with pytest.raises(ConflictError, match="already a skill 'monthly-report'"):
        new_skill(tmp_path / "tier", "monthly-report")
    with pytest.raises(ValidationError, match="not one of a skill"):
        new_skill(tmp_path / "tier", "../out")


def test_a_folder_a_zip_file_and_a_skill_md_are_installed_with_all_files(tmp_path: Path):
    source = write_skill(tmp_path / "made/a")
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for path in sorted(source.rglob("*")):
            archive.write(path, f"a/{path.relative_to(source)}")
    (tmp_path / "away").mkdir()
    (tmp_path / "away/SKILL.md").write_bytes((source / "SKILL.md").read_bytes())
    by_folder = install_skill(source, tmp_path / "one")
    by_zip = install_skill(tmp_path / "a.zip", tmp_path / "two")
    by_file = install_skill(tmp_path / "away/SKILL.md", tmp_path / "three")
    assert by_folder.digest == by_zip.digest != by_file.digest
    assert by_zip.folder == tmp_path / "two/a"
    assert (tmp_path / "two/a/scripts/run.sh").stat().st_mode & 0o111
    assert names(tmp_path / "one") == ["a"]


def test_a_skill_that_is_there_is_replaced_only_when_asked(tmp_path: Path):
    tier = tmp_path / "tier"
    install_skill(write_skill(tmp_path / "old/a", "Old."), tier)
    newer = write_skill(tmp_path / "new/a", "New.")
    with pytest.raises(ConflictError, match="--replace"):
        install_skill(newer, tier)
    install_skill(newer, tier, replace=True)
    assert [one.content for one in load_folder(tier, SkillScope.TENANT).skills] == ["New."]
    assert names(tier) == ["a"]


def test_a_replacement_that_fails_leaves_the_skill_that_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    tier = tmp_path / "tier"
    install_skill(write_skill(tmp_path / "old/a", "Old."), tier)
    rename, failed = Path.rename, list[Path]()

    def fail_once(self: Path, target: Path) -> Path:
        if target == tier / "a" and not failed:
            failed.append(self)
            raise OSError(errno.ENOSPC, "No space left on device")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fail_once)
    with pytest.raises(DirectoryError, match="No space left"):
        install_skill(write_skill(tmp_path / "new/a", "New."), tier, replace=True)
    assert [one.content for one in load_folder(tier, SkillScope.TENANT).skills] == ["Old."]
    assert names(tier) == ["a"]


def test_what_is_wrong_is_said_and_nothing_is_left_behind(tmp_path: Path):
    tier = tmp_path / "tier"
    tier.mkdir()
    wrong = write_skill(tmp_path / "made/a")
    (wrong / "SKILL.md").write_text("---\nname: b\ndescription: d\n---\nc")
    with pytest.raises(ValidationError, match="Rename the folder"):
        install_skill(wrong, tier)
    (wrong / "SKILL.md").write_text("---\nname: a\ndescription: [d\n---\nc")
    with pytest.raises(ValidationError, match=r"line 3, column 16: SKILL\.md cannot be read"):
        install_skill(wrong, tier)
    leak = write_skill(tmp_path / "made/leak")
    (leak / "x").symlink_to("/etc/passwd")
    with pytest.raises(ValidationError, match="leads out"):
        install_skill(leak, tier)
    with pytest.raises(ValidationError, match="neither"):
        install_skill(leak / "scripts/run.sh", tier)
    with pytest.raises(NotFoundError, match="No such file"):
        install_skill(tmp_path / "absent", tier)
    assert names(tier) == []


@pytest.mark.parametrize(
    "top",
    [
        "",
        "a/",
        "a-main/",
        "a-master/",
        "a-2/",
        "a-v1.20.0/",
        "a-1.0.0-rc.1/",
        f"a-{'0f' * 20}/",
        "A/",
        "a (1)/",
        "a-develop/",
        "a-a1b2c3d/",
        "a-release-2.0/",
        "a_2/",
    ],
)
def test_a_zip_file_may_be_the_archive_of_a_repository(tmp_path: Path, top: str):
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr(f"{top}SKILL.md", "---\nname: a\ndescription: d\n---\nc\n")
    assert install_skill(tmp_path / "x.zip", tmp_path / "tier").name == "a"


@pytest.mark.parametrize("top", ["b", "b-main", "a-", "a-mains", "a-v", "a-b-main", "main"])
def test_a_zip_file_whose_folder_has_another_name_is_refused_with_both(tmp_path: Path, top: str):
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr(f"{top}/SKILL.md", "---\nname: a\ndescription: d\n---\nc\n")
    said = f"The folder is called '{top}' and the skill 'a'. Rename the folder"
    with pytest.raises(ValidationError, match=said):
        install_skill(tmp_path / "x.zip", tmp_path / "tier")
    assert not (tmp_path / "tier").exists()


def test_a_skill_is_removed_with_its_files_and_a_link_only_itself(tmp_path: Path):
    tier = tmp_path / "tier"
    install_skill(write_skill(tmp_path / "made/a"), tier)
    (tier / "linked").symlink_to(tmp_path / "made/a")
    remove_skill(tier, "a")
    remove_skill(tier, "linked")
    assert names(tier) == []
    assert (tmp_path / "made/a/SKILL.md").exists()
    for name in ("a", "../made", "."):
        with pytest.raises(NotFoundError, match="no skill"):
            remove_skill(tier, name)
