"""Files of a workspace: hostile paths, hostile names, hostile trees."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from workspace_installation import WorkspaceInstallation, names, refusal

from dataagent_core.errors import (
    DeniedError,
    NotFoundError,
    PathEscapeError,
    ValidationError,
)
from dataagent_core.sandbox.limits.folder_size import count_charged_bytes, measure_folder
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.workspaces.files.file_lists import FileEntry, FileListRequest
from dataagent_server.workspaces.files.paths import encode_path, path_in_query
from dataagent_server.workspaces.quota.reconcile import reconcile
from dataagent_server.workspaces.workspace import StorageAmount, Workspace

pytestmark = pytest.mark.parametrize("database_kind", ["sqlite"])
# Folders the server has beside the workspaces.
OURS = {".incoming", ".locks"}


@pytest.fixture
async def ann(spaces: WorkspaceInstallation):
    return await spaces.person()


@pytest.fixture
async def made(spaces: WorkspaceInstallation, ann: Principal) -> Workspace:
    return await spaces.workspace(ann)


@pytest.fixture
def directory(spaces: WorkspaceInstallation, made: Workspace) -> Path:
    return spaces.base / made.path


hostile_names = st.one_of(
    st.sampled_from(
        ["..", ".", "", "~", "files", "link", "hard", "a", "pipe", "%2e%2e", "...", "\\"]
    ),
    st.text(max_size=8).filter(lambda text: "/" not in text),
)


def _path(slash: str, parts: list[str]) -> str:
    return slash + "/".join(parts)


hostile_paths = st.builds(
    _path,
    st.sampled_from(["", "/", "//"]),
    st.lists(hostile_names, max_size=5),
)


@pytest.mark.requirement("S0-52")
@given(path=hostile_paths)
async def test_s0_52_no_path_reaches_outside_the_workspace(
    spaces: WorkspaceInstallation, ann: Principal, made: Workspace, directory: Path, path: str
):
    """Links out, a second name and a pipe wait inside; a secret lies beside the workspace."""
    secret = spaces.base / "secret"
    if not secret.exists():
        secret.write_bytes(b"SECRET")
        (directory / "files/link").symlink_to(spaces.base)
        (directory / "link").symlink_to("/etc/hostname")
        os.link(secret, directory / "files/hard")
        os.mkfifo(directory / "files/pipe")
        (directory / "files/a").write_bytes(b"fine")
    before = names(spaces.base)

    async def reading() -> None:
        assert await spaces.read(ann, made, path) in {b"fine", b"new"}

    escapes = {None, "PATH_ESCAPE_ERROR", "NOT_FOUND", "VALIDATION_ERROR"}
    assert await refusal(reading()) in escapes
    assert await refusal(spaces.put(ann, made, path, b"new")) in escapes | {"PERMISSION_DENIED"}
    assert await refusal(reading()) in escapes
    listing = spaces.files.list(ann, made.workspace_id, FileListRequest(path))
    assert await refusal(listing) in escapes
    assert secret.read_bytes() == b"SECRET"
    assert [name for name in names(spaces.base) if name not in OURS] == [
        name for name in before if name not in OURS
    ]


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("/../x", PathEscapeError),
        ("/files/../../x", PathEscapeError),
        ("/files/a\0b", PathEscapeError),
        ("/files/link/x", PathEscapeError),
        ("/files/" + "x" * 256, PathEscapeError),
        ("/files/" + "x/" * 2_000 + "y", PathEscapeError),
        ("/files", ValidationError),
        ("/", ValidationError),
        ("/outputs/x", ValidationError),
        ("/x", ValidationError),
        ("/files/a\nb", ValidationError),
        ("/files/a\udcff", ValidationError),
        ("/files/.git/config", DeniedError),
        ("/uploads/.bashrc", DeniedError),
    ],
)
async def test_what_cannot_be_uploaded(
    spaces: WorkspaceInstallation,
    ann: Principal,
    made: Workspace,
    path: str,
    error: type[Exception],
):
    outside = spaces.base.parent / "outside"
    outside.mkdir()
    (spaces.base / made.path / "files/link").symlink_to(outside)
    with pytest.raises(error):
        await spaces.put(ann, made, path, b"x")
    with pytest.raises(error):
        await spaces.files.make_folder(ann, made.workspace_id, path)
    now = await spaces.counted(made)
    assert now.amount == StorageAmount()
    assert names(outside) == []


@given(name=st.text(st.characters(exclude_categories=("Cc", "Cs"), exclude_characters="/"),
                    min_size=1, max_size=60))  # fmt: skip
async def test_any_text_can_be_a_name(
    spaces: WorkspaceInstallation, ann: Principal, made: Workspace, name: str
):
    if name in {".", ".."} or len(name.encode()) > 255:
        return
    path = f"/files/{name}"
    try:
        await spaces.put(ann, made, path, name.encode())
    except DeniedError:
        return  # a name that git or a shell would obey
    assert await spaces.read(ann, made, path) == name.encode()
    listed, _ = await spaces.files.list(
        ann, made.workspace_id, FileListRequest("/files", limit=1_000)
    )
    assert path in [one.path for one in listed]
    await spaces.files.delete(ann, made.workspace_id, path)
    assert (await spaces.counted(made)).amount == spaces.on_disk(made)


async def test_names_that_are_not_utf_8_can_be_listed_read_and_deleted(
    spaces: WorkspaceInstallation, ann: Principal, made: Workspace, directory: Path
):
    raw = os.fsencode(directory) + b"/files/\xff\n\xfe.txt"
    Path(os.fsdecode(raw)).write_bytes(b"odd")
    (entry,), _ = await spaces.files.list(ann, made.workspace_id, FileListRequest("/files"))
    sent = path_in_query(b"limit=3&path=" + encode_path(entry.path).encode(), "path")
    assert sent == entry.path
    assert await spaces.read(ann, made, entry.path) == b"odd"
    assert await spaces.files.delete(ann, made.workspace_id, entry.path) == StorageAmount(3, 1)
    assert names(directory / "files") == []


async def test_a_deep_tree_is_measured_listed_and_deleted(
    spaces: WorkspaceInstallation, ann: Principal, made: Workspace, directory: Path
):
    """Three thousand folders: deeper than any path, Python's stack and our descriptors go."""
    folder = os.open(directory / "files", os.O_RDONLY)
    for _ in range(3_000):
        os.mkdir("d", dir_fd=folder)
        inner = os.open("d", os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(os.open("bottom", os.O_CREAT | os.O_WRONLY, dir_fd=folder))
    os.close(folder)
    assert await reconcile(spaces.store, ann.tenant_id, made.workspace_id) == StorageAmount(
        0, 3_001
    )
    listed, more = await spaces.files.list(
        ann, made.workspace_id, FileListRequest("/", recursive=True, limit=1_000)
    )
    assert len(listed) == 103
    assert more is None
    assert await spaces.files.delete(ann, made.workspace_id, "/files/d") == StorageAmount(0, 3_001)
    assert (await spaces.counted(made)).amount == StorageAmount()
    assert names(spaces.base / ".trash") == []


async def test_deleting_follows_no_link_and_opens_locked_folders(
    spaces: WorkspaceInstallation, ann: Principal, made: Workspace, directory: Path, tmp_path: Path
):
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("stays")
    locked = directory / "files/locked"
    (locked / "inside").mkdir(parents=True)
    (locked / "inside/link").symlink_to(kept)
    (locked / "inside/file").write_bytes(b"12345")
    os.mkfifo(locked / "pipe")
    (locked / "inside").chmod(0)
    locked.chmod(0)
    assert await spaces.files.delete(ann, made.workspace_id, "/files/locked") == StorageAmount(
        5 + len(str(kept)), 5
    )
    assert (kept / "file").read_text() == "stays"


@pytest.mark.parametrize("path", ["/", "/files", "/uploads/", "//outputs", "/./files"])
async def test_the_workspaces_own_folders_stay(
    spaces: WorkspaceInstallation, ann: Principal, made: Workspace, directory: Path, path: str
):
    with pytest.raises(ValidationError):
        await spaces.files.delete(ann, made.workspace_id, path)
    assert names(directory) == ["files", "outputs", "uploads"]


async def test_what_is_missing_is_not_found(
    spaces: WorkspaceInstallation, ann: Principal, made: Workspace
):
    for doing in (
        spaces.read(ann, made, "/files/none"),
        spaces.files.delete(ann, made.workspace_id, "/files/none"),
        spaces.files.list(ann, made.workspace_id, FileListRequest("/none")),
    ):
        with pytest.raises(NotFoundError):
            await doing


async def test_a_folder_is_not_replaced_by_an_upload(
    spaces: WorkspaceInstallation, ann: Principal, made: Workspace
):
    await spaces.files.make_folder(ann, made.workspace_id, "/files/d")
    with pytest.raises(ValidationError):
        await spaces.put(ann, made, "/files/d", b"x")
    assert (await spaces.counted(made)).amount == StorageAmount(0, 1)


trees = st.recursive(
    st.just(None),
    lambda inner: st.dictionaries(
        st.text("ab.é", min_size=1, max_size=3).filter(lambda name: name.strip(".")),
        inner,
        max_size=4,
    ),
    max_leaves=12,
)


@given(tree=trees, limit=st.integers(1, 5))
async def test_pages_of_a_tree_are_the_tree(
    spaces: WorkspaceInstallation, ann: Principal, made: Workspace, tree: Any, limit: int
):
    directory = spaces.base / made.path
    top = directory / "files" / os.urandom(8).hex()
    top.mkdir()

    def grow(folder: Path, branch: Any) -> list[str]:
        paths: list[str] = []
        for name, inner in (branch or {}).items():
            at = folder / name
            paths.append(str(at.relative_to(directory)))
            if inner is None:
                at.write_bytes(b"x")
            else:
                at.mkdir()
                paths += grow(at, inner)
        return paths

    expected = sorted(f"/{path}" for path in grow(top, tree))
    base = f"/files/{top.name}"
    seen: list[FileEntry] = []
    after = None
    while True:
        page, after = await spaces.files.list(
            ann, made.workspace_id, FileListRequest(base, recursive=True, after=after, limit=limit)
        )
        seen += page
        assert len(page) <= limit
        if after is None:
            break
    assert sorted(one.path for one in seen) == expected
    assert len({one.path for one in seen}) == len(seen)


async def test_a_page_after_something_that_is_gone_goes_on_behind_it(
    spaces: WorkspaceInstallation, ann: Principal, made: Workspace
):
    for name in "abc":
        await spaces.put(ann, made, f"/files/{name}", b"")
    page, after = await spaces.files.list(
        ann, made.workspace_id, FileListRequest("/files", limit=2)
    )
    await spaces.files.delete(ann, made.workspace_id, "/files/b")
    rest, _ = await spaces.files.list(
        ann, made.workspace_id, FileListRequest("/files", after=after)
    )
    assert [one.path for one in (*page, *rest)] == ["/files/a", "/files/b", "/files/c"]


def test_bytes_count_by_length_by_blocks_and_once_per_file(tmp_path: Path, database_kind: str):
    root = os.open(tmp_path, os.O_RDONLY)
    (tmp_path / "plain").write_bytes(b"x" * 10)
    os.link(tmp_path / "plain", tmp_path / "second")
    (tmp_path / "link").symlink_to("/")
    assert measure_folder(root).size_bytes == 11
    assert measure_folder(root).entries == 3
    # `fallocate -n` keeps room behind a file's end, which its length does not show.
    hidden = os.stat_result((0o100600, 1, 1, 1, 0, 0, 10, 0, 0, 0), {"st_blocks": 2_048})
    small = os.stat_result((0o100600, 1, 1, 1, 0, 0, 10, 0, 0, 0), {"st_blocks": 8})
    assert (count_charged_bytes(hidden), count_charged_bytes(small)) == (1_048_576, 10)
    os.close(root)


def test_a_count_that_ends_early_says_so(tmp_path: Path, database_kind: str):
    for number in range(20):
        (tmp_path / str(number)).touch()
    root = os.open(tmp_path, os.O_RDONLY)
    assert not measure_folder(root, entries_max=10).complete
    assert measure_folder(root, entries_max=21).complete
    os.close(root)
