"""The shadow keeps up with a workspace, reads little, and stays small, private and whole."""

import os
import sqlite3
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dataagent_core.config.limits import (
    SHADOW_FILE_BYTES_MAX,
    SHADOW_FILES_MAX,
    SHADOW_SPARE_S,
    SHADOW_STAMP_NS,
    SHADOW_UNUSED_S_MAX,
)
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.command_changes.content_database import open_content_database
from dataagent_core.tools.command_changes.workspace_shadow import WorkspaceShadow


def texts(shadow: WorkspaceShadow) -> dict[str, bytes | None]:
    states = shadow.look().files
    with shadow.contents() as content:
        return {path: content(s.sha256) if s.sha256 else None for path, s in states.items()}


def store_file(shadows: Path) -> Path:
    return next(shadows.glob("*/shadow-1.db"))


def kept(shadows: Path) -> set[bytes]:
    with sqlite3.connect(store_file(shadows)) as connection:
        return {row[0] for row in connection.execute("SELECT data FROM contents")}


def settle(*paths: Path) -> None:
    """Wait until the clock has left the tick in which the files were changed."""
    while any(time.time_ns() - p.stat().st_ctime_ns <= 2 * SHADOW_STAMP_NS for p in paths):
        os.sched_yield()


def test_a_snapshot_names_contents_sizes_and_modes(workspace: Path, shadow: WorkspaceShadow):
    (workspace / "folder").mkdir()
    (workspace / "folder" / "a.sh").write_bytes(b"one\r\n")
    (workspace / "folder" / "a.sh").chmod(0o750)
    (workspace / "link").symlink_to("folder/a.sh")
    state = shadow.look().files["/folder/a.sh"]
    assert (state.size_bytes, stat.S_IMODE(state.mode)) == (5, 0o750)
    assert texts(shadow) == {"/folder/a.sh": b"one\r\n", "/link": b"folder/a.sh"}


def test_a_store_that_was_never_finished_gets_the_tables_it_lacks(
    workspace: Path, shadows: Path, shadow: WorkspaceShadow
):
    """Its maker was killed half way, or was of an earlier version."""
    (workspace / "a").write_bytes(b"one")
    shadow.look()
    with sqlite3.connect(store_file(shadows)) as connection:
        connection.executescript("DROP TABLE history_look; PRAGMA user_version = 0;")
    with shadow.store() as store:
        assert store.connection.execute("SELECT count(*) FROM history_look").fetchone() == (0,)
    assert texts(shadow) == {"/a": b"one"}


def test_a_file_that_did_not_change_is_not_read_again(
    workspace: Path, shadows: Path, root: SafeRoot
):
    """Somebody replaced what the store says: a look that read the file would put it right."""
    file = workspace / "a"
    file.write_text("one")
    settle(file)
    sha256 = WorkspaceShadow(root, shadows).look().files["/a"].sha256
    with sqlite3.connect(store_file(shadows)) as connection:
        connection.execute("UPDATE files SET sha256 = 'marked'")
    connection.close()
    assert WorkspaceShadow(root, shadows).look().files["/a"].sha256 == "marked"
    os.utime(file)
    assert WorkspaceShadow(root, shadows).look().files["/a"].sha256 == sha256


def test_a_change_within_one_tick_of_the_clock_is_seen(workspace: Path, shadow: WorkspaceShadow):
    file = workspace / "a"
    file.write_text("one")
    for number in range(200):
        written = b"%03d" % number
        with file.open("r+b") as held:
            held.write(written)
        assert texts(shadow)["/a"] == written


