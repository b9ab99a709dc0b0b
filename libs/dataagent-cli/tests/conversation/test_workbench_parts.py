"""Lists the files of a workspace, and stores a picture in it."""

from pathlib import Path

import pytest

from dataagent_cli.conversation import file_names as walking
from dataagent_cli.conversation.attachments import attach
from dataagent_cli.conversation.file_names import names_beneath
from dataagent_core.errors import DataAgentError, ValidationError


def test_files_near_the_top_come_first_and_folders_of_programs_are_left_out(tmp_path: Path):
    for name in ("b.txt", "sub/a.txt", ".git/config", "sub/node_modules/x.js", "bad\x1b[2Jname"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "loop").symlink_to(tmp_path)
    assert names_beneath(tmp_path) == ["b.txt", "loop", "sub/a.txt"]


def test_a_look_ends_whatever_the_directory_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(walking, "NAMES_MAX", 3)
    for number in range(9):
        (tmp_path / str(number)).touch()
    assert names_beneath(tmp_path) == ["0", "1", "2"]
    assert names_beneath(tmp_path / "nowhere") == []


def test_a_picture_from_elsewhere_is_copied_in_under_a_name_of_its_own(tmp_path: Path):
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (tmp_path / "a.png").write_bytes(b"one")
    first = attach(str(tmp_path / "a.png"), workspace)
    (tmp_path / "a.png").write_bytes(b"two")
    second = attach(str(tmp_path / "a.png"), workspace)
    assert first != second
    assert (workspace / first).read_bytes() == b"one"
    assert attach(second, workspace) == second


def test_a_picture_too_large_or_a_way_out_of_the_workspace_is_refused(tmp_path: Path):
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    large = tmp_path / "large.png"
    with large.open("wb") as file:
        file.truncate(20_000_001)
    with pytest.raises(ValidationError, match="Make it smaller"):
        attach(str(large), workspace)
    (tmp_path / "outside").mkdir()
    (workspace / "uploads").symlink_to(tmp_path / "outside")
    (tmp_path / "a.png").write_bytes(b"x")
    with pytest.raises(DataAgentError):
        attach(str(tmp_path / "a.png"), workspace)
    assert not list((tmp_path / "outside").iterdir())
