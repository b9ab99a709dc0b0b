"""A workspace whose files are arranged to lead a rewind astray."""

import os
from pathlib import Path

import pytest
from workspaces_past import Past

from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.workspace_history import KeptFile


@pytest.mark.requirement("F8-5-rewind")
def test_a_folder_that_became_a_link_is_not_written_through(past: Past, tmp_path: Path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a").write_text("outside")
    (past.workspace / "d").mkdir()
    (past.workspace / "d" / "a").write_text("before")
    (past.workspace / "d" / "b").write_text("before")
    message = past.says()

    def work() -> None:
        (past.workspace / "d" / "a").write_text("after")
        (past.workspace / "d" / "b").unlink()

    past.agent(work)
    (past.workspace / "d" / "a").unlink()
    (past.workspace / "d").rmdir()
    (past.workspace / "d").symlink_to(outside)
    done = past.rewinds(message)
    assert {kept.path: kept.why for kept in done.kept} == {"/d/a": "changed", "/d/b": "refused"}
    assert [(p.name, p.read_text()) for p in outside.iterdir()] == [("a", "outside")]


def test_a_link_the_agent_made_is_removed_and_its_goal_stays(past: Past, tmp_path: Path):
    goal = tmp_path / "goal"
    goal.write_text("outside")
    (past.workspace / "a").write_text("before")
    message = past.says()

    def work() -> None:
        (past.workspace / "a").unlink()
        (past.workspace / "a").symlink_to(goal)
        (past.workspace / "new").symlink_to(goal)

    past.agent(work)
    done = past.rewinds(message)
    assert (done.restored, done.removed, done.kept) == (("/a",), ("/new",), ())
    assert (past.workspace / "a").read_text() == "before"
    assert not (past.workspace / "a").is_symlink()
    assert goal.read_text() == "outside"


def test_a_link_the_agent_removed_comes_back_as_a_link(past: Past, tmp_path: Path):
    goal = tmp_path / "goal"
    goal.write_text("outside")
    (past.workspace / "link").symlink_to(goal)
    message = past.says()
    past.agent((past.workspace / "link").unlink)
    past.agent(lambda: (past.workspace / "link").write_text("a file"))
    assert past.rewinds(message).restored == ("/link",)
    assert (past.workspace / "link").readlink() == goal
    assert goal.read_text() == "outside"


def test_the_other_name_of_a_hard_link_keeps_its_content(past: Past, tmp_path: Path):
    other = tmp_path / "other name"
    (past.workspace / "a").write_text("before")
    os.link(past.workspace / "a", other)
    message = past.says()
    past.agent(lambda: (past.workspace / "a").write_text("written in place"))
    assert past.rewinds(message).restored == ("/a",)
    assert (past.workspace / "a").read_text() == "before"
    # It lies outside: a rewind never writes there.
    assert other.read_text() == "written in place"


def test_a_server_replaces_a_hard_link_too_and_touches_nothing_else(tmp_path: Path):
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    past = Past(tmp_path, root=SafeRoot(workspace, links="refuse"))
    (workspace / "a").write_text("before")
    message = past.says()
    past.agent(lambda: (workspace / "a").write_text("after"))
    os.link(workspace / "a", tmp_path / "other name")
    past.rewinds(message)
    assert (tmp_path / "other name").read_text() == "after"


def test_what_git_a_shell_or_our_rules_read_is_not_put_back(past: Past):
    (past.workspace / ".mcp.json").write_text("{}")
    message = past.says()
    past.agent(lambda: (past.workspace / ".mcp.json").write_text('{"by": "a command"}'))
    [kept] = past.rewinds(message).kept
    assert (kept.path, kept.why) == ("/.mcp.json", "refused")
    assert "is protected" in kept.detail


def test_names_that_are_no_text_go_back_and_are_told(past: Past):
    name = os.fsdecode(b"\xff\n\x1b[31m")
    message = past.says()
    past.agent(lambda: (past.workspace / name).write_text("x"))
    done = past.rewinds(message)
    assert done.removed == (f"/{name}",)
    assert len(done.events) == 1
    assert past.state() == {}


def test_a_pipe_in_the_place_of_a_file_is_left(past: Past):
    (past.workspace / "a").write_text("before")
    message = past.says()
    past.agent(lambda: (past.workspace / "a").write_text("after"))
    (past.workspace / "a").unlink()
    os.mkfifo(past.workspace / "a")
    assert past.rewinds(message).kept == (KeptFile("/a", "changed"),)
    assert (past.workspace / "a").is_fifo()


def test_a_content_that_does_not_match_its_name_is_not_put_back(past: Past):
    (past.workspace / "a").write_text("before")
    message = past.says()
    past.agent(lambda: (past.workspace / "a").write_text("after"))
    with past.history._shadow.store() as store:  # pyright: ignore[reportPrivateUsage]
        store.connection.execute("UPDATE contents SET data = x'00'")
    assert past.rewinds(message).kept == (KeptFile("/a", "not_kept"),)
    assert (past.workspace / "a").read_text() == "after"