def test_what_is_too_large_or_one_too_many_is_only_measured(
    workspace: Path, shadow: WorkspaceShadow
):
    (workspace / "large").write_bytes(b"x" * (SHADOW_FILE_BYTES_MAX + 1))
    with (workspace / "sparse").open("wb") as sparse:
        sparse.truncate(10**12)
    deep = workspace / "deep"
    deep.mkdir()
    for number in range(SHADOW_FILES_MAX + 1):
        (deep / str(number)).touch()
    (workspace / "top").write_text("kept")
    files = shadow.look().files
    assert (files["/large"].sha256, files["/large"].size_bytes) == (None, SHADOW_FILE_BYTES_MAX + 1)
    assert (files["/sparse"].sha256, files["/sparse"].size_bytes) == (None, 10**12)
    assert files["/top"].sha256 is not None
    # The shallow file takes one place, so two of the deep ones find none.
    assert sum(state.sha256 is None for path, state in files.items() if "/deep/" in path) == 2


@pytest.mark.parametrize("name", [".git", "node_modules", "__pycache__", ".dataagent"])
def test_places_nobody_reads_are_passed_over(workspace: Path, shadow: WorkspaceShadow, name: str):
    (workspace / "a" / name).mkdir(parents=True)
    (workspace / "a" / name / "inside").touch()
    snapshot = shadow.look()
    assert snapshot.files == {}
    assert snapshot.passed_over == {f"/a/{name}"}


def test_a_virtual_environment_is_known_by_what_it_is(workspace: Path, shadow: WorkspaceShadow):
    for name in ("env", ".venv"):
        (workspace / name / "lib").mkdir(parents=True)
        (workspace / name / "pyvenv.cfg").touch()
        (workspace / name / "lib" / "a.py").touch()
    assert shadow.look().passed_over == {"/env", "/.venv"}


def test_an_ignore_file_hides_nothing(workspace: Path, shadow: WorkspaceShadow):
    (workspace / ".gitignore").write_text("*\n")
    (workspace / "secret").touch()
    assert set(shadow.look().files) == {"/.gitignore", "/secret"}


def test_our_own_home_in_the_workspace_is_passed_over(workspace: Path):
    home = workspace / "home"
    (home / "shadows").mkdir(parents=True)
    (home / "database").touch()
    root = SafeRoot(workspace, links="beneath", closed=[home])
    assert WorkspaceShadow(root, home / "shadows").look().files == {}


