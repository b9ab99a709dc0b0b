"""Where each person's files live."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.errors import DirectoryError, ValidationError
from dataagent_core.sandbox.workspaces import UserWorkspaceManager


@pytest.mark.parametrize(
    "user_id", ["", ".", "..", "/etc", "a/../b", "../../../etc", "a\0", "a b", "x" * 65, "a/"]
)
def test_an_id_that_could_be_a_path_is_refused(tmp_path: Path, user_id: str):
    manager = UserWorkspaceManager(tmp_path / "all")
    for use in (
        manager.get_user_workspace,
        manager.ensure_user_workspace,
        manager.get_workspace_usage,
        manager.cleanup_workspace,
    ):
        with pytest.raises(ValidationError, match="user id"):
            use(user_id)


@given(st.lists(st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", fullmatch=True), unique=True))
def test_two_people_never_share_a_directory_and_none_is_outside(names: list[str]):
    manager = UserWorkspaceManager(Path("/all"))
    found = [manager.get_user_workspace(name) for name in names]
    assert len(set(found)) == len(names)
    assert all(path.parent == Path("/all") for path in found)


def test_usage_counts_each_file_once_and_follows_no_link(tmp_path: Path):
    manager = UserWorkspaceManager(tmp_path / "all", default_quota_bytes=10)
    assert manager.get_workspace_usage("alice") == 0
    workspace = manager.ensure_user_workspace("alice")
    (tmp_path / "large").write_bytes(b"x" * 1000)
    (workspace / "files/a").write_bytes(b"12345")
    os.link(workspace / "files/a", workspace / "files/b")
    (workspace / "files/out").symlink_to(tmp_path)
    links = len(str((workspace / "files/out").readlink()))
    assert manager.get_workspace_usage("alice") == 5 + links
    assert not manager.check_quota("alice", 5)


def test_a_path_is_valid_only_inside_its_own_workspace(tmp_path: Path):
    manager = UserWorkspaceManager(tmp_path / "all")
    workspace = manager.ensure_user_workspace("alice")
    (workspace / "files/out").symlink_to(tmp_path)
    assert manager.validate_path("alice", workspace / "files/new.txt")
    assert manager.validate_path("alice", workspace / "files")
    for path in (tmp_path, workspace / "../x", workspace / "files/out/x", Path("/etc")):
        assert not manager.validate_path("alice", path)
    assert not manager.validate_path("bob", workspace / "files")


def test_a_root_that_cannot_be_made_is_a_clear_error(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(DirectoryError, match="WORKSPACE_BASE_PATH"):
        UserWorkspaceManager(tmp_path / "file").ensure_user_workspace("alice")
