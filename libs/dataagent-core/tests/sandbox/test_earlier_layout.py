"""Workspaces of earlier library versions: found again, and never by somebody else."""

import hashlib
import itertools
import logging
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.errors import DirectoryError, NotFoundError, ValidationError
from dataagent_core.sandbox.files_backend import SandboxedFilesystemBackend
from dataagent_core.sandbox.workspaces import UserWorkspaceManager, adopt_workspace
from dataagent_core.sandbox.workspaces.assignment import derive_workspace_id

_numbers = itertools.count(1)
# Tenants and users have the same names, and folders of workspaces too.
NAMES = st.sampled_from(["acme", "ann", "files"])
PEOPLE = st.tuples(st.none() | NAMES, NAMES)


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


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def test_a_workspace_named_by_the_earlier_manager_is_moved_with_its_files(tmp_path: Path):
    folder = earlier(tmp_path, managed("ann"))
    folder.chmod(0o755)
    manager = UserWorkspaceManager(tmp_path)
    assert manager.get_workspace_usage("ann") == 4
    assert await files_of(tmp_path, "ann").read_file("/a.txt") == "kept"
    assert not folder.exists()
    assert mode_of(manager.get_user_workspace("ann")) == 0o700
    manager.cleanup_workspace("ann")
    assert list(tmp_path.rglob("a.txt")) == []


@given(
    people=st.lists(PEOPLE, min_size=1, max_size=4, unique=True),
    before=st.lists(PEOPLE, min_size=1, max_size=3, unique=True),
)
def test_nobody_gets_a_directory_by_its_name(
    tmp_path: Path,
    people: list[tuple[str | None, str]],
    before: list[tuple[str | None, str]],
):
    base = tmp_path / str(next(_numbers))
    kept: dict[Path, str] = {}
    for tenant_id, user_id in before:
        place = base / (tenant_id or "") / user_id
        place.mkdir(parents=True, exist_ok=True)
        (place / "a.txt").write_text(f"{tenant_id} {user_id}")
        kept[place / "a.txt"] = f"{tenant_id} {user_id}"
    for tenant_id, user_id in people:
        manager = UserWorkspaceManager(base, tenant_id=tenant_id)
        manager.ensure_user_workspace(user_id)
        assert manager.get_workspace_usage(user_id) == 0
    assert {path: path.read_text() for path in base.rglob("a.txt")} == kept


@pytest.mark.parametrize(
    ("place", "tenant_id", "user_id"), [("acme/ann", "acme", "ann"), ("website", None, "website")]
)
async def test_the_operator_says_whose_a_directory_is(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    place: str,
    tenant_id: str | None,
    user_id: str,
):
    folder = earlier(tmp_path, place)
    folder.chmod(0o755)
    manager = UserWorkspaceManager(tmp_path, tenant_id=tenant_id)
    with caplog.at_level(logging.WARNING):
        manager.get_user_workspace(user_id)
    assert str(folder) in caplog.text
    assert "adopt_workspace(" in caplog.text
    assert (folder / "a.txt").exists()
    moved = adopt_workspace(tmp_path, directory=folder, user_id=user_id, tenant_id=tenant_id)
    assert moved == manager.get_user_workspace(user_id)
    assert mode_of(moved) == 0o700
    assert await files_of(tmp_path, user_id, tenant_id).read_file("/a.txt") == "kept"
    with pytest.raises(NotFoundError):
        adopt_workspace(tmp_path, directory=folder, user_id=user_id, tenant_id=tenant_id)


async def test_what_is_adopted_beside_files_is_found_below_files(tmp_path: Path):
    earlier(tmp_path, managed("ann"), "first")
    second = earlier(tmp_path, "ann", "second")
    files = files_of(tmp_path, "ann")
    moved = adopt_workspace(tmp_path, directory=second, user_id="ann")
    assert mode_of(moved) == 0o700
    assert await files.read_file("/a.txt") == "first"
    (match,) = files.glob("earlier-*/a.txt", "/files").matches or []
    assert await files.read_file(match["path"]) == "second"


def test_processes_that_move_the_same_directory_at_once_do_not_fail(tmp_path: Path):
    for number in range(5):
        user_id = f"user-{number}"
        earlier(tmp_path, managed(user_id))

        def used(_: int, user_id: str = user_id) -> int:
            # A manager each, as several processes would have.
            return UserWorkspaceManager(tmp_path).get_workspace_usage(user_id)

        with ThreadPoolExecutor(8) as threads:
            assert set(threads.map(used, range(8))) == {4}


async def test_nobody_gets_anothers_workspace_by_calling_themselves_its_directory(tmp_path: Path):
    present = earlier(tmp_path, derive_workspace_id(None, "ann"))
    for folder in (present, earlier(tmp_path, managed("bob"))):
        earlier(folder, "files")
    for name in (present.name, managed("bob")):
        for user_id, tenant_id in ((name, None), ("files", name)):
            with pytest.raises(FileNotFoundError):
                await files_of(tmp_path, user_id, tenant_id).read_file("/a.txt")
    for user_id in ("ann", "bob"):
        assert await files_of(tmp_path, user_id).read_file("/files/a.txt") == "kept"


def test_what_has_an_owner_or_is_no_workspace_is_not_adopted(tmp_path: Path):
    base = tmp_path / "all"
    UserWorkspaceManager(base).ensure_user_workspace("ann")
    UserWorkspaceManager(base).cleanup_workspace("bob")
    theirs = UserWorkspaceManager(base).get_user_workspace("ann")
    for directory in (base, tmp_path, theirs, theirs / "files", base / ".locks"):
        with pytest.raises(ValidationError):
            adopt_workspace(base, directory=directory, user_id="eve")
        assert directory.is_dir()


def test_a_link_is_neither_adopted_nor_followed(tmp_path: Path):
    outside = earlier(tmp_path, "outside")
    base = tmp_path / "all"
    base.mkdir()
    (base / managed("ann")).symlink_to(outside)
    files_of(base, "ann")
    assert (outside / "a.txt").exists()
    (base / "link").symlink_to(outside)
    with pytest.raises(NotFoundError):
        adopt_workspace(base, directory=base / "link", user_id="ann")
    # A command may put a link where the folder was.
    workspace = UserWorkspaceManager(base).get_user_workspace("ann")
    (workspace / "files").rmdir()
    (workspace / "files").symlink_to(outside)
    mine = earlier(base, "ann")
    with pytest.raises(DirectoryError):
        adopt_workspace(base, directory=mine, user_id="ann")
    assert sorted(path.name for path in outside.iterdir()) == ["a.txt"]
    assert (mine / "a.txt").exists()
