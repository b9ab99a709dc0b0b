"""Commands from `commands/*.md`: which files are read, and how arguments are filled in."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_cli.repl.commands.user_commands import (
    COMMAND_BYTES_MAX,
    COMMANDS_MAX,
    UserCommands,
    fill_in,
    load_user_commands,
)

REVIEW = """---
description: Review what changed
arguments: [TAG, "[PATH]"]
---
Review the changes since $1.
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    path = tmp_path / "home"
    (path / "commands").mkdir(parents=True)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "project" / ".dataagent" / "commands"
    path.mkdir(parents=True)
    return path


def loaded(home: Path, folder: Path, *, trusted: bool = True) -> UserCommands:
    return load_user_commands(home, folder.parents[1], trusted=trusted)


@pytest.mark.requirement("F8-6-user-commands")
def test_a_file_is_a_command_with_its_description_and_its_arguments(home: Path, folder: Path):
    (folder / "review.md").write_text(REVIEW)
    (command,) = loaded(home, folder).commands.values()
    assert (command.name, command.owner) == ("review", "project")
    assert (command.description, command.arguments) == ("Review what changed", "TAG [PATH]")
    assert command.prompt("v1.2 src") == "Review the changes since v1.2."


def test_a_file_without_front_matter_is_described_by_its_own_words(home: Path, folder: Path):
    (folder / "hi.md").write_text("\ufeffSay hello\r\nin Chinese.\r\n", encoding="utf-8")
    command = loaded(home, folder).commands["hi"]
    assert (command.description, command.body) == (
        "Say hello in Chinese.",
        "Say hello\nin Chinese.",
    )


@pytest.mark.requirement("F8-6-user-commands")
def test_a_folder_nobody_trusts_brings_no_commands_and_the_persons_own_stay(
    home: Path, folder: Path
):
    (home / "commands" / "mine.md").write_text("mine")
    (folder / "theirs.md").write_text("theirs")
    assert set(loaded(home, folder, trusted=False).commands) == {"mine"}
    assert set(loaded(home, folder).commands) == {"mine", "theirs"}


def test_a_projects_command_comes_before_the_persons_of_the_same_name(home: Path, folder: Path):
    (home / "commands" / "review.md").write_text("mine")
    (folder / "review.md").write_text("theirs")
    assert loaded(home, folder).commands["review"].body == "theirs"


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("Bad Name.md", b"x", "cannot be a command"),
        ("empty.md", b"---\ndescription: x\n---\n \n", "no prompt"),
        ("yaml.md", b"---\na: [\n---\nx", "cannot be read as YAML"),
        ("list.md", b"---\n- a\n---\nx", "names and values"),
        ("bomb.md", b"---\na: &a [x]\nb: [*a, *a]\n---\nx", "aliases"),
        ("latin.md", b"caf\xe9", "not UTF-8"),
        ("large.md", b"x" * (COMMAND_BYTES_MAX + 1), "larger than"),
    ],
)
def test_a_file_that_is_no_command_is_said_and_stops_no_other(
    home: Path, folder: Path, name: str, data: bytes, told: str
):
    (folder / name).write_bytes(data)
    (folder / "good.md").write_text("good")
    found = loaded(home, folder)
    assert set(found.commands) == {"good"}
    (problem,) = found.problems
    assert told in problem


def test_a_link_out_of_the_project_is_not_read(home: Path, folder: Path, tmp_path: Path):
    (tmp_path / "secret.md").write_text("secret")
    (folder / "leak.md").symlink_to(tmp_path / "secret.md")
    (folder / "loop.md").symlink_to(folder / "loop.md")
    (folder / "dir.md").mkdir()
    found = loaded(home, folder)
    assert found.commands == {}
    assert len(found.problems) == 3


def test_no_more_than_so_many_are_read(home: Path, folder: Path):
    for number in range(COMMANDS_MAX + 5):
        (folder / f"c{number:03}.md").write_text("x")
    assert len(loaded(home, folder).commands) == COMMANDS_MAX


@pytest.mark.requirement("F8-6-user-commands")
@pytest.mark.parametrize(
    ("body", "arguments", "prompt"),
    [
        ("Since $1 in $2.", "v1 'my file'", "Since v1 in my file."),
        ("Since $1 in $2.", "v1", "Since v1 in ."),
        ("All: $ARGUMENTS", " a  b ", "All: a  b"),
        ("It's $1", "don't panic", "It's don't"),
        ("Twice: $1 $1", "$1", "Twice: $1 $1"),
        ("Costs $10 or $1x", "a", "Costs $10 or $1x\n\na"),
        ("Nothing to fill in.", "", "Nothing to fill in."),
        ("Nothing to fill in.", "but words", "Nothing to fill in.\n\nbut words"),
    ],
)
def test_arguments_are_put_in_their_places(body: str, arguments: str, prompt: str):
    assert fill_in(body, arguments) == prompt


@given(st.text(), st.text())
def test_whatever_is_typed_something_is_filled_in_and_nothing_twice(body: str, arguments: str):
    filled = fill_in(body.replace("$", "") + "$ARGUMENTS", arguments)
    assert filled == body.replace("$", "") + arguments.strip()
