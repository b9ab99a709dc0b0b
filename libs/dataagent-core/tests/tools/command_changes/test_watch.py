"""What is reported of commands: once, bounded, and never at the command's expense."""

import sqlite3
import threading
from pathlib import Path

import pytest

from dataagent_core.config.limits import (
    COMMAND_CHANGES_MAX,
    COMMAND_DIFF_CHARS_MAX,
    DIFF_CHARS_MAX,
    SHADOW_FILE_BYTES_MAX,
)
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.session import Run
from dataagent_core.tools.command_changes import (
    CommandReport,
    CommandWatch,
    make_program_metadata,
    runs_programs,
)
from dataagent_core.tools.files import make_file_tools
from dataagent_core.tools.pipeline.call_events import make_change_events


def shown(report: CommandReport) -> list[tuple[str, str]]:
    return [(record.operation, record.display_path) for record in report.records]


def test_a_command_that_changes_nothing_reports_nothing(workspace: Path, watch: CommandWatch):
    (workspace / "a").write_text("one")
    watched = watch.begin("shell", "s")
    (workspace / "a").touch()
    (workspace / "empty").mkdir()
    assert watch.end(watched) == CommandReport()


def test_what_happened_between_commands_is_not_theirs(workspace: Path, watch: CommandWatch):
    watch.end(watch.begin("shell", "s"))
    (workspace / "by a person").touch()
    assert watch.end(watch.begin("shell", "s")) == CommandReport()


def test_a_change_is_reported_by_the_command_that_ends_first(workspace: Path, watch: CommandWatch):
    one, two = watch.begin("shell", "s"), watch.begin("shell", "s")
    (workspace / "a").write_text("1")
    (workspace / "node_modules").mkdir()
    assert shown(watch.end(one)) == [("write", "/a"), ("write", "/node_modules/")]
    (workspace / "a").write_text("2")
    (workspace / "b").touch()
    assert shown(watch.end(two)) == [("edit", "/a"), ("write", "/b")]


def test_every_session_is_told_what_changed_while_its_command_ran(
    workspace: Path, watch: CommandWatch
):
    one, two = watch.begin("shell", "one"), watch.begin("shell", "two")
    (workspace / "a").touch()
    assert shown(watch.end(one)) == shown(watch.end(two)) == [("write", "/a")]


def test_what_a_file_tool_did_meanwhile_is_that_tools(workspace: Path, watch: CommandWatch):
    watched = watch.begin("shell", "s")
    (workspace / "a").write_text("by the tool")
    watch.settle("s", "a")
    (workspace / "b").write_text("by the command")
    assert shown(watch.end(watched)) == [("write", "/b")]


def test_a_cancelled_command_leaves_nothing_behind(workspace: Path, watch: CommandWatch):
    watched = watch.begin("shell", "s")
    (workspace / "a").touch()
    del watched
    assert len(watch._running) == 0  # pyright: ignore[reportPrivateUsage]
    assert watch.end(watch.begin("shell", "s")) == CommandReport()


def test_many_changes_are_summed_up_in_one_record(workspace: Path, watch: CommandWatch):
    for number in range(10):
        (workspace / f"z{number}").touch()
    watched = watch.begin("shell", "s")
    for number in range(COMMAND_CHANGES_MAX + 7):
        (workspace / f"a{number}").touch()
    for number in range(10):
        (workspace / f"z{number}").unlink()
    *records, last = watch.end(watched).records
    assert len(records) == COMMAND_CHANGES_MAX
    assert (last.operation, last.metrics) == ("more", {"more_delete": 10, "more_write": 7})


def test_long_diffs_are_bounded_in_all_and_that_is_said(workspace: Path, watch: CommandWatch):
    watched = watch.begin("shell", "s")
    count = COMMAND_DIFF_CHARS_MAX // DIFF_CHARS_MAX + 3
    for number in range(count):
        (workspace / f"{number:02}").write_text("".join(f"{n}\n" for n in range(20_000)))
    report = watch.end(watched)
    diffs = [record.diff for record in report.records if record.diff is not None]
    assert len(report.records) == count
    assert sum(map(len, diffs)) <= COMMAND_DIFF_CHARS_MAX
    assert f"{count - len(diffs)} of the changes come without a diff" in report.notices[0]


def test_a_file_that_is_not_kept_is_told_by_its_sizes_and_that_is_said(
    workspace: Path, watch: CommandWatch
):
    large = workspace / "large"
    large.write_bytes(b"x" * (SHADOW_FILE_BYTES_MAX + 1))
    watched = watch.begin("shell", "s")
    large.write_bytes(b"x" * (SHADOW_FILE_BYTES_MAX + 2))
    report = watch.end(watched)
    [record] = report.records
    assert record.diff is None
    assert record.metrics == {
        "bytes_before": SHADOW_FILE_BYTES_MAX + 1,
        "bytes_written": SHADOW_FILE_BYTES_MAX + 2,
    }
    assert f"only files up to {SHADOW_FILE_BYTES_MAX} bytes are kept" in report.notices[0]


def test_a_shadow_that_cannot_be_made_is_a_notice(workspace: Path, root: SafeRoot, tmp_path: Path):
    (tmp_path / "file").touch()
    watch = CommandWatch(root, tmp_path / "file" / "shadows")
    watched = watch.begin("shell", "s")
    (workspace / "a").touch()
    report = watch.end(watched)
    assert report.records == ()
    assert "is not known: NotADirectoryError" in report.notices[0]


def test_a_store_that_somebody_holds_is_a_notice_and_not_a_wait_without_end(
    workspace: Path, watch: CommandWatch, shadows: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("dataagent_core.tools.command_changes.content_database.SHADOW_BUSY_S", 0.1)
    watched = watch.begin("shell", "s")
    (workspace / "a").touch()
    holder = sqlite3.connect(next(shadows.glob("*/shadow-1.db")), isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    report = watch.end(watched)
    holder.close()
    assert "database is locked" in report.notices[0]
    watched = watch.begin("shell", "s")
    (workspace / "a").write_text("x")
    assert shown(watch.end(watched)) == [("edit", "/a")]


def test_a_notice_is_told_once_in_a_run():
    run = Run(run_id="r", session_id="s", message_id="m")
    report = CommandReport(notices=("one", "two"))
    first, second = make_change_events(run, report)
    assert first.event_id != second.event_id
    assert [event.event_id for event in make_change_events(run, report)] == [
        first.event_id,
        second.event_id,
    ]


def test_commands_may_begin_and_end_in_many_threads(workspace: Path, watch: CommandWatch):
    reports: list[CommandReport] = []

    def command(number: int) -> None:
        watched = watch.begin("shell", "s")
        (workspace / str(number)).touch()
        reports.append(watch.end(watched))

    threads = [threading.Thread(target=command, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    told = sorted(path for report in reports for _, path in shown(report))
    assert told == [f"/{number}" for number in range(8)]


def test_a_tool_says_itself_that_it_runs_programs(root: SafeRoot):
    for tool in make_file_tools(root):
        assert not runs_programs(tool)
        assert runs_programs(tool.model_copy(update={"metadata": make_program_metadata()}))
    assert not runs_programs(None)
