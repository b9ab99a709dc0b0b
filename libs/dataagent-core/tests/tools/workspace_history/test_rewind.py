"""What goes back, what stays, and what is said of both."""

import asyncio
from pathlib import Path

import pytest
from workspaces_past import Past

from dataagent_core.config.limits import SHADOW_FILE_BYTES_MAX
from dataagent_core.errors import NotFoundError, SessionBusyError
from dataagent_core.events import FileOperationEvent
from dataagent_core.session import NO_RUN, read_all
from dataagent_core.tools.workspace_history import KeptFile


@pytest.mark.requirement("F8-5-rewind")
def test_what_the_agent_changed_made_and_removed_goes_back(past: Past):
    (past.workspace / "edited").write_text("before")
    (past.workspace / "edited").chmod(0o640)
    (past.workspace / "deleted").write_text("bytes")
    (past.workspace / "moded").write_text("x")
    before = past.state()
    message = past.says()

    def work() -> None:
        (past.workspace / "edited").write_text("after")
        (past.workspace / "deleted").unlink()
        (past.workspace / "moded").chmod(0o755)
        (past.workspace / "made").mkdir()
        (past.workspace / "made" / "new").write_text("new")

    past.agent(work)
    past.agent((past.workspace / "edited").unlink)
    done = past.rewinds(message)
    assert past.state() == before
    assert done.removed == ("/made/new",)
    assert set(done.restored) == {"/edited", "/deleted", "/moded"}
    assert done.kept == ()


@pytest.mark.requirement("F8-5-rewind")
def test_what_a_person_changed_since_is_listed_and_left(past: Past):
    for name in ("ours", "theirs", "both"):
        (past.workspace / name).write_text("0")
    message = past.says()
    past.agent(lambda: [(past.workspace / name).write_text("agent") for name in ("ours", "both")])
    (past.workspace / "theirs").write_text("person")
    (past.workspace / "both").write_text("person")
    done = past.rewinds(message)
    assert done.kept == (KeptFile("/both", "changed"),)
    assert done.restored == ("/ours",)
    assert (past.workspace / "both").read_text() == "person"
    assert (past.workspace / "theirs").read_text() == "person"


def test_a_persons_change_beneath_a_later_one_of_the_agents_is_not_lost(past: Past):
    message = past.says()
    past.agent(lambda: (past.workspace / "a").write_text("agent 1"))
    (past.workspace / "a").write_text("person")
    past.agent(lambda: (past.workspace / "a").write_text("person, and agent 2"))
    assert past.rewinds(message).kept == (KeptFile("/a", "changed"),)
    assert (past.workspace / "a").read_text() == "person, and agent 2"


def test_each_message_is_a_place_to_go_back_to(past: Past):
    (past.workspace / "a").write_text("0")
    states, messages = [past.state()], [past.says()]
    for number in (1, 2):
        past.agent(lambda number=number: (past.workspace / "a").write_text(str(number)))
        states.append(past.state())
        messages.append(past.says())
    past.agent(lambda: (past.workspace / "b").write_text("3"))
    for message, state in zip(reversed(messages), reversed(states), strict=True):
        past.rewinds(message)
        assert past.state() == state


@pytest.mark.requirement("F8-5-rewind")
def test_a_rewind_done_twice_does_nothing_more(past: Past):
    message = past.says()
    past.agent(lambda: (past.workspace / "a").write_text("agent"))
    assert past.rewinds(message).removed == ("/a",)
    again = past.rewinds(message)
    assert (again.restored, again.removed, again.kept, again.events) == ((), (), (), ())


def test_undo_goes_back_message_by_message_and_never_forth(past: Past):
    (past.workspace / "a").write_text("0")
    first = past.says()
    past.agent(lambda: (past.workspace / "a").write_text("1"))
    second = past.says()
    past.agent(lambda: (past.workspace / "a").write_text("2"))
    past.says()  # a message without changes is not in the way
    assert past.undoes().message_id == second
    assert (past.workspace / "a").read_text() == "1"
    assert past.undoes().message_id == first
    assert (past.workspace / "a").read_text() == "0"
    last = past.undoes()
    assert (last.restored, last.removed, last.kept) == ((), (), ())
    assert past.rewinds(second).restored == ()
    assert (past.workspace / "a").read_text() == "0"


def test_what_is_done_after_a_rewind_goes_back_to_where_it_began(past: Past):
    (past.workspace / "a").write_text("0")
    first = past.says()
    past.agent(lambda: (past.workspace / "a").write_text("1"))
    past.rewinds(first)
    second = past.says()
    past.agent(lambda: (past.workspace / "a").write_text("2"))
    past.rewinds(second)
    assert (past.workspace / "a").read_text() == "0"
    past.says()
    past.agent(lambda: (past.workspace / "a").write_text("3"))
    past.rewinds(first)
    assert (past.workspace / "a").read_text() == "0"


def test_a_file_that_became_a_folder_and_a_folder_that_became_a_file_go_back(past: Past):
    (past.workspace / "file").write_text("f")
    (past.workspace / "folder" / "deep").mkdir(parents=True)
    (past.workspace / "folder" / "deep" / "x").write_text("x")
    before = past.state()
    message = past.says()

    def work() -> None:
        (past.workspace / "file").unlink()
        (past.workspace / "file" / "deep").mkdir(parents=True)
        (past.workspace / "file" / "deep" / "y").write_text("y")
        (past.workspace / "folder" / "deep" / "x").unlink()
        (past.workspace / "folder" / "deep").rmdir()
        (past.workspace / "folder").rmdir()
        (past.workspace / "folder").write_text("no folder")

    past.agent(work)
    assert past.rewinds(message).kept == ()
    assert past.state() == before


