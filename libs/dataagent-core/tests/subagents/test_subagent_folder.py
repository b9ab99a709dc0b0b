"""The sub-agents of a terminal: three places, and files that are broken."""

import os
from pathlib import Path

from dataagent_core.subagents.built_in_subagents import built_in_subagents
from dataagent_core.subagents.subagent_folder import load_subagents


def write(folder: Path, name: str, description: str = "d", **more: str) -> Path:
    folder.mkdir(exist_ok=True)
    fields = "".join(f"{key}: {value}\n" for key, value in more.items())
    path = folder / f"{name}.md"
    path.write_text(f"---\nname: {name}\ndescription: {description}\n{fields}---\nprompt")
    return path


def test_a_project_wins_over_a_person_and_a_person_over_what_is_built_in(tmp_path: Path):
    project, person = tmp_path / "project", tmp_path / "person"
    write(person, "coder-agent", "mine")
    write(person, "writer", "mine")
    write(project, "writer", "ours")
    found = load_subagents(project, person, built_in_subagents())
    descriptions = {one.name: one.trigger.description for one in found.subagents}
    assert (descriptions["coder-agent"], descriptions["writer"]) == ("mine", "ours")
    overridden = [(one.subagent.name, one.origin) for one in found.listed if one.is_overridden]
    assert overridden == [("writer", "person"), ("coder-agent", "built-in")]
    writer = found.find("writer")
    assert writer is not None
    assert (writer.origin, writer.path) == ("project", project / "writer.md")


def test_a_broken_file_is_a_problem_and_the_others_still_load(tmp_path: Path):
    write(tmp_path, "good")
    write(tmp_path, "odd", hooks="[x]")
    (tmp_path / "zgood.md").write_text("---\nname: good\ndescription: d\n---\np")
    (tmp_path / "broken.md").write_text("---\nname: broken\ntools: [a\n---\np")
    (tmp_path / "bytes.md").write_bytes(b"---\nname: x\xff\n---\np")
    (tmp_path / "out.md").symlink_to("/etc/hostname")
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "notes.txt").write_text("not a sub-agent")
    found = load_subagents(tmp_path, None, ())
    assert [one.name for one in found.subagents] == ["good", "odd"]
    problems = {Path(one.path).name: one for one in found.problems}
    assert problems.keys() == {"broken.md", "bytes.md", "odd.md", "out.md", "pipe.md", "zgood.md"}
    assert (problems["broken.md"].line, problems["broken.md"].column) == (3, 10)
    assert problems["odd.md"].is_warning
    assert "another name" in problems["zgood.md"].message
    assert "leads out" in problems["out.md"].message


def test_a_file_that_changes_is_read_again(tmp_path: Path):
    path = write(tmp_path, "a", "one")
    first = load_subagents(tmp_path, None, ()).subagents[0]
    assert load_subagents(tmp_path, None, ()).subagents[0] is first
    # One that could not be read may be readable now.
    path.chmod(0o600)
    assert load_subagents(tmp_path, None, ()).subagents[0] is not first
    write(tmp_path, "a", "two")
    os.utime(path, ns=(1, 1))
    assert load_subagents(tmp_path, None, ()).subagents[0].trigger.description == "two"


def test_folders_that_are_not_there_hold_nothing(tmp_path: Path):
    assert load_subagents(tmp_path / "no", None, ()).listed == ()


def test_a_project_brings_no_link_to_files_of_somebody_else(tmp_path: Path):
    write(tmp_path / "of-a-person", "private")
    (tmp_path / "project" / ".dataagent").mkdir(parents=True)
    linked = tmp_path / "project" / ".dataagent" / "agents"
    linked.symlink_to(tmp_path / "of-a-person")
    found = load_subagents(linked, None, ())
    assert found.listed == ()
    assert "leads out of the project" in found.problems[0].message
