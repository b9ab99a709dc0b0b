"""Reading, writing and listing beneath a root."""

import contextlib
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dataagent_core.errors import (
    ConflictError,
    DataAgentError,
    DirectoryError,
    NotFoundError,
    ValidationError,
)
from dataagent_core.sandbox.files.safe_root import SafeRoot


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_is_written_can_be_read_under_every_spelling(root: SafeRoot):
    root.write_atomic("/a/b/c.txt", b"text")
    assert root.read_bytes("a//b/./c.txt") == b"text"
    assert b"".join(root.read_pieces("/a/b/c.txt")) == b"text"


def test_a_file_larger_than_asked_for_is_refused_not_cut(root: SafeRoot):
    root.write_atomic("/a", b"12345")
    assert root.read_bytes("/a", 5) == b"12345"
    with pytest.raises(ValidationError, match="5 bytes"):
        root.read_bytes("/a", 4)


def test_writing_keeps_the_permissions_and_leaves_nothing_else_behind(
    root: SafeRoot, workspace: Path
):
    root.write_atomic("/run.sh", b"one")
    (workspace / "run.sh").chmod(0o751)
    root.write_atomic("/run.sh", b"two")
    assert stat.S_IMODE((workspace / "run.sh").stat().st_mode) == 0o751
    assert names_in(workspace) == ["run.sh"]


def test_a_write_refuses_a_file_that_is_not_the_one_expected(root: SafeRoot, workspace: Path):
    root.write_atomic("/a", b"one")
    node = root.read_version("/a")[1]
    (workspace / "a").write_text("someone else")
    with pytest.raises(ConflictError):
        root.write_atomic("/a", b"two", expected=node.version)
    with pytest.raises(ConflictError):
        root.write_atomic("/a", b"two", expected="absent")
    assert root.read_bytes("/a") == b"someone else"
    assert names_in(workspace) == ["a"]


def test_a_link_that_stays_inside_is_followed_and_kept(person: SafeRoot, workspace: Path):
    (workspace / "src/deep").mkdir(parents=True)
    (workspace / "real.txt").write_text("one")
    (workspace / "src/deep/link").symlink_to("../../real.txt")
    (workspace / "folder").symlink_to("src/deep")
    assert person.read_bytes("/folder/link") == b"one"
    person.write_atomic("/folder/link", b"two")
    assert (workspace / "real.txt").read_text() == "two"
    assert (workspace / "src/deep/link").is_symlink()


def test_removing_a_link_leaves_its_target(person: SafeRoot, workspace: Path):
    (workspace / "real.txt").write_text("one")
    (workspace / "link").symlink_to("real.txt")
    person.unlink("/link")
    assert names_in(workspace) == ["real.txt"]


def test_a_listing_is_sorted_and_says_what_is_what(person: SafeRoot, workspace: Path):
    (workspace / "b").mkdir()
    (workspace / "a.txt").write_text("123")
    (workspace / "in").symlink_to("a.txt")
    (workspace / "out").symlink_to("/etc/hostname")
    listed = [(entry.name, entry.kind, entry.size_bytes) for entry in person.list_dir("/")]
    assert listed[0] == ("a.txt", "file", 3)
    assert [(name, kind) for name, kind, _ in listed[1:]] == [
        ("b", "dir"),
        ("in", "file"),
        ("out", "link"),
    ]


def test_a_walk_enters_no_link_and_only_what_is_wanted(root: SafeRoot, workspace: Path):
    for name in ("a/1", "a/b/2", "skip/3", "z"):
        root.write_atomic(name, b"")
    (workspace / "out").symlink_to("..")
    (workspace / "again").symlink_to("a")
    walked = root.walk("/", lambda parts, kind: parts[-1] != "skip")
    assert walked.files == (("a", "1"), ("a", "b", "2"), ("z",))
    assert walked.complete


def test_what_is_missing_is_not_found(root: SafeRoot):
    assert not root.exists("/none")
    for use in (root.read_bytes, root.list_dir, root.stat, root.unlink):
        with pytest.raises(NotFoundError):
            use("/none/at/all")


def test_a_root_that_does_not_exist_is_a_clear_error(tmp_path: Path):
    with pytest.raises(DirectoryError, match="Make it first"):
        SafeRoot(tmp_path / "none", links="refuse")


def test_no_descriptor_is_left_open(root: SafeRoot, workspace: Path):
    (workspace / "link").symlink_to("..")
    before = names_in(Path("/proc/self/fd"))
    for path in ("/a/b", "/link/x", "/link", "/none"):
        for use in (root.read_bytes, root.list_dir, root.stat, root.unlink):
            with contextlib.suppress(DataAgentError):
                use(path)
    root.write_atomic("/a/b/c", b"")
    root.walk("/", lambda parts, kind: True)
    assert names_in(Path("/proc/self/fd")) == before


def test_a_file_that_is_replaced_while_it_is_opened_is_read_all_the_same(tmp_path: Path):
    with ThreadPoolExecutor(1) as beside:
        reader, writer = SafeRoot(tmp_path, links="refuse"), SafeRoot(tmp_path, links="refuse")
        writer.write_atomic("/a.txt", b"0")

        def replace() -> None:
            for number in range(300):
                writer.write_atomic("/a.txt", str(number).encode())

        replacing = beside.submit(replace)
        while not replacing.done():
            assert reader.read_bytes("/a.txt").isdigit()
        replacing.result()
        reader.close()
        writer.close()
