"""The library's workspaces: derived ids, a disk that is counted, and the documented backend."""

import itertools
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.sandbox.files_backend import SandboxedFilesystemBackend
from dataagent_core.sandbox.limits.folder_size import measure_folder
from dataagent_core.sandbox.workspaces import UserWorkspaceManager
from dataagent_core.sandbox.workspaces.assignment import derive_workspace_id
from dataagent_core.sandbox.workspaces.directories import WorkspaceDirectories
from dataagent_core.testing.conformance import WorkspaceManagerConformance
from dataagent_core.testing.conformance.workspaces import QUOTA_BYTES, WorkspaceUser

BASE = Path(tempfile.mkdtemp(prefix="dataagent-test-"))
_numbers = itertools.count(1)
PATHS = ["/files/a", "/files/b", "/top", "/outputs/d/c", "/outputs/d/e/f"]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["write", "upload", "edit", "delete"]),
        st.sampled_from(PATHS),
        st.integers(0, 40),
    ),
    max_size=10,
)


class TestLibraryWorkspaces(WorkspaceManagerConformance):
    @pytest.fixture
    def workspace_pair(self, tmp_path: Path) -> tuple[WorkspaceUser, WorkspaceUser]:
        manager = UserWorkspaceManager(tmp_path / "all", QUOTA_BYTES)
        return WorkspaceUser("ann", manager), WorkspaceUser("bob", manager)


def held(model: dict[str, int]) -> int:
    return sum(max(size, 0) for size in model.values())


def with_file(model: dict[str, int], path: str, size: int) -> dict[str, int]:
    """What a workspace holds after a write; -1 is the size of a folder."""
    parts = path.split("/")[1:]
    folders = {"/" + "/".join(parts[:deep]): -1 for deep in range(2, len(parts))}
    return model | folders | {path: size}


@pytest.mark.requirement("S0-53")
@given(bytes_max=st.integers(0, 100), files_max=st.integers(0, 6), steps=STEPS)
def test_property_53_a_write_is_refused_exactly_when_it_goes_beyond_the_quota(
    bytes_max: int, files_max: int, steps: list[tuple[str, str, int]]
):
    manager = UserWorkspaceManager(BASE, bytes_max, default_max_files=files_max, tenant_id="t")
    user = f"user-{next(_numbers)}"
    files = SandboxedFilesystemBackend(user, manager)
    other = SandboxedFilesystemBackend(f"{user}-other", UserWorkspaceManager(BASE, tenant_id="t"))
    assert other.write("/files/large", "x" * 1_000).error is None
    model: dict[str, int] = {}
    for what, path, size in steps:
        if what == "delete":
            done = files.delete(path).error is None
            assert done == (path in model)
            model.pop(path, None)
            continue
        if what == "edit" and not model.get(path):
            continue
        after = with_file(model, path, size)
        fits = (held(after) <= bytes_max or held(after) <= held(model)) and (
            len(after) <= files_max or len(after) == len(model)
        )
        assert manager.check_quota(user, size) == (held(model) + size <= bytes_max)
        match what:
            case "write":
                error = files.write(path, "x" * size).error
            case "upload":
                error = files.upload_files([(path, b"x" * size)])[0].error
            case _:
                error = files.edit(path, "x" * model[path], "x" * size).error
        assert (error is None) == fits, error
        assert error is None or "room for" in error
        if fits:
            model = after
        assert manager.get_workspace_usage(user) == held(model)
    files.root.close()
    other.root.close()


def test_what_was_put_there_by_others_counts_too(tmp_path: Path):
    manager = UserWorkspaceManager(tmp_path, 10)
    files = SandboxedFilesystemBackend("ann", manager)
    (manager.get_user_workspace("ann") / "files/new").write_bytes(b"12345678")
    assert "room for 2 bytes" in (files.write("/files/a", "123").error or "")
    assert files.write("/files/a", "12").error is None


def test_writers_at_the_same_time_do_not_exceed_the_quota_together(tmp_path: Path):
    def write(number: int) -> bool:
        # A manager each, as several processes would have.
        files = SandboxedFilesystemBackend("ann", UserWorkspaceManager(tmp_path, 100))
        return files.write(f"/files/{number}", "x" * 30).error is None

    with ThreadPoolExecutor(8) as threads:
        done = list(threads.map(write, range(8)))
    assert sum(done) == 3
    assert UserWorkspaceManager(tmp_path).get_workspace_usage("ann") == 90


def test_what_a_write_adds_is_counted_against_the_files_of_that_moment(tmp_path: Path):
    def replace(number: int) -> None:
        """Free the room of one file for another: what a write adds changes at every moment."""
        files = SandboxedFilesystemBackend("ann", UserWorkspaceManager(tmp_path, 100))
        for _ in range(25):
            files.upload_files([(f"/files/{number}", b"x" * 60)])
            with directories.replacing(workspace_id):
                used.append(directories.measure(workspace_id).size_bytes)
            files.delete(f"/files/{1 - number}")
        files.root.close()

    directories = WorkspaceDirectories(tmp_path)
    workspace_id = derive_workspace_id(None, "ann")
    used: list[int] = []
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(replace, [0, 1, 0, 1]))
    assert max(used) == 60


def test_a_workspace_that_cannot_be_counted_whole_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    files = SandboxedFilesystemBackend("ann", UserWorkspaceManager(tmp_path, 100))
    for number in range(3):
        assert files.write(f"/files/{number}", "x" * 10).error is None
    monkeypatch.setattr(measure_folder, "__defaults__", ((), 3))
    assert "room for 0 bytes and 0 files" in (files.write("/files/new", "x").error or "")
    assert "room for 0 bytes" in (files.upload_files([("/files/0", b"x" * 11)])[0].error or "")
    assert not UserWorkspaceManager(tmp_path, 100).check_quota("ann", 1)
    assert files.upload_files([("/files/0", b"less")])[0].error is None
    assert files.delete("/files/1").error is None


async def test_the_two_methods_of_the_document_raise_pythons_own_errors(tmp_path: Path):
    files = SandboxedFilesystemBackend("ann", UserWorkspaceManager(tmp_path, 10))
    await files.write_file("files/new/a.txt", "a line")
    assert await files.read_file("files/new/a.txt") == "a line"
    with pytest.raises(FileNotFoundError):
        await files.read_file("files/b.txt")
    for path in ("../a.txt", "files/.git/config"):
        with pytest.raises(PermissionError):
            await files.write_file(path, "x")
    with pytest.raises(PermissionError):
        await files.read_file("../a.txt")
    with pytest.raises(PermissionError, match="room for 4 bytes"):
        await files.write_file("files/b.txt", "x" * 1_000)
