"""The files of an upload: what a folder on disk could not hold is refused before it is stored."""

import pytest
from skill_texts import skill_text, skill_zip

from dataagent_core.errors import ValidationError
from dataagent_server.agents.skills.form_files import SkillFolder, pack_files

TEXT = skill_text("a").encode()
SKILL = ("a/SKILL.md", TEXT)


@pytest.mark.parametrize(
    ("paths", "said"),
    [
        (("a/b", "a/b/c"), "Rename"),
        (("a/SKILL.md/x",), "Rename"),
        (("a/" + "x" * 300,), "Rename"),
        (("a/b\n",), "Rename"),
        (("a//b",), "Rename"),
        (("a/../../b",), "leads out"),
        (("a\\..\\..\\b",), "leads out"),
        (("/a/b",), "leads out"),
        (("a/b", "a\\b"), "twice"),
    ],
)
def test_paths_that_no_folder_can_hold_are_refused(paths: tuple[str, ...], said: str):
    with pytest.raises(ValidationError, match=said):
        pack_files([SKILL, *((path, b"x") for path in paths)])


def test_hidden_files_and_caches_are_left_out():
    junk = (".env", ".git/config", "scripts/__pycache__/x.pyc", "references/.DS_Store")
    sent = [SKILL, ("a/scripts/x.py", b"x"), *((f"a/{path}", b"x") for path in junk)]
    assert list(pack_files(sent).files) == ["scripts/x.py"]
    beside = [(path.removeprefix("a/"), data) for path, data in sent]
    assert list(pack_files(beside).files) == ["scripts/x.py"]


@pytest.mark.parametrize(
    ("files", "folder"),
    [
        ([("SKILL.md", TEXT)], None),
        ([("whatever.txt", TEXT)], None),
        ([("notes/whatever.txt", TEXT)], None),
        ([("x/a/SKILL.md", TEXT)], SkillFolder("a")),
        ([("a\\skill.md", TEXT)], SkillFolder("a")),
        ([SKILL, ("a/b", b"")], SkillFolder("a")),
        ([("SKILL.md", TEXT), ("b", b"")], None),
        ([("x.zip", skill_zip("a"))], SkillFolder("a", is_archive=True)),
    ],
)
def test_the_folder_is_the_one_that_held_skill_md(
    files: list[tuple[str, bytes]], folder: SkillFolder | None
):
    found = pack_files(files)
    assert (found.text, found.folder) == (skill_text("a"), folder)
