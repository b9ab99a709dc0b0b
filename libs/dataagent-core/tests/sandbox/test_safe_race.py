"""Nothing leaks while another process swaps a directory for a link that leads out.

Each test first shows that the usual check, resolve and compare, then open, does leak in the same
place: without that control a test whose swapping does not work would pass as well.
"""

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from swapping import swapping_workspace

from dataagent_core.errors import DataAgentError
from dataagent_core.sandbox.files.safe_root import LinkPolicy, PathOpener, SafeRoot

CONTROL_S_MAX = 30.0
SAFE_TRIES = 20_000


@pytest.fixture
def swapping(tmp_path: Path) -> Iterator[Path]:
    with swapping_workspace(tmp_path) as workspace:
        yield workspace


def naive(workspace: Path, path: str) -> Path:
    resolved = (workspace / path).resolve()
    if not resolved.is_relative_to(workspace.resolve()):
        raise PermissionError(path)
    return workspace / path


def until(seen: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + CONTROL_S_MAX
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError):
            if seen():
                return True
    return False


@pytest.mark.requirement("F3-renamer")
@pytest.mark.parametrize("links", ["refuse", "beneath"])
def test_reads_never_leak_under_a_concurrent_renamer(
    swapping: Path, opener: PathOpener, links: LinkPolicy
):
    assert until(lambda: naive(swapping, "door/file.txt").read_text() == "SECRET")
    root = SafeRoot(swapping, links=links, opener=opener)
    seen: set[str] = set()

    def try_often() -> bool:
        for _ in range(SAFE_TRIES):
            try:
                seen.add(root.read_bytes("/door/file.txt").decode())
            except DataAgentError as error:
                seen.add(error.code)
        return {"ours", "PATH_ESCAPE_ERROR"} <= seen

    assert until(try_often)
    assert "SECRET" not in seen


@pytest.mark.requirement("F3-renamer")
@pytest.mark.parametrize("links", ["refuse", "beneath"])
def test_writes_never_leak_under_a_concurrent_renamer(
    swapping: Path, opener: PathOpener, links: LinkPolicy
):
    outside = swapping.parent / "outside"

    def naive_write() -> bool:
        naive(swapping, "door/planted.txt").write_text("PWNED")
        return (outside / "planted.txt").exists()

    assert until(naive_write)
    root = SafeRoot(swapping, links=links, opener=opener)
    written = refused = 0

    def try_often() -> bool:
        """On a busy machine the renamer may rest on one side for all the tries of a round."""
        nonlocal written, refused
        for _ in range(SAFE_TRIES // 20):
            try:
                root.write_atomic("/door/new.txt", b"ours")
                written += 1
            except DataAgentError:
                refused += 1
        return written > 0 and refused > 0

    assert until(try_often)
    assert sorted(path.name for path in outside.iterdir()) == ["file.txt", "planted.txt"]


def test_listings_never_leak_under_a_concurrent_renamer(swapping: Path, opener: PathOpener):
    (swapping.parent / "outside/only-outside").touch()
    root = SafeRoot(swapping, links="beneath", opener=opener)
    for _ in range(SAFE_TRIES // 20):
        with contextlib.suppress(DataAgentError):
            assert "only-outside" not in [entry.name for entry in root.list_dir("/door")]
        walked = root.walk("/", lambda parts, kind: True)
        assert not any("only-outside" in parts for parts in walked.files)
