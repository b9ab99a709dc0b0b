"""Whatever a workspace holds, a look reads only its own files, ends, and says what it left out."""

import os
import time
from pathlib import Path

import pytest
from swapping import swapping_workspace

from dataagent_core.config.limits import WALK_DEEP_MAX
from dataagent_core.events import FileOperationEvent
from dataagent_core.sandbox.files.file_survey import SkipRules, survey_files
from dataagent_core.sandbox.files.safe_root import LinkPolicy, SafeRoot
from dataagent_core.session import Run
from dataagent_core.tools.command_changes import CommandReport, CommandWatch
from dataagent_core.tools.command_changes.workspace_shadow import WorkspaceShadow
from dataagent_core.tools.pipeline.call_events import make_change_events

RUN = Run(run_id="r", session_id="s", message_id="m")


def shown(report: CommandReport) -> list[tuple[str, str]]:
    return [(record.operation, record.display_path) for record in report.records]


def test_pipes_devices_and_sockets_are_neither_read_nor_waited_for(
    workspace: Path, shadow: WorkspaceShadow
):
    os.mkfifo(workspace / "pipe")
    if os.geteuid() == 0:
        os.mknod(workspace / "device", 0o020666, os.makedev(1, 5))
    (workspace / "a").touch()
    assert set(shadow.look().files) == {"/a"}


def test_a_link_is_seen_as_a_link_wherever_it_leads(
    workspace: Path, watch: CommandWatch, tmp_path: Path
):
    (tmp_path / "secret").write_text("SECRET")
    watched = watch.begin("shell", "s")
    (workspace / "out").symlink_to(tmp_path / "secret")
    (workspace / "loop").symlink_to("loop")
    (workspace / "up").symlink_to("..")
    report = watch.end(watched)
    assert shown(report) == [("write", "/loop"), ("write", "/out"), ("write", "/up")]
    assert not any("SECRET" in (record.diff or "") for record in report.records)
    assert report.records[2].diff is not None
    assert "+..\n" in report.records[2].diff


@pytest.mark.parametrize("links", ["refuse", "beneath"])
def test_nothing_outside_is_read_while_a_folder_and_a_link_change_places(
    tmp_path: Path, links: LinkPolicy
):
    until_s = time.monotonic() + 1.0
    contents: set[bytes | None] = set()
    with swapping_workspace(tmp_path) as workspace:
        shadow = WorkspaceShadow(SafeRoot(workspace, links=links), tmp_path / "shadows")
        while time.monotonic() < until_s or b"ours" not in contents:
            states = shadow.look().files
            with shadow.contents() as content:
                contents |= {content(s.sha256) for s in states.values() if s.sha256}
    assert contents <= {b"ours", b"../outside", None}


def test_names_that_are_no_text_are_told_in_events_that_can_be_stored(
    workspace: Path, watch: CommandWatch
):
    watched = watch.begin("shell", "s")
    name = os.fsencode(workspace) + b"/caf\xe9\n\x1b[31m"
    with open(name, "w") as file:  # noqa: PTH123 (a name that is no text)
        file.write("x")
    [event] = make_change_events(RUN, watch.end(watched))
    assert isinstance(event, FileOperationEvent)
    assert event.file_path == "/caf\ufffd\n\x1b[31m"
    event.file_path.encode()
    assert (event.diff or "").splitlines()[0] == "--- a/caf\\udce9\\n\\x1b[31m"
    watched = watch.begin("shell", "s")
    Path(os.fsdecode(name)).unlink()
    assert shown(watch.end(watched)) == [("delete", "/caf\udce9\n\x1b[31m")]


def test_what_is_no_text_is_counted_without_a_diff(workspace: Path, watch: CommandWatch):
    watched = watch.begin("shell", "s")
    (workspace / "binary").write_bytes(b"\0\1\2")
    (workspace / "latin").write_bytes("café\n".encode("latin-1"))
    binary, latin = watch.end(watched).records
    assert (binary.diff, binary.metrics["bytes_written"]) == (None, 3)
    assert "+caf\ufffd" in (latin.diff or "")


def test_trees_deeper_than_the_limit_end_and_are_named(workspace: Path, watch: CommandWatch):
    descriptor = os.open(workspace, os.O_RDONLY)
    for _ in range(WALK_DEEP_MAX + 50):
        os.mkdir("d", dir_fd=descriptor)
        inner = os.open("d", os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = inner
    os.close(descriptor)
    watched = watch.begin("shell", "s")
    (workspace / "a").touch()
    report = watch.end(watched)
    assert shown(report) == [("write", "/a")]
    assert "/d/d/" in report.notices[0]
    assert "is not seen" in report.notices[0]


def test_a_folder_that_becomes_a_link_is_told_as_its_files_gone(
    workspace: Path, watch: CommandWatch, tmp_path: Path
):
    (workspace / "door").mkdir()
    (workspace / "door" / "file").write_text("ours")
    (tmp_path / "file").write_text("SECRET")
    watched = watch.begin("shell", "s")
    (workspace / "door").rename(workspace / "moved")
    (workspace / "door").symlink_to(tmp_path)
    assert shown(watch.end(watched)) == [
        ("write", "/door"),
        ("delete", "/door/file"),
        ("write", "/moved/file"),
    ]


def test_a_file_with_two_names_is_measured_but_not_read_where_links_are_refused(
    workspace: Path, tmp_path: Path
):
    (tmp_path / "secret").write_text("SECRET")
    os.link(tmp_path / "secret", workspace / "mine")
    shadow = WorkspaceShadow(SafeRoot(workspace, links="refuse"), tmp_path / "shadows")
    state = shadow.look().files["/mine"]
    assert (state.sha256, state.size_bytes) == (None, 6)


def test_a_survey_that_meets_its_limit_has_seen_the_shallow_entries(
    workspace: Path, root: SafeRoot
):
    (workspace / "deep").mkdir()
    for number in range(5):
        (workspace / f"top{number}").touch()
        (workspace / "deep" / str(number)).touch()
    found = survey_files(root, SkipRules(), entries_max=8)
    assert not found.complete
    assert {path for path in found.files if "/deep/" not in path} == {f"/top{n}" for n in range(5)}
    assert len(found.files) == 7
