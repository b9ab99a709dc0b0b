"""What two snapshots say about each other, and what they cannot say."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.tools.command_changes.snapshot_diff import compare_snapshots
from dataagent_core.tools.command_changes.workspace_snapshot import FileState, WorkspaceSnapshot

A = FileState("a", 1, 0o100644, 10)
B = FileState("b", 1, 0o100644, 20)
LARGE = FileState(None, 9, 0o100644, 10)


def snapshot(**values: object) -> WorkspaceSnapshot:
    return replace(WorkspaceSnapshot(files={}, taken_ns=10**12), **values)  # pyright: ignore[reportArgumentType]


def seen(before: WorkspaceSnapshot, after: WorkspaceSnapshot) -> list[tuple[str, str]]:
    return [(change.operation, change.path) for change in compare_snapshots(before, after)]


def test_files_are_written_edited_and_deleted():
    before = snapshot(files={"/gone": A, "/same": A, "/edited": A})
    after = snapshot(files={"/same": A, "/edited": B, "/new": A})
    assert seen(before, after) == [("edit", "/edited"), ("delete", "/gone"), ("write", "/new")]


def test_a_touch_is_no_change_and_another_mode_is_one():
    before = snapshot(files={"/touched": A, "/run": A})
    after = snapshot(
        files={"/touched": replace(A, changed_ns=99), "/run": replace(A, mode=0o100755)}
    )
    assert seen(before, after) == [("edit", "/run")]


def test_without_its_content_the_time_of_change_stands_for_it():
    before = snapshot(
        files={"/same": LARGE, "/changed": LARGE, "/grown": A, "/kept no more": LARGE}
    )
    after = snapshot(
        files={
            "/same": LARGE,
            "/changed": replace(LARGE, changed_ns=11),
            "/grown": LARGE,
            "/kept no more": replace(LARGE, sha256="x"),
        }
    )
    assert seen(before, after) == [("edit", "/changed"), ("edit", "/grown")]


def test_a_place_that_is_passed_over_is_one_change_when_it_comes_or_goes():
    files = {f"/src/{n}": A for n in range(5)}
    open_, closed = snapshot(files=files), snapshot(passed_over=frozenset({"/src"}))
    assert seen(open_, closed) == [("write", "/src/")]
    assert seen(closed, open_) == [("delete", "/src/")]
    assert seen(closed, closed) == []


def test_nothing_is_said_about_what_one_of_the_two_could_not_read():
    files = {"/src/a": A, "/src/deep/b": A, "/other": A}
    readable = snapshot(files=files)
    unreadable = snapshot(files={"/other": A}, unreadable=frozenset({"/src"}))
    assert seen(readable, unreadable) == seen(unreadable, readable) == []


def test_beyond_a_limit_absence_proves_nothing_and_a_recent_change_does():
    before = snapshot(files={"/a": A, "/hidden": A}, complete=False)
    old, new = (
        replace(A, changed_ns=before.taken_ns - 10**9),
        replace(A, changed_ns=before.taken_ns),
    )
    after = snapshot(files={"/a": B, "/was there": old, "/made": new}, complete=False)
    assert seen(before, after) == [("edit", "/a"), ("write", "/made")]


states = st.builds(FileState, st.sampled_from("abc"), st.just(1), st.just(0o100644), st.just(0))
folders = st.dictionaries(st.sampled_from(["/a", "/b", "/d/a", "/d/b", "/d/e/a"]), states)


@given(before=folders, after=folders)
def test_applying_the_changes_to_before_gives_after(
    before: dict[str, FileState], after: dict[str, FileState]
):
    files = dict(before)
    for change in compare_snapshots(snapshot(files=before), snapshot(files=after)):
        assert files.pop(change.path, None) == change.before
        if change.after is not None:
            files[change.path] = change.after
    assert files == after