def test_a_persons_file_in_a_folder_in_the_way_keeps_the_folder(past: Past):
    (past.workspace / "file").write_text("f")
    message = past.says()

    def work() -> None:
        (past.workspace / "file").unlink()
        (past.workspace / "file").mkdir()

    past.agent(work)
    (past.workspace / "file" / "mine").write_text("person")
    [kept] = past.rewinds(message).kept
    assert (kept.path, kept.why) == ("/file", "refused")
    assert (past.workspace / "file" / "mine").read_text() == "person"


def test_a_rewind_is_refused_while_a_run_is_not_over(past: Past):
    message = past.says()
    past.agent(lambda: (past.workspace / "a").write_text("agent"))
    with pytest.raises(SessionBusyError, match="unfinished run"):
        asyncio.run(past.history.rewind("s", message))
    assert (past.workspace / "a").exists()


def test_a_message_nobody_sent_is_not_found(past: Past):
    past.says()
    with pytest.raises(NotFoundError, match="no message 'nobody'"):
        past.rewinds("nobody")
    with pytest.raises(NotFoundError, match="no message to undo"):
        past.undoes("other")


@pytest.mark.requirement("F8-5-rewind")
def test_what_is_not_tracked_is_said(past: Past):
    (past.workspace / "large").write_bytes(b"x" * (SHADOW_FILE_BYTES_MAX + 1))
    message = past.says()

    def work() -> None:
        (past.workspace / "large").write_bytes(b"y" * (SHADOW_FILE_BYTES_MAX + 1))
        (past.workspace / "node_modules").mkdir()
        (past.workspace / "new").write_bytes(b"z" * (SHADOW_FILE_BYTES_MAX + 1))

    past.agent(work)
    done = past.rewinds(message)
    assert done.kept == (KeptFile("/large", "not_kept"), KeptFile("/node_modules/", "untracked"))
    # Nobody touched it since it was made, so it can go, whatever is in it.
    assert done.removed == ("/new",)
    assert any("/node_modules/" in notice for notice in done.notices)
    assert any("1 files are not kept" in notice for notice in done.notices)


def test_what_went_back_is_in_the_log_outside_of_any_run(past: Past):
    (past.workspace / "a").write_text("one\n")
    message = past.says()
    past.agent(lambda: (past.workspace / "a").write_text("two\n"))
    done = past.rewinds(message)
    events = asyncio.run(read_all(past.log, "s", run_id=NO_RUN))
    assert events == list(done.events)
    [event] = events
    assert isinstance(event, FileOperationEvent)
    assert (event.operation, event.file_path, event.status) == ("edit", "/a", "success")
    assert event.diff == "--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-two\n+one"


def test_the_changes_of_a_session_are_shown_as_a_whole(past: Past):
    (past.workspace / "a").write_text("0\n")
    past.says()
    past.agent(lambda: (past.workspace / "a").write_text("1\n"))
    past.agent(lambda: (past.workspace / "gone again").write_text("x"))
    second = past.says()
    past.agent(lambda: (past.workspace / "a").write_text("2\n"))
    past.agent((past.workspace / "gone again").unlink)
    [change] = past.changes().files
    assert (change.path, change.operation, change.why) == ("/a", "edit", None)
    assert change.diff is not None
    assert "-0\n+2" in change.diff
    assert [(c.path, c.operation) for c in past.changes(second).files] == [
        ("/a", "edit"),
        ("/gone again", "delete"),
    ]
    (past.workspace / "a").write_text("person\n")
    [change] = past.changes().files
    assert change.why == "changed"
    past.rewinds(second)
    assert [change.path for change in past.changes().files] == ["/a", "/gone again"]


def test_parallel_calls_are_all_the_agents(past: Past):
    message = past.says()
    one = past.watch.begin(past.call(), is_command=True)
    (past.workspace / "a").write_text("1")
    two = past.watch.begin(past.call(), is_command=False)
    (past.workspace / "b").write_text("2")
    past.watch.end(one, None)
    (past.workspace / "a").write_text("3")
    past.watch.end(two, None)
    past.rewinds(message)
    assert past.state() == {}


def test_sessions_in_one_workspace_take_back_their_own_work_only(past: Past):
    one = past.says("one")
    past.agent(lambda: (past.workspace / "of one").write_text("1"))
    two = past.says("two")
    past.agent(lambda: (past.workspace / "of two").write_text("2"))
    past.rewinds(one, "one")
    assert list(past.state()) == ["of two"]
    past.rewinds(two, "two")
    assert past.state() == {}


def test_another_sessions_work_on_the_same_file_is_left(past: Past):
    one = past.says("one")
    past.agent(lambda: (past.workspace / "a").write_text("1"))
    past.says("two")
    past.agent(lambda: (past.workspace / "a").write_text("2"))
    assert past.rewinds(one, "one").kept == (KeptFile("/a", "changed"),)
    assert (past.workspace / "a").read_text() == "2"


def test_a_call_whose_process_is_gone_may_have_changed_what_is_listed(past: Past, tmp_path: Path):
    message = past.says()
    past.watch.begin(past.call(), is_command=True)
    (past.workspace / "half").write_text("perhaps the agent's")
    # Another process takes the session up: it holds nothing of the call.
    past.watch = type(past.watch)(past.root, past.shadows)
    past.agent(lambda: (past.workspace / "whole").write_text("surely the agent's"))
    done = past.rewinds(message)
    assert done.removed == ("/whole",)
    assert done.kept == (KeptFile("/half", "changed"),)
