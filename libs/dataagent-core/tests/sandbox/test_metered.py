"""Writes counted before they happen, commands held to the room that is left, trees measured."""

import os
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from dataagent_core.errors import ConflictError, DataAgentError, NotFoundError, ValidationError
from dataagent_core.sandbox.files.metered_root import MeteredRoot
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.sandbox.files.user_switch import act_as
from dataagent_core.sandbox.files.workspace_quota import QuotaUsage, WriteGrowth
from dataagent_core.sandbox.limits.command_limits import CommandLimits, narrow_limits
from dataagent_core.sandbox.limits.folder_size import measure_folder


class FullError(DataAgentError):
    """There is no room."""


@dataclass
class Counter:
    """A quota in memory."""

    max_bytes: int = 100
    held: list[int] = field(default_factory=lambda: [0, 0])

    @contextmanager
    def writing(self, growth: Callable[[], WriteGrowth]) -> Generator[None]:
        added = growth()
        if added.size_bytes > 0 and self.held[0] + added.size_bytes > self.max_bytes:
            raise FullError
        before = list(self.held)
        self.held = [self.held[0] + added.size_bytes, self.held[1] + added.files]
        try:
            yield
        except BaseException:
            self.held = before
            raise

    def fits(self, size_bytes: int, files: int = 0) -> bool:
        return self.held[0] + size_bytes <= self.max_bytes

    async def read_usage(self) -> QuotaUsage:
        return QuotaUsage(self.held[0], self.held[1], self.max_bytes - self.held[0], 10)

    async def recount(self) -> None:
        pass


def test_a_write_counts_what_it_adds_and_the_folders_it_makes(tmp_path: Path):
    counter = Counter()
    root = MeteredRoot(tmp_path, counter)
    root.write_atomic("/a/b/c", b"x" * 60)
    assert counter.held == [60, 3]
    root.write_atomic("/a/b/c", b"x" * 100)
    assert counter.held == [100, 3]
    with pytest.raises(FullError):
        root.write_atomic("/d", b"x")
    assert not (tmp_path / "d").exists()
    root.unlink("/a/b/c")
    assert counter.held == [0, 2]
    with pytest.raises(NotFoundError):
        root.unlink("/a/b/c")
    assert counter.held == [0, 2]


def test_a_write_that_fails_counts_nothing(tmp_path: Path):
    counter = Counter()
    (tmp_path / "folder").mkdir()
    root = MeteredRoot(tmp_path, counter)
    with pytest.raises(ValidationError):
        root.write_atomic("/folder", b"x")
    with pytest.raises(ConflictError):
        root.write_atomic("/new", b"x", expected=root.stat("/folder").version)
    assert counter.held == [0, 0]


def test_a_command_gets_what_is_left_and_never_more_than_before():
    limits = narrow_limits(CommandLimits(disk_growth_bytes=50), QuotaUsage(7, 1, 80, 3))
    assert limits.disk_growth_bytes == 50
    assert narrow_limits(limits, QuotaUsage(7, 1, 0, 3)).disk_growth_bytes == 0


def test_a_finished_file_takes_its_place_whole(tmp_path: Path):
    (tmp_path / "root").mkdir()
    (tmp_path / "mine").mkdir()
    folder = os.open(tmp_path / "mine", os.O_RDONLY)
    root = SafeRoot(tmp_path / "root", links="refuse")
    (tmp_path / "mine/one").write_bytes(b"new")
    with pytest.raises(NotFoundError):
        root.adopt("/a/file", folder, "one")
    root.make_folder("/a")
    root.adopt("/a/file", folder, "one", expected="absent")
    assert (tmp_path / "root/a/file").read_bytes() == b"new"
    assert not (tmp_path / "mine/one").exists()
    (tmp_path / "mine/two").write_bytes(b"newer")
    with pytest.raises(ConflictError):
        root.adopt("/a/file", folder, "two", expected="absent")
    with pytest.raises(ValidationError):
        root.adopt("/a", folder, "two")
    assert (tmp_path / "root/a/file").read_bytes() == b"new"
    os.close(folder)


def test_a_tree_is_measured_without_following_or_getting_lost(tmp_path: Path):
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/file").write_bytes(b"12345")
    os.link(tmp_path / "a/b/file", tmp_path / "a/second")
    (tmp_path / "a/up").symlink_to("..")
    root = os.open(tmp_path, os.O_RDONLY)
    counted = measure_folder(root)
    assert (counted.size_bytes, counted.entries, counted.complete) == (5 + len(".."), 5, True)
    assert measure_folder(root, free_folders=("a",)).entries == 4
    assert not measure_folder(root, entries_max=2).complete
    os.close(root)


def test_acting_as_somebody_is_for_root_holds_for_one_thread_and_ends(tmp_path: Path):
    tmp_path.chmod(0o777)
    # By descriptor: the folders above may be closed to whom we act as.
    folder = os.open(tmp_path, os.O_RDONLY)

    def touch(name: str) -> None:
        os.close(os.open(name, os.O_CREAT | os.O_WRONLY, dir_fd=folder))

    if os.geteuid() != 0:
        with pytest.raises(PermissionError), act_as(65534):
            touch("theirs")
        return
    with ThreadPoolExecutor(1) as others:
        others.submit(os.getpid).result()
        with act_as(65534):
            touch("theirs")
            others.submit(touch, "ours").result()
    touch("after")
    os.close(folder)
    owners = {path.name: path.stat().st_uid for path in tmp_path.iterdir()}
    assert owners == {"theirs": 65534, "ours": 0, "after": 0}