def test_only_the_owner_can_look_into_the_store(
    workspace: Path, shadow: WorkspaceShadow, shadows: Path
):
    (workspace / "a").write_text("secret")
    before = os.umask(0)
    try:
        shadow.look()
    finally:
        os.umask(before)
    for path in (shadows, *shadows.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_contents_nobody_needs_any_more_are_removed_after_a_while(
    workspace: Path, shadows: Path, root: SafeRoot
):
    file = workspace / "a"
    for text in (b"one", b"two"):
        file.write_bytes(text)
        settle(file)
        WorkspaceShadow(root, shadows).look()
    assert kept(shadows) == {b"one", b"two"}
    with sqlite3.connect(store_file(shadows)) as connection:
        connection.execute("UPDATE contents SET used_s = used_s - ?", (SHADOW_SPARE_S + 1,))
    connection.close()
    file.write_bytes(b"three")
    WorkspaceShadow(root, shadows).look()
    assert kept(shadows) == {b"two", b"three"}


def test_a_file_that_changes_and_then_goes_leaves_no_row_behind(
    workspace: Path, shadows: Path, shadow: WorkspaceShadow
):
    file = workspace / "a"
    file.write_bytes(b"one")
    settle(file)
    shadow.look()
    file.write_bytes(b"two")
    shadow.look()
    file.unlink()
    shadow.look()
    with open_content_database(store_file(shadows).parent) as store:
        assert store.index() == {}


def test_the_file_shrinks_when_contents_are_removed(workspace: Path, shadows: Path, root: SafeRoot):
    for number in range(20):
        (workspace / str(number)).write_bytes(os.urandom(400_000))
    WorkspaceShadow(root, shadows).look()
    large = store_file(shadows).stat().st_size
    for path in workspace.iterdir():
        path.unlink()
    with sqlite3.connect(store_file(shadows)) as connection:
        connection.execute("DELETE FROM files")
        connection.execute("UPDATE contents SET used_s = 0")
    connection.close()
    (workspace / "a").touch()
    WorkspaceShadow(root, shadows).look()
    assert store_file(shadows).stat().st_size < large / 10


def test_what_a_command_replaces_stays_while_it_is_compared(
    workspace: Path, shadows: Path, root: SafeRoot
):
    """However long ago it was kept."""
    file = workspace / "a"
    file.write_bytes(b"one")
    settle(file)
    shadow = WorkspaceShadow(root, shadows)
    before = shadow.look().files["/a"].sha256
    with sqlite3.connect(store_file(shadows)) as connection:
        connection.execute("UPDATE contents SET used_s = 0")
    connection.close()
    file.write_bytes(b"two")
    settle(file)
    for one in (shadow, WorkspaceShadow(root, shadows), shadow):
        one.look()
    with shadow.contents() as content:
        assert before is not None
        assert content(before) == b"one"


def test_shadows_of_workspaces_left_long_ago_are_removed(shadow: WorkspaceShadow, shadows: Path):
    old, recent = shadows / "old", shadows / "recent"
    for folder, age_s in ((old, SHADOW_UNUSED_S_MAX + 60), (recent, 60.0)):
        folder.mkdir(parents=True)
        os.utime(folder, (0.0, time.time() - age_s))
    shadow.look()
    assert recent.is_dir()
    assert not old.exists()


@pytest.mark.parametrize("broken", [b"no database at all, but long enough to be read", b""])
def test_a_broken_store_is_made_anew(workspace: Path, shadows: Path, root: SafeRoot, broken: bytes):
    (workspace / "a").write_text("one")
    WorkspaceShadow(root, shadows).look()
    store_file(shadows).write_bytes(broken)
    assert texts(WorkspaceShadow(root, shadows)) == {"/a": b"one"}


def test_a_store_that_vanishes_is_filled_again(
    workspace: Path, shadows: Path, shadow: WorkspaceShadow
):
    file = workspace / "a"
    file.write_text("one")
    settle(file)
    shadow.look()
    store_file(shadows).unlink()
    assert texts(shadow) == {"/a": None}
    assert texts(shadow) == {"/a": b"one"}


LOOKING = """
import sys
from pathlib import Path
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.command_changes.workspace_shadow import WorkspaceShadow
workspace, shadows = map(Path, sys.argv[1:3])
for round in range(20):
    (workspace / "shared").write_text(f"{sys.argv[3]} {round}")
    shadow = WorkspaceShadow(SafeRoot(workspace, links="beneath"), shadows)
    for path, state in shadow.look().files.items():
        with shadow.contents() as content:
            data = None if state.sha256 is None else content(state.sha256)
        assert data is not None or state.sha256 is None, path
"""


def test_two_processes_can_use_one_shadow_at_once(
    workspace: Path, shadows: Path, shadow: WorkspaceShadow
):
    for number in range(50):
        (workspace / str(number)).write_text(str(number))
    command = [sys.executable, "-c", LOOKING, str(workspace), str(shadows)]
    both = [subprocess.Popen([*command, name], stderr=subprocess.PIPE) for name in ("one", "two")]
    for process in both:
        _, errors = process.communicate(timeout=100)
        assert process.returncode == 0, errors.decode()
    found = texts(shadow)
    assert len(found) == 51
    assert all(found[f"/{number}"] == str(number).encode() for number in range(50))


def test_the_store_stays_usable_while_another_process_writes(
    workspace: Path, shadows: Path, shadow: WorkspaceShadow
):
    (workspace / "a").write_text("one")
    shadow.look()
    with open_content_database(store_file(shadows).parent) as other:
        other.keep({"x": b"x"}, {})
        (workspace / "b").write_text("two")
        assert texts(shadow)["/b"] == b"two"
