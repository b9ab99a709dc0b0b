"""Workspaces that earlier versions of the library made elsewhere are found in their new place."""

import hashlib
from pathlib import Path

import pytest

from dataagent_core.sandbox.files_backend import SandboxedFilesystemBackend
from dataagent_core.sandbox.workspaces import UserWorkspaceManager
from dataagent_core.sandbox.workspaces.derived import derive_workspace_id


def managed(user_id: str) -> str:
    """The name the earlier `UserWorkspaceManager` gave a directory."""
    return f"u-{hashlib.sha256(user_id.encode()).hexdigest()[:32]}"


def earlier(base: Path, place: str, text: str = "kept") -> Path:
    folder = base / place
    folder.mkdir(parents=True)
    (folder / "a.txt").write_text(text)
    return folder


def files_of(base: Path, user_id: str, tenant_id: str | None = None) -> SandboxedFilesystemBackend:
    return SandboxedFilesystemBackend(user_id, UserWorkspaceManager(base, tenant_id=tenant_id))


@pytest.mark.parametrize(
    ("place", "user_id", "tenant_id"),
    [
        ("acme/ann", "ann", "acme"),
        ("ann", "ann", None),
        ("0" * 32, "0" * 32, None),
        (managed("ann"), "ann", None),
    ],
)
async def test_a_workspace_in_an_earlier_place_is_moved_with_its_files(
    tmp_path: Path, place: str, user_id: str, tenant_id: str | None
):
    folder = earlier(tmp_path, place)
    manager = UserWorkspaceManager(tmp_path, tenant_id=tenant_id)
    assert manager.get_workspace_usage(user_id) == 4
    assert await files_of(tmp_path, user_id, tenant_id).read_file("/a.txt") == "kept"
    assert not folder.exists()
    manager.cleanup_workspace(user_id)
    assert list(tmp_path.rglob("a.txt")) == []


async def test_of_two_earlier_places_the_second_is_found_below_files(tmp_path: Path):
    earlier(tmp_path, managed("ann"), "first")
    earlier(tmp_path, "ann", "second")
    files = files_of(tmp_path, "ann")
    assert await files.read_file("/a.txt") == "first"
    (match,) = files.glob("earlier-*/a.txt", "/files").matches or []
    assert await files.read_file(match["path"]) == "second"


@pytest.mark.parametrize("name", ["reports", "acme"])
async def test_a_directory_that_came_later_is_nobodys_earlier_workspace(tmp_path: Path, name: str):
    files_of(tmp_path, "ann")
    later = earlier(tmp_path, name)
    earlier(later, "bob")
    for user_id, tenant_id in ((name, None), ("bob", name)):
        with pytest.raises(FileNotFoundError):
            await files_of(tmp_path, user_id, tenant_id).read_file("/a.txt")
    assert (later / "bob/a.txt").exists()


async def test_nobody_gets_anothers_workspace_by_calling_themselves_its_directory(tmp_path: Path):
    # Both are there when the base is first used, as on a server or after an upgrade.
    present = earlier(tmp_path, derive_workspace_id(None, "ann"))
    for folder in (present, earlier(tmp_path, managed("bob"))):
        earlier(folder, "files")
    for name in (present.name, managed("bob")):
        for user_id, tenant_id in ((name, None), ("files", name)):
            with pytest.raises(FileNotFoundError):
                await files_of(tmp_path, user_id, tenant_id).read_file("/a.txt")
    for user_id in ("ann", "bob"):
        assert await files_of(tmp_path, user_id).read_file("/files/a.txt") == "kept"


def test_a_link_is_not_taken_for_a_workspace(tmp_path: Path):
    outside = earlier(tmp_path, "outside")
    base = tmp_path / "all"
    base.mkdir()
    (base / "ann").symlink_to(outside)
    files_of(base, "ann")
    assert (outside / "a.txt").exists()
    assert (base / "ann").is_symlink()
